"""/healthz: whether the bot works, as a container or a monitor asks it; and what else is there."""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.app import ENDING, StartError, build
from bot.health import DATABASE_SECONDS, DATABASE_SILENT, STARTING
from bot.settings import Address
from tests.conversation import TOKEN, Learner, Talk, talking
from tests.posting import SECRET, free_address, proxied, takes_local_webhooks
from tests.stores import held


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[Talk]:
    """A started bot that tells of its health."""
    async with talking(tmp_path, listen=free_address()) as talk:
        yield talk


async def ask(
    address: Address | None, path: str = "/healthz", method: str = "GET"
) -> tuple[int, str, Any]:
    """Status, content type and body."""
    async with (
        aiohttp.ClientSession() as http,
        http.request(method, f"http://{address}{path}") as answer,
    ):
        return answer.status, answer.content_type, await answer.read()


async def troubles(talk: Talk) -> list[str]:
    """What /healthz complains of."""
    async with (
        aiohttp.ClientSession() as http,
        http.get(f"http://{talk.settings.listen}/healthz") as answer,
    ):
        told = await answer.json()
    assert (answer.status, told["status"]) in ((200, "ok"), (503, "trouble"))
    assert (answer.status == 200) == (told["reasons"] == [])
    return list(told["reasons"])


async def test_a_bot_that_works_says_so(talk: Talk, ada: Learner) -> None:
    await ada.sends("/help")
    assert await ask(talk.settings.listen) == (
        200,
        "application/json",
        b'{"status":"ok","reasons":[]}',
    )


async def test_head_is_the_same_without_a_body(talk: Talk) -> None:
    assert await ask(talk.settings.listen, method="HEAD") == (200, "application/json", b"")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/healthz/", 404),
        ("GET", "/hook", 404),
        ("POST", "/nowhere", 404),
        ("POST", "/healthz", 405),
        ("DELETE", "/metrics", 405),
        ("OPTIONS", "/healthz", 405),
    ],
)
async def test_nothing_else_is_there(talk: Talk, method: str, path: str, status: int) -> None:
    assert await ask(talk.settings.listen, path, method) == (status, "text/plain", b"")


async def test_no_other_site_may_read_it_in_a_browser(talk: Talk) -> None:
    async with (
        aiohttp.ClientSession() as http,
        http.get(
            f"http://{talk.settings.listen}/healthz", headers={"Origin": "https://example.org"}
        ) as answer,
    ):
        assert [name for name in answer.headers if name.startswith("Access-Control")] == []


