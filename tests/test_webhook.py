"""The webhook: Telegram posts updates, and hears 200 once they are stored."""

import asyncio
import gzip
import io
import json
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.app import StartError
from bot.demo.telegram import LocalTelegram
from bot.settings import Address, Hook
from bot.webhook import SECRET_HEADER, STORE_SECONDS
from tests.conversation import Learner, Talk, talking
from tests.posting import PATH, SECRET, Proxy, free_address, proxied, takes_local_webhooks
from tests.stores import held

FRANCE = "What is the capital of France?"
UPDATE = {
    "update_id": 7_000_000,
    "message": {
        "message_id": 1,
        "date": 1,
        "chat": {"id": 77, "type": "private", "first_name": "Eve"},
        "from": {"id": 77, "is_bot": False, "first_name": "Eve"},
        "text": "/help",
    },
}
MIB = 1024 * 1024


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    async with proxied() as proxy:
        yield proxy


@pytest.fixture
async def talk(tmp_path: Path, proxy: Proxy) -> AsyncIterator[Talk]:
    """A started bot to which updates are posted."""
    async with talking(tmp_path, webhook=proxy.hook, prepare=takes_local_webhooks) as talk:
        yield talk


def inbox(talk: Talk) -> list[tuple[str, int]]:
    """The rows by state, as another program reads them."""
    with closing(sqlite3.connect(talk.settings.database_path)) as raw:
        return raw.execute("SELECT state, count(*) FROM inbox GROUP BY state").fetchall()


def address(talk: Talk, path: str = PATH) -> str:
    assert talk.settings.webhook is not None
    return f"http://{talk.settings.webhook.listen}{path}"


async def post(talk: Talk, body: bytes | AsyncIterator[bytes] | None = None, **headers: str) -> int:
    """What a post to the bot itself is answered."""
    body = json.dumps(UPDATE).encode() if body is None else body
    sent = {SECRET_HEADER: SECRET, "Content-Type": "application/json"} | headers
    async with (
        aiohttp.ClientSession() as http,
        http.post(address(talk), data=body, headers=sent) as answer,
    ):
        return answer.status


# Conversations


async def test_a_quiz_is_taken_over_the_webhook_to_its_results(ada: Learner, talk: Talk) -> None:
    await ada.sends("/quiz capitals")
    assert ada.hears[-1] == FRANCE
    await ada.votes("Paris")
    assert ada.hears[0].startswith("✅ Right")
    await ada.taps("Next 2/3")
    await ada.votes_wrong()
    await ada.taps("Next 3/3")
    await ada.votes_right()
    await ada.taps_first()
    assert "Right answers: 2 of 3" in ada.hears[0]
    assert talk.telegram.calls("getUpdates") == []
    assert inbox(talk)[0][0] == "done"


async def test_a_round_is_played_over_the_webhook(talk: Talk) -> None:
    ada, bob = talk.learner("Ada"), talk.learner("Bob")
    group = talk.telegram.add_group("Class", [ada.person, bob.person], supergroup=True)
    ada, bob = ada.within(group), bob.within(group)
    await ada.sends("/quiz capitals")
    await bob.taps("Join")
    await ada.taps("Start")
    for _ in range(3):
        await ada.votes_right()
        await bob.votes_wrong()
        await talk.clock.advance(8)
    assert "🥇 Ada – 3 of 3" in ada.messages[-1].text


async def test_the_learners_of_a_crowd_are_each_answered_once(talk: Talk) -> None:
    crowd = [talk.learner(f"P{number}") for number in range(120)]
    for one in crowd:
        talk.telegram.send(one.person, one.id, "/help")
    await talk.settles()
    assert [len(one.messages) for one in crowd] == [1] * 120


# Setting the webhook


async def test_the_webhook_is_set_with_the_secret_and_the_kinds_and_drops_nothing(
    talk: Talk, proxy: Proxy
) -> None:
    (call,) = talk.telegram.calls("setWebhook")
    assert call.parameters == {
        "url": proxy.hook.url,
        "secret_token": SECRET,
        "allowed_updates": ["message", "callback_query", "poll", "poll_answer", "my_chat_member"],
        "max_connections": 40,
        "drop_pending_updates": False,
    }


