"""The local Telegram's webhook: what may be set, and how updates are posted to it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import telegram
from aiohttp import web

from bot.demo.flood import FloodLimits
from bot.demo.server import serve
from tests.local_telegram import TOKEN, Bench, serving

ANN, BOB = 7, 8
HTTPS = "https://bot.example.org/hook"


class Ear:
    """A bot that is posted to; it refuses updates with the statuses that a test gives it."""

    def __init__(self) -> None:
        self.url = ""
        self.heard: list[str] = []
        """The text or the kind of each update that came, refused or not."""
        self.secrets: list[str | None] = []
        self.content_types: list[str] = []
        self.refuses: dict[str, list[int]] = {}
        """By the text or kind of an update: the statuses of the first answers to it."""
        self.headers: dict[str, str] = {}
        self.came = asyncio.Event()
        self.answers: Callable[[], Any] | None = None
        """Waited for before each answer."""

    async def hear(self, request: web.Request) -> web.Response:
        update = await request.json()
        name = update.get("message", {}).get("text") or next(k for k in update if k != "update_id")
        self.heard.append(name)
        self.secrets.append(request.headers.get("X-Telegram-Bot-Api-Secret-Token"))
        self.content_types.append(request.content_type)
        self.came.set()
        if self.answers is not None:
            await self.answers()
        statuses = self.refuses.get(name)
        return web.Response(status=statuses.pop(0) if statuses else 200, headers=self.headers)

    async def hears(self, times: int) -> None:
        """Return when so many posts have come."""
        while len(self.heard) < times:
            self.came.clear()
            await self.came.wait()


@asynccontextmanager
async def listening() -> AsyncIterator[Ear]:
    ear = Ear()
    application = web.Application()
    application.router.add_post("/hook", ear.hear)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    ear.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    try:
        yield ear
    finally:
        await runner.cleanup()


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with serving(local_webhooks=True) as bench:
        for person_id, name in ((ANN, "Ann"), (BOB, "Bob")):
            bench.telegram.add_person(name, id=person_id)
        yield bench


@pytest.fixture
async def ear(bench: Bench) -> AsyncIterator[Ear]:
    """Listens while the local Telegram runs, and a little longer than it posts."""
    async with listening() as ear:
        yield ear
        await bench.telegram.webhook.close()


def write(bench: Bench, *texts: str, who: int = ANN) -> None:
    for text in texts:
        bench.telegram.send(bench.telegram.people[who], who, text)


async def retries(bench: Bench, ear: Ear, seconds: float) -> bool:
    """Whether a post comes exactly then, and not before."""
    before = len(ear.heard)
    await bench.telegram.webhook.backs_off()
    await bench.clock.advance(seconds - 0.1)
    await bench.call("getMe")
    assert len(ear.heard) == before
    await bench.clock.advance(0.1)
    await ear.hears(before + 1)
    return True


@pytest.mark.parametrize(
    ("parameters", "description"),
    [
        (
            {"url": "http://bot.example.org/"},
            "bad webhook: An HTTPS URL must be provided for webhook",
        ),
        (
            {"url": "https://bot.example.org:8080/"},
            "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443",
        ),
        ({"url": "https://"}, "invalid webhook URL specified"),
        ({"url": "https://a.io:port/"}, "invalid webhook URL specified"),
        ({"url": "nowhere"}, "invalid webhook URL specified"),
        ({"url": HTTPS, "secret_token": "x" * 257}, "secret token is too long"),
        ({"url": HTTPS, "secret_token": "x y"}, "secret token contains unallowed characters"),
    ],
)
async def test_a_webhook_that_telegram_would_not_set_is_refused(
    bench: Bench, parameters: dict[str, Any], description: str
) -> None:
    refusal = await bench.refusal("setWebhook", **parameters)
    assert refusal == (400, f"Bad Request: {description}")
    assert (await bench.call("getWebhookInfo"))["url"] == ""


async def test_plain_http_on_this_machine_is_refused_unless_it_is_allowed() -> None:
    async with serving() as bench:
        refusal = await bench.refusal("setWebhook", url="http://127.0.0.1:9/hook")
    assert refusal[1].endswith("An HTTPS URL must be provided for webhook")


@pytest.mark.parametrize("port", ["", ":80", ":88", ":443", ":8443"])
async def test_a_webhook_is_set_and_deleted_and_says_so(bench: Bench, port: str) -> None:
    url = f"https://bot.example.org{port}/hook"
    told = [
        (await bench.ask(method, **parameters)).body["description"]
        for method, parameters in (
            ("setWebhook", {"url": url, "secret_token": "A_z-9" * 51}),
            ("setWebhook", {"url": url, "secret_token": "A_z-9" * 51}),
            ("setWebhook", {"url": url, "max_connections": 1000}),
            ("deleteWebhook", {}),
            ("setWebhook", {"url": ""}),
        )
    ]
    assert told == [
        "Webhook was set",
        "Webhook is already set",
        "Webhook was set",
        "Webhook was deleted",
        "Webhook is already deleted",
    ]


async def test_the_webhook_can_be_asked_about(bench: Bench) -> None:
    await bench.call(
        "setWebhook", url=HTTPS, max_connections=1000, allowed_updates=["poll", "message"]
    )
    async with telegram.Bot(TOKEN, base_url=f"{bench.url}/bot") as bot:
        info = await bot.get_webhook_info()
    assert (info.url, info.max_connections, info.allowed_updates) == (
        HTTPS,
        100,
        ("message", "poll"),
    )


async def test_the_webhook_changes_once_a_second_at_most() -> None:
    async with serving(flood=FloodLimits()) as bench:
        await bench.call("setWebhook", url=HTTPS)
        assert (await bench.ask("setWebhook", url=f"{HTTPS}/2")).headers["Retry-After"] == "1"
        await bench.clock.advance(1)
        await bench.call("setWebhook", url=f"{HTTPS}/2")


async def test_while_a_webhook_is_set_no_updates_can_be_fetched(bench: Bench) -> None:
    waiting = asyncio.create_task(bench.refusal("getUpdates", timeout=50))
    await bench.telegram.idle()
    await bench.call("setWebhook", url=HTTPS)
    assert await waiting == (409, "Conflict: terminated by setWebhook request")
    assert await bench.refusal("getUpdates") == (
        409,
        "Conflict: can't use getUpdates method while webhook is active; "
        "use deleteWebhook to delete the webhook first",
    )
    await bench.call("deleteWebhook")
    assert await bench.updates() == []


async def test_updates_are_posted_with_the_secret_the_waiting_ones_first(
    bench: Bench, ear: Ear
) -> None:
    write(bench, "a")
    await bench.call("setWebhook", url=ear.url, secret_token="s3cret")
    write(bench, "b", "c")
    await bench.telegram.idle()
    assert ear.heard == ["a", "b", "c"]
    assert set(ear.secrets) == {"s3cret"}
    assert set(ear.content_types) == {"application/json"}
    assert (await bench.call("getWebhookInfo"))["pending_update_count"] == 0


async def test_without_a_secret_no_header_is_sent_and_waiting_updates_can_be_dropped(
    bench: Bench, ear: Ear
) -> None:
    write(bench, "a")
    await bench.call("setWebhook", url=ear.url, drop_pending_updates=True)
    write(bench, "b")
    await bench.telegram.idle()
    assert (ear.heard, ear.secrets) == (["b"], [None])


async def test_only_the_kinds_that_were_asked_for_are_posted(bench: Bench, ear: Ear) -> None:
    await bench.call("setWebhook", url=ear.url, allowed_updates=["my_chat_member"])
    write(bench, "a")
    bench.telegram.block(bench.telegram.people[ANN])
    await bench.telegram.idle()
    assert ear.heard == ["my_chat_member"]


async def test_a_refused_update_is_posted_again_after_twice_as_long_each_time_and_keeps_its_place(
    bench: Bench, ear: Ear
) -> None:
    ear.refuses["a"] = [302, 404, 429] + [500] * 5
    await bench.call("setWebhook", url=ear.url)
    write(bench, "a", "b")
    await ear.hears(1)
    for seconds in (1, 2, 4, 8, 16, 32, 60, 60):
        assert await retries(bench, ear, seconds)
    await bench.telegram.idle()
    assert ear.heard == ["a"] * 9 + ["b"]
    info = await bench.call("getWebhookInfo")
    assert (
        info["last_error_message"] == "Wrong response from the webhook: 500 Internal Server Error"
    )


async def test_a_bot_may_say_how_long_to_wait(bench: Bench, ear: Ear) -> None:
    ear.refuses["a"], ear.headers = [503, 503], {"Retry-After": "90"}
    await bench.call("setWebhook", url=ear.url)
    write(bench, "a")
    await ear.hears(1)
    assert await retries(bench, ear, 90)
    ear.headers = {"Retry-After": "99999"}
    ear.refuses["a"] = [503]
    assert await retries(bench, ear, 90)
    assert await retries(bench, ear, 3600)


async def test_one_chat_does_not_wait_for_another_nor_a_vote_for_a_message(
    bench: Bench, ear: Ear
) -> None:
    ear.refuses["a"] = [500]
    await bench.call("setWebhook", url=ear.url)
    write(bench, "a", "b")
    write(bench, "c", who=BOB)
    quiz = await bench.quiz(ANN)
    bench.telegram.vote(bench.telegram.people[ANN], ANN, quiz["message_id"], [1])
    bench.telegram.tap(bench.telegram.people[ANN], ANN, quiz["message_id"], "go")
    await ear.hears(5)
    assert sorted(ear.heard) == ["a", "c", "callback_query", "poll", "poll_answer"]
    assert ear.heard.index("poll") < ear.heard.index("poll_answer")
    assert await retries(bench, ear, 1)
    await bench.telegram.idle()
    assert ear.heard[5:] == ["a", "b"]


async def test_no_more_posts_are_under_way_than_the_bot_wants(bench: Bench, ear: Ear) -> None:
    gate = asyncio.Event()
    ear.answers = gate.wait
    await bench.call("setWebhook", url=ear.url, max_connections=2)
    for number in range(4):
        person = bench.telegram.add_person(f"P{number}")
        bench.telegram.send(person, person.id, "x")
    await ear.hears(2)
    await bench.call("getMe")
    assert len(ear.heard) == 2
    gate.set()
    await bench.telegram.idle()
    assert len(ear.heard) == 4


async def test_an_answer_that_does_not_come_within_a_minute_counts_as_none(
    bench: Bench, ear: Ear
) -> None:
    gate = asyncio.Event()
    ear.answers = gate.wait
    await bench.call("setWebhook", url=ear.url)
    write(bench, "a")
    await ear.hears(1)
    await bench.clock.advance(60)
    gate.set()
    assert await retries(bench, ear, 1)
    await bench.telegram.idle()
    info = await bench.call("getWebhookInfo")
    assert (ear.heard, info["last_error_message"]) == (["a", "a"], "Read timeout expired")


async def test_what_nobody_took_is_posted_when_the_bot_is_there_again(bench: Bench) -> None:
    async with listening() as ear:
        url = ear.url
    await bench.call("setWebhook", url=url)
    write(bench, "a")
    await bench.telegram.webhook.backs_off()
    info = await bench.call("getWebhookInfo")
    assert (info["pending_update_count"], info["last_error_message"]) == (1, "Connection refused")
    async with listening() as ear:
        await bench.call("setWebhook", url=ear.url)
        await bench.telegram.idle()
        await bench.telegram.webhook.close()
        assert ear.heard == ["a"]


async def test_an_update_that_is_too_old_is_not_posted_any_more(bench: Bench, ear: Ear) -> None:
    ear.refuses["callback_query"] = [500]
    ear.headers = {"Retry-After": "151"}
    await bench.call("setWebhook", url=ear.url, allowed_updates=["callback_query"])
    write(bench, "a")
    bench.telegram.tap(bench.telegram.people[ANN], ANN, 1, "go")
    await bench.telegram.webhook.backs_off()
    await bench.clock.advance(151)
    await bench.telegram.idle()
    assert ear.heard == ["callback_query"]


async def test_a_server_that_stopped_goes_on_posting_when_it_serves_again(
    bench: Bench, ear: Ear
) -> None:
    await bench.call("setWebhook", url=ear.url)
    await bench.telegram.webhook.close()
    write(bench, "a")
    async with serve(bench.telegram):
        await bench.telegram.idle()
    assert ear.heard == ["a"]


async def test_odd_updates_are_posted_too(bench: Bench, ear: Ear) -> None:
    bench.telegram.left_out = frozenset({"secret"})
    await bench.call("setWebhook", url=ear.url)
    bench.telegram.give({"poll": 1})
    bench.telegram.give({"dream": {"chat": None, "secret": 1}})
    bench.telegram.give({"callback_query": {}})
    await bench.telegram.idle()
    assert sorted(ear.heard) == ["callback_query", "dream", "poll"]
