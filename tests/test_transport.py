"""The request layer: what went out is told apart from what never did; errors map as documented."""

import asyncio
import random
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from aiohttp import web
from telegram import InputFile
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from bot.demo.server import serve
from bot.demo.telegram import LocalTelegram
from bot.transport import ANSWER_SECONDS, BotApi, NotSentError, ResponseLostError
from tests.clock import ManualClock

TOKEN = "4242:transport-test-token"


@dataclass(frozen=True, slots=True)
class Line:
    """A connection of the bot to a local Telegram."""

    api: BotApi
    telegram: LocalTelegram
    clock: ManualClock


@asynccontextmanager
async def connected(url: str, clock: ManualClock, token: str = TOKEN) -> AsyncIterator[BotApi]:
    api = BotApi(token, clock, url)
    await api.open()
    try:
        yield api
    finally:
        await api.close_connections()


@pytest.fixture
async def line() -> AsyncIterator[Line]:
    clock = ManualClock()
    telegram = LocalTelegram(clock, token=TOKEN, random=random.Random(1))
    async with serve(telegram) as server, connected(server.url, clock) as api:
        yield Line(api, telegram, clock)


async def test_a_result_comes_back_as_plain_json(line: Line) -> None:
    assert (await line.api.call("getMe"))["username"] == "quiz_tutor_bot"


async def test_nested_parameters_and_any_text_arrive_as_they_are(line: Line) -> None:
    person = line.telegram.add_person("Ada")
    line.telegram.send(person, person.id, "/start")
    keyboard = {"inline_keyboard": [[{"text": "Ж & <b>", "callback_data": "x"}]]}
    text = "ї ș 👩‍👩‍👧 + % & = \n ;"
    sent = await line.api.call(
        "sendMessage", {"chat_id": person.id, "text": text, "reply_markup": keyboard}
    )
    assert (sent["text"], sent["reply_markup"]) == (text, keyboard)


@pytest.mark.parametrize(
    ("code", "parameters", "error"),
    [
        (400, {}, BadRequest),
        (403, {}, Forbidden),
        (409, {}, Conflict),
        (401, {}, InvalidToken),
        (404, {}, InvalidToken),
        (500, {}, NetworkError),
        (502, {}, NetworkError),
        (429, {"retry_after": 7}, RetryAfter),
        (400, {"migrate_to_chat_id": -1005}, ChatMigrated),
    ],
)
async def test_a_refusal_is_the_error_that_python_telegram_bot_documents(
    line: Line, code: int, parameters: dict[str, int], error: type[TelegramError]
) -> None:
    line.telegram.faults.refuse("getMe", code, "No", parameters=parameters)
    with pytest.raises(error) as caught:
        await line.api.call("getMe")
    assert type(caught.value) is error


async def test_a_closed_port_means_that_nothing_was_sent() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    async with connected(f"http://127.0.0.1:{port}", ManualClock()) as api:
        with pytest.raises(NotSentError):
            await api.call("getMe")


@pytest.mark.parametrize("fault", ["drop", "cut"])
async def test_a_connection_that_ends_without_an_answer_leaves_doubt(
    line: Line, fault: str
) -> None:
    getattr(line.telegram.faults, fault)("getMe")
    with pytest.raises(ResponseLostError):
        await line.api.call("getMe")
    assert (await line.api.call("getMe"))["is_bot"] is True


async def test_an_answer_that_takes_too_long_leaves_doubt(line: Line) -> None:
    held = line.telegram.faults.hold("getMe")
    call = asyncio.create_task(line.api.call("getMe"))
    await held.reached.wait()
    await line.clock.advance(ANSWER_SECONDS - 0.1)
    assert not call.done()
    await line.clock.advance(0.2)
    with pytest.raises(ResponseLostError):
        await call
    held.release()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>Bad gateway</html>"),
        (200, b"[]"),
        (200, b""),
        (200, b"\xff\xfe"),
        (200, b"{}"),
        (200, b'{"ok":true}'),
        (400, b'{"ok":false,"description":5}'),
    ],
)
async def test_an_answer_that_is_none_of_the_bot_apis_is_a_telegram_error(
    status: int, body: bytes
) -> None:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status, body=body)

    application = web.Application()
    application.router.add_post("/{path:.*}", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        async with connected(url, ManualClock()) as api:
            with pytest.raises(TelegramError):
                await api.call("getMe")
    finally:
        await runner.cleanup()


async def test_a_file_goes_as_multipart() -> None:
    received: dict[str, bytes] = {}

    async def answer(request: web.Request) -> web.Response:
        for name, value in (await request.post()).items():
            received[name] = value.file.read() if isinstance(value, web.FileField) else b"field"
        return web.json_response({"ok": True, "result": True})

    application = web.Application()
    application.router.add_post("/{path:.*}", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        async with connected(url, ManualClock()) as api:
            await api.call("sendPhoto", {"chat_id": 1, "photo": InputFile(b"PNG", "x.png")})
    finally:
        await runner.cleanup()
    assert received["photo"] == b"PNG"
    assert received["chat_id"] == b"field"


async def test_no_error_names_the_token(line: Line) -> None:
    line.telegram.faults.drop("getMe")
    with pytest.raises(ResponseLostError) as caught:
        await line.api.call("getMe")
    assert TOKEN not in repr(caught.value) + str(caught.value.__cause__)