async def test_what_waited_is_taken_at_the_start_at_the_first_try(
    tmp_path: Path, proxy: Proxy
) -> None:
    def wrote_before(telegram: LocalTelegram) -> None:
        takes_local_webhooks(telegram)
        person = telegram.add_person("Ada", language_code="en")
        for text in ("/quiz capitals", "/stop", "/help"):
            telegram.send(person, person.id, text)

    async with talking(tmp_path, webhook=proxy.hook, prepare=wrote_before) as talk:
        said = [m.text.split("\n")[0] for m in talk.telegram.chat(1001).messages if not m.poll]
        assert said[3:] == ["Capitals · 3 questions", "Results: Capitals", "What I understand:"]
        assert talk.telegram.webhook.last_error is None


async def test_a_stopped_bot_leaves_the_webhook_and_hears_later_what_came_meanwhile(
    ada: Learner, talk: Talk, proxy: Proxy
) -> None:
    await talk.stop()
    hook = talk.telegram.webhook.hook
    assert hook is not None
    assert hook.url == proxy.hook.url
    await ada.sends("/help")
    assert ada.messages == []
    await talk.start()
    await talk.clock.advance(5)
    assert ada.hears[0].startswith("What I understand:")


async def test_back_to_polling_the_webhook_is_deleted_and_what_waits_is_kept(
    ada: Learner, talk: Talk
) -> None:
    await talk.stop()
    await ada.sends("/help")
    talk.settings = replace(talk.settings, webhook=None)
    await talk.start()
    assert ada.hears[0].startswith("What I understand:")
    assert talk.telegram.webhook.hook is None


