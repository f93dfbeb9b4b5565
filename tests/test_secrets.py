"""The token is told to nobody: no file, no page, no log, and no error."""

import asyncio
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

import aiohttp
import pytest
from aiohttp import web

from tests.conversation import TOKEN, talking
from tests.process import LIMIT, BotProcess, command, served, spawn

SECRET = TOKEN.partition(":")[2]

LEAKY = {"LOG_LEVEL": "DEBUG", "PYTHONASYNCIODEBUG": "1", "PYTHONDEVMODE": "1"}
"""As talkative as the process can be."""


def holds_token(text: str) -> bool:
    return SECRET in text or quote(TOKEN, safe="") in text


@asynccontextmanager
async def answering(body: str, status: int = 200) -> AsyncIterator[str]:
    """A server that answers everything alike."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(text=body, status=status)

    application = web.Application()
    application.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def test_no_file_of_the_database_holds_the_token(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/quiz capitals")
        talk.telegram.faults.drop("sendMessage")
        await ada.votes("Paris")
        talk.telegram.give({"message": {"text": "cannot be read"}})
        await talk.settles()
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert len(files) > 2
        assert [path for path in files if SECRET.encode() in path.read_bytes()] == []


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (401, '{"ok": false, "error_code": 401, "description": "Unauthorized"}', 2),
        # What no Telegram answers: the process breaks, with a traceback.
        (200, '{"ok": true, "result": {}}', 1),
    ],
)
async def test_no_end_of_the_process_tells_the_token(
    tmp_path: Path, status: int, body: str, code: int
) -> None:
    async with answering(body, status) as url:
        ended = await command("run", folder=tmp_path, BOT_TOKEN=TOKEN, BOT_API_URL=url, **LEAKY)
    assert not holds_token(ended.stdout + ended.stderr)
    assert ended.code == code


async def test_a_process_that_tells_all_it_knows_does_not_tell_the_token(tmp_path: Path) -> None:
    async with served() as (telegram, url):
        bot = BotProcess(telegram, url, tmp_path, **LEAKY)
        try:
            for kind in (telegram.faults.cut, telegram.faults.drop):
                kind("getMe")
                kind("sendMessage")
                kind("getUpdates", skip=1)
            telegram.faults.refuse("sendMessage", 400, "Bad Request: no such thing")
            telegram.faults.refuse("getUpdates", 502, "Bad Gateway", skip=2)
            await bot.start()
            ada = telegram.add_person("Ada", language_code="en")
            for text in ("/help", "/start", "/quiz capitals"):
                telegram.send(ada, ada.id, text)
            telegram.give({"message": {"text": "cannot be read"}})
            await bot.logs("Telegram refuses sendMessage")
            await bot.ends_by(signal.SIGTERM)
        finally:
            await bot.close()
    assert "Updates can't be fetched" in bot.log
    assert not holds_token(bot.log)


async def test_the_demo_knows_nothing_of_the_operators_token(tmp_path: Path) -> None:
    token = "987654321:AAF_the-operators-own-token_0123456"
    (tmp_path / ".env").write_text(f"BOT_TOKEN={token}\n")
    demo = await spawn("demo", "--no-browser", folder=tmp_path, BOT_TOKEN=token, LOG_LEVEL="DEBUG")
    try:
        async with asyncio.timeout(LIMIT):
            assert demo.stdout is not None
            line = (await demo.stdout.readline()).decode()
            found = re.search(r"http://127\.0\.0\.1:\d+/", line)
            assert found is not None, line
            seen = await everything_at(found[0])
            demo.send_signal(signal.SIGTERM)
            rest, log = await demo.communicate()
    finally:
        if demo.returncode is None:
            demo.kill()
    assert "AAF_" not in seen + line + (rest + (log or b"")).decode()


async def everything_at(url: str) -> str:
    """The page and what its socket tells at once."""
    async with aiohttp.ClientSession() as http:
        async with http.get(url) as response:
            page = await response.text()
        async with http.ws_connect(f"{url}page/socket") as socket:
            return page + await socket.receive_str()