async def test_nothing_listens_unless_it_is_asked_for(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        assert talk.settings.listen is None


async def test_while_telegram_has_not_answered_yet_the_bot_is_starting(talk: Talk) -> None:
    await talk.stop()
    refused = talk.telegram.faults.refuse("getMe", 502, "Bad Gateway")
    starting = asyncio.create_task(talk.start())
    await refused.reached.wait()
    assert await troubles(talk) == [STARTING]
    await talk.clock.advance(1)
    await starting
    assert await troubles(talk) == []


@contextmanager
def out_of_reach(talk: Talk) -> Iterator[None]:
    talk.telegram.faults.refuse("*", 502, "Bad Gateway", times=None)
    talk.telegram.faults.refuse("getUpdates", 502, "Bad Gateway", times=None)
    yield
    talk.telegram.faults.clear()


async def test_telegram_may_be_out_of_reach_for_two_minutes(talk: Talk) -> None:
    with out_of_reach(talk):
        await talk.clock.advance(30 + 119)  # the call that waited is answered yet
        assert await troubles(talk) == []
        await talk.clock.advance(2)
        (trouble,) = await troubles(talk)
        assert trouble == (
            "Telegram was not heard for 121 s. Updates can't be fetched: Bad Gateway"
        )
    await talk.clock.advance(31)
    assert await troubles(talk) == []


async def test_while_the_bot_ends_it_is_not_well(talk: Talk, ada: Learner) -> None:
    assert talk.app is not None
    sending = talk.telegram.faults.hold("sendMessage")
    talk.telegram.send(ada.person, ada.id, "/help")
    await sending.reached.wait()
    ending = asyncio.create_task(talk.app.stop())
    assert await troubles(talk) == [ENDING]
    sending.release()
    await ending
    talk.app = None


async def test_an_idle_bot_stays_well(talk: Talk) -> None:
    await talk.clock.advance(600)
    assert await troubles(talk) == []


async def test_an_idle_bot_with_a_webhook_stays_well(tmp_path: Path) -> None:
    async with (
        proxied() as proxy,
        talking(
            tmp_path, listen=free_address(), webhook=proxy.hook, prepare=takes_local_webhooks
        ) as talk,
    ):
        await talk.clock.advance(600)
        assert await troubles(talk) == []
        talk.telegram.faults.refuse("getWebhookInfo", 502, "Bad Gateway", times=None)
        await talk.clock.advance(200)
        (trouble,) = await troubles(talk)
        assert "Telegram can't be asked about the webhook: Bad Gateway" in trouble


async def test_another_program_that_fetches_the_updates_is_trouble(talk: Talk) -> None:
    conflict = "Conflict: terminated by other getUpdates request"
    talk.telegram.faults.refuse("getUpdates", 409, conflict, times=None)
    await talk.clock.advance(200)
    (trouble,) = await troubles(talk)
    assert "Another program fetches this bot's updates" in trouble


async def test_a_database_that_does_not_answer_is_trouble(talk: Talk) -> None:
    with held(talk.settings.database_path):
        asking = asyncio.create_task(troubles(talk))
        while not asking.done():
            await talk.clock.advance(DATABASE_SECONDS / 10)
        assert DATABASE_SILENT in await asking
    assert await troubles(talk) == []


async def test_neither_secrets_nor_people_are_told(tmp_path: Path) -> None:
    async with (
        proxied() as proxy,
        talking(
            tmp_path, listen=free_address(), webhook=proxy.hook, prepare=takes_local_webhooks
        ) as talk,
    ):
        ada = talk.learner("Adalovelace", last_name="Countess", username="enchantress")
        await ada.sends("/quiz capitals")
        await ada.votes("Paris")
        pages = [await ask(talk.settings.listen, path) for path in ("/healthz", "/metrics")]
        with out_of_reach(talk):
            await talk.clock.advance(200)
            pages += [await ask(talk.settings.listen)]
        shown = b" ".join(body for _, _, body in pages).decode()
        secrets = (TOKEN, TOKEN.split(":")[1], SECRET, str(ada.id), "Adalovelace", "Countess")
        assert [secret for secret in (*secrets, "enchantress", "Paris") if secret in shown] == []


async def test_a_port_that_is_taken_is_a_sentence(talk: Talk, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with pytest.raises(StartError) as error:
        async with talking(tmp_path / "other", listen=talk.settings.listen):
            pass
    assert str(error.value) == (
        f"LISTEN can't be used: nobody can listen at {talk.settings.listen} "
        "(Address already in use)."
    )


async def test_a_bot_that_could_not_start_listens_no_more(talk: Talk) -> None:
    await talk.stop()
    talk.telegram.faults.refuse("getMe", 401, "Unauthorized")
    with pytest.raises(StartError):
        await build(talk.settings, talk.catalog, talk.clock, random.Random(1))
    await talk.start()
    assert await troubles(talk) == []


async def test_questions_that_the_database_never_answers_do_not_pile_up(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    with held(talk.settings.database_path):
        asking = [asyncio.create_task(troubles(talk)) for _ in range(50)]
        while not all(one.done() for one in asking):
            await talk.clock.advance(DATABASE_SECONDS / 10)
        assert {tuple(one.result()) for one in asking} == {(DATABASE_SILENT,)}
    locked = [line for line in caplog.messages if line.startswith("The database is locked")]
    assert len(locked) <= 2


async def test_a_connection_that_is_kept_open_does_not_hold_up_the_end(talk: Talk) -> None:
    assert talk.settings.listen is not None
    _, writer = await asyncio.open_connection(talk.settings.listen.host, talk.settings.listen.port)
    with closing(writer):
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        async with asyncio.timeout(3):
            await talk.stop()