async def test_a_webhook_that_was_taken_down_is_set_again_and_that_is_told(
    ada: Learner, talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    await talk.telegram.webhook.set(None)
    talk.telegram.updates.hand_over(to_webhook=True)  # or a test would wait for who fetches
    await talk.clock.advance(61)
    await ada.sends("/help")
    assert ada.hears[0].startswith("What I understand:")
    lines = [r.getMessage() for r in caplog.records if r.name == "bot.webhook"]
    assert lines == ["The webhook was changed or taken down by another; setting it again."]


async def test_a_webhook_that_telegram_refuses_is_a_sentence(tmp_path: Path) -> None:
    hook = Hook("http://127.0.0.1:1/hook", SECRET, free_address())
    with pytest.raises(StartError) as error:
        async with talking(tmp_path, webhook=hook):
            pass
    assert str(error.value) == (
        "Telegram refuses WEBHOOK_URL: Bad webhook: an https url must be provided for webhook."
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
async def test_a_port_that_is_taken_is_a_sentence(tmp_path: Path, proxy: Proxy, host: str) -> None:
    listen = free_address(host)
    blocker = await asyncio.start_server(lambda *_: None, listen.host, listen.port)
    async with blocker:
        with pytest.raises(StartError) as error:
            async with talking(
                tmp_path,
                webhook=replace(proxy.hook, listen=listen),
                prepare=takes_local_webhooks,
            ):
                pass
    assert str(error.value) == (
        f"WEBHOOK_LISTEN can't be used: nobody can listen at {listen} (Address already in use)."
    )


async def test_a_host_that_does_not_exist_is_a_sentence(tmp_path: Path, proxy: Proxy) -> None:
    hook = replace(proxy.hook, listen=Address("no such host", 8080))
    with pytest.raises(StartError, match="WEBHOOK_LISTEN can't be used: nobody can listen at no"):
        async with talking(tmp_path, webhook=hook, prepare=takes_local_webhooks):
            pass


async def test_a_bot_may_listen_by_ipv6(tmp_path: Path) -> None:
    listen = free_address("::1")
    hook = Hook(f"http://127.0.0.1:1{PATH}", SECRET, listen)
    async with talking(tmp_path, webhook=hook, prepare=takes_local_webhooks) as talk:
        assert await post(talk) == 200


# What is posted


async def test_an_update_is_stored_when_telegram_hears_200(talk: Talk) -> None:
    assert await post(talk) == 200
    assert sum(rows for _, rows in inbox(talk)) == 1


async def test_an_update_that_is_posted_twice_takes_effect_once(ada: Learner, talk: Talk) -> None:
    await ada.sends("/quiz capitals")
    await ada.votes("Paris")
    talk.telegram.repeat_last_update()
    await talk.settles()
    await talk.stop()
    await talk.start()
    talk.telegram.repeat_last_update()
    await talk.settles()
    await ada.sends("/stats")
    assert "Answers: 1\nRight answers: 1" in ada.hears[0]


async def test_a_crash_after_storing_and_before_answering_counts_a_vote_once(
    ada: Learner, talk: Talk, proxy: Proxy
) -> None:
    await ada.sends("/quiz capitals")
    proxy.passed.clear()
    proxy.loses_answers = True
    poll = ada.poll_message
    talk.telegram.vote(ada.person, ada.id, poll.id, [ada.options.index("Paris")])
    await proxy.passed.wait()
    await talk.crashes()
    proxy.loses_answers = False
    await talk.start()
    await talk.clock.advance(5)
    assert talk.telegram.updates.unconfirmed == []
    await ada.sends("/stats")
    assert "Answers: 1\nRight answers: 1" in ada.hears[0]


REFUSED: list[tuple[str, dict[str, Any], int]] = [
    ("no secret", {"headers": {SECRET_HEADER: None}}, 403),
    ("an empty secret", {"headers": {SECRET_HEADER: ""}}, 403),
    ("a wrong secret", {"headers": {SECRET_HEADER: "s3cret"}}, 403),
    ("a longer secret", {"headers": {SECRET_HEADER: SECRET + "x"}}, 403),
    ("a secret in other letters", {"headers": {SECRET_HEADER: "ſ3cret_-"}}, 403),
    ("another path", {"path": "/"}, 404),
    ("a longer path", {"path": "/hook/"}, 404),
    ("the health page", {"path": "/healthz", "method": "GET"}, 404),
    ("the figures", {"path": "/metrics", "method": "GET"}, 404),
    ("GET", {"method": "GET"}, 405),
    ("HEAD", {"method": "HEAD"}, 405),
    ("PUT", {"method": "PUT"}, 405),
    ("OPTIONS", {"method": "OPTIONS"}, 405),
    ("no body", {"body": b""}, 400),
    ("no JSON", {"body": b"{"}, 400),
    ("a form", {"body": b"update_id=1"}, 400),
    ("no UTF-8", {"body": b'{"update_id": 1, "message": "\xff"}'}, 400),
    ("an array", {"body": b"[]"}, 400),
    ("an array of updates", {"body": json.dumps([UPDATE]).encode()}, 400),
    ("a number", {"body": b"7"}, 400),
    ("no update_id", {"body": b'{"message": {}}'}, 400),
    ("an update_id that is a text", {"body": b'{"update_id": "7"}'}, 400),
    ("an update_id that is negative", {"body": b'{"update_id": -7}'}, 400),
    ("a body that is too large", {"body": b" " * (MIB + 1)}, 413),
    ("a body that unfolds", {"body": gzip.compress(b" " * (MIB + 1)), "zip": True}, 413),
]


@pytest.mark.parametrize(("what", "request_"), [pytest.param(*r[:2], id=r[0]) for r in REFUSED])
async def test_what_is_no_update_from_telegram_is_refused_and_leaves_no_trace(
    talk: Talk, what: str, request_: dict[str, Any]
) -> None:
    expected = next(status for name, _, status in REFUSED if name == what)
    headers = {SECRET_HEADER: SECRET} | request_.get("headers", {})
    headers = {name: value for name, value in headers.items() if value is not None}
    if request_.get("zip"):
        headers["Content-Encoding"] = "gzip"
    async with (
        aiohttp.ClientSession() as http,
        http.request(
            request_.get("method", "POST"),
            address(talk, request_.get("path", PATH)),
            data=io.BytesIO(request_.get("body", json.dumps(UPDATE).encode())),
            headers=headers,
        ) as answer,
    ):
        assert (answer.status, await answer.read()) == (expected, b"")
        assert "aiohttp" not in str(answer.headers)
    assert inbox(talk) == []


async def test_bytes_that_are_no_http_harm_nobody_and_are_not_logged(
    ada: Learner, talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    assert talk.settings.webhook is not None
    listen = talk.settings.webhook.listen
    for sent in (
        b"\x16\x03\x01\x02\x00\x01\x00",  # as TLS begins
        b"POST /hook HTTP/1.1\r\nX-Telegram-Bot-Api-Secret-Token: \xff\xfe\r\n"
        b"Content-Length: 2\r\n\r\n{}",
        b"POST /hook HTTP/9.9\r\n\r\n",
        b"POST /hook HTTP/1.1\r\nContent-Length: x\r\n\r\n",
    ):
        reader, writer = await asyncio.open_connection(listen.host, listen.port)
        writer.write(sent + b"\r\n\r\n")
        writer.write_eof()
        heard = await reader.read()
        assert heard == b"" or heard.split()[1] in (b"400", b"403")
        writer.close()
    await ada.sends("/help")
    assert len(ada.messages) == 1
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


async def test_the_largest_body_is_taken(talk: Talk) -> None:
    body = json.dumps(UPDATE).encode()
    assert await post(talk, body + b" " * (MIB - len(body))) == 200


@pytest.mark.parametrize("levels", [300, 900])
async def test_an_update_that_is_nested_deep_is_taken_and_blocks_nothing(
    ada: Learner, talk: Talk, levels: int
) -> None:
    body = json.dumps(UPDATE).replace('"/help"', "[" * levels + "]" * levels)
    assert await post(talk, body.encode()) == 200
    await ada.sends("/help")
    assert len(ada.messages) == 1


async def test_a_large_body_without_a_length_is_refused(talk: Talk) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield b" " * (MIB // 10)

    assert await post(talk, endless()) == 413
    assert inbox(talk) == []


async def test_an_update_that_cannot_be_read_is_set_aside_and_blocks_nothing(
    ada: Learner, talk: Talk
) -> None:
    talk.telegram.give({"poll_answer": {"user": ada.person.json, "option_ids": "?"}})
    await ada.sends("/help")
    assert ada.hears[0].startswith("What I understand:")
    assert talk.telegram.updates.unconfirmed == []


async def test_while_the_database_is_locked_telegram_is_told_to_come_again(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    with held(talk.settings.database_path):
        posting = asyncio.create_task(post(talk))
        while not posting.done():
            await talk.clock.advance(STORE_SECONDS / 10)
        assert await posting == 503
    assert "The database is too slow for an update; Telegram will post it again." in caplog.messages
    assert await post(talk) == 200
    await talk.settles()
    assert sum(rows for _, rows in inbox(talk)) == 1


# What is due after a start


@asynccontextmanager
async def a_round_that_was_cut_off(
    folder: Path, proxy: Proxy | None
) -> AsyncIterator[tuple[Talk, Learner]]:
    """A bot that crashed in a round's first question, and one of the two players."""
    hook = proxy.hook if proxy else None
    async with talking(folder, webhook=hook, prepare=takes_local_webhooks) as talk:
        ada, bob = talk.learner("Ada"), talk.learner("Bob")
        group = talk.telegram.add_group("Class", [ada.person, bob.person], supergroup=True)
        ada, bob = ada.within(group), bob.within(group)
        await ada.sends("/quiz capitals")
        await bob.taps("Join")
        await ada.taps("Start")
        ada.look()
        await talk.crashes()
        yield talk, ada


async def test_a_vote_that_was_cast_while_the_bot_was_down_counts_before_the_question_closes(
    tmp_path: Path, proxy: Proxy
) -> None:
    async with a_round_that_was_cut_off(tmp_path, proxy) as (talk, ada):
        proxy.fails_with = 502
        await ada.votes("Paris")
        await talk.clock.advance(27)  # Telegram has tried 1, 3, 7 and 15 s later, and will at 31
        await talk.start()
        await talk.clock.advance(3.5)
        assert ada.news == []
        proxy.fails_with = None
        await talk.clock.advance(3)
        (reveal,) = ada.news
        assert reveal.text.startswith("Right: Paris\n")
        assert "1 of 1 right" in reveal.text


@pytest.mark.parametrize("method", ["getWebhookInfo", "getUpdates"])
async def test_what_is_due_waits_ten_seconds_at_most(
    tmp_path: Path, proxy: Proxy, method: str
) -> None:
    posted = proxy if method == "getWebhookInfo" else None
    async with a_round_that_was_cut_off(tmp_path, posted) as (talk, _):
        await talk.clock.advance(31)
        hanging = talk.telegram.faults.hold(method)
        starting = asyncio.create_task(talk.start())
        await hanging.reached.wait()
        talk.telegram.updates.hand_over(to_webhook=True)  # nobody else is waited for
        await starting
        await talk.clock.advance(9.9)
        assert talk.telegram.calls("stopPoll") == []
        await talk.clock.advance(0.2)
        assert len(talk.telegram.calls("stopPoll")) == 1


# Telegram's side of it


async def test_posts_that_fail_before_the_bot_are_told_once_and_when_they_are_over(
    ada: Learner, talk: Talk, proxy: Proxy, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    proxy.fails_with = 502
    await talk.clock.advance(1)
    talk.telegram.send(ada.person, ada.id, "/help")
    await talk.clock.advance(140)
    assert talk.app is not None
    assert talk.app.intake.trouble() is not None
    proxy.fails_with = None
    await talk.clock.advance(120)
    assert talk.app.intake.trouble() is None
    assert ada.hears[0].startswith("What I understand:")
    assert [r.getMessage() for r in caplog.records if r.name == "bot.intake"] == [
        "Telegram can't post updates: Wrong response from the webhook: 502 Bad Gateway; "
        "trying again.",
        "Updates come in again.",
    ]
