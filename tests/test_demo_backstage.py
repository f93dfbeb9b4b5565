"""Behind the demo's chats: trouble for the bot's calls, what comes of them, kills and restarts."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.demo.authoring import Edition, read
from bot.demo.backstage import Backstage
from bot.demo.chats import Person
from bot.demo.restarts import RestartableBot
from bot.demo.server import make_application, serve
from bot.demo.telegram import LocalTelegram
from bot.settings import Settings
from quizzes.catalog import Fault
from tests.clock import ManualClock
from tests.conversation import BANKS

TOKEN = "4242:behind-the-chats"


@dataclass(slots=True)
class Demo:
    """A bot that can be killed, and somebody who talks to it."""

    clock: ManualClock
    telegram: LocalTelegram
    backstage: Backstage
    bot: RestartableBot
    edition: Edition
    ada: Person
    told: list[dict[str, Any]]

    async def says(self, text: str) -> None:
        """Ada writes; returns when the bot has said something new."""
        before = len(self.heard)
        self.telegram.send(self.ada, self.ada.id, text)
        await until(lambda: len(self.heard) > before)

    @property
    def heard(self) -> list[str]:
        """What the bot has said to Ada."""
        messages = self.telegram.chat(self.ada.id).messages
        return [
            each.poll.question.plain if each.poll else each.text
            for each in messages
            if each.sender.is_bot
        ]

    def makes(self, kind: str, method: str, *, every: bool = False) -> None:
        self.backstage.do({"do": "trouble", "kind": kind, "method": method, "every": every})

    def calls(self, method: str) -> list[tuple[str, str, str]]:
        """The chat, the outcome and the words of each call of a method."""
        return [
            (call.chat, call.outcome, call.detail)
            for call in self.backstage.log.calls
            if call.method == method
        ]

    async def waits(self, holds: Callable[[], bool]) -> None:
        """Let time pass until something holds."""
        async with asyncio.timeout(30):
            while not holds():
                await self.clock.advance(0.1)
                await asyncio.sleep(0)

    async def called(self, method: str, times: int) -> list[tuple[str, str, str]]:
        """The same, when there are so many."""
        await until(lambda: len(self.calls(method)) >= times)
        return self.calls(method)


async def until(holds: Callable[[], bool]) -> None:
    """Return when something holds, which needs no more than that others get their turn."""
    async with asyncio.timeout(30):
        held = holds()
        while not held:
            await asyncio.sleep(0)
            held = holds()


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[Demo]:
    clock = ManualClock()
    telegram = LocalTelegram(clock, token=TOKEN, random=random.Random(1))
    backstage = Backstage(telegram)
    application = make_application(telegram)
    application.middlewares.append(backstage.log.watch)
    edition = read(str(BANKS / "talk" / "capitals"))
    stopping = asyncio.Event()
    told: list[dict[str, Any]] = []
    backstage.on_change(told.append)
    async with serve(telegram, application=application) as server:
        settings = Settings(
            bot_token=TOKEN,
            bot_api_url=server.url,
            database_path=folder / "demo.sqlite3",
            messages_per_second=0,
        )
        bot = RestartableBot(settings, clock, edition.catalog, backstage.tell_state)
        backstage.take(bot)
        running = asyncio.create_task(bot.run(stopping))
        ada = telegram.add_person("Ada", language_code="en")
        try:
            yield Demo(clock, telegram, backstage, bot, edition, ada, told)
        finally:
            stopping.set()
            await asyncio.wait_for(running, 5)


@pytest.fixture
async def demo(tmp_path: Path) -> AsyncIterator[Demo]:
    async with playing(tmp_path) as started:
        await until(lambda: started.bot.state == "running")
        yield started


async def test_what_is_said_to_a_killed_bot_is_answered_after_its_start(demo: Demo) -> None:
    demo.backstage.do({"do": "kill"})
    await until(lambda: demo.bot.state == "off")
    demo.telegram.send(demo.ada, demo.ada.id, "/quiz capitals")
    assert demo.heard == []
    demo.backstage.do({"do": "restart"})
    await until(lambda: "What is the capital of France?" in demo.heard)
    assert demo.bot.state == "running"


@pytest.mark.parametrize("orders", [["restart"], ["kill", "restart"]])
async def test_an_attempt_goes_on_after_a_restart_and_after_a_kill(
    demo: Demo, orders: list[str]
) -> None:
    await demo.says("/quiz capitals")
    await until(lambda: "What is the capital of France?" in demo.heard)
    poll = demo.telegram.chat(demo.ada.id).messages[-1]
    for order in orders:
        demo.told.clear()
        demo.backstage.do({"do": order})
        settled = "off" if order == "kill" else "running"
        await until(lambda: settled in [each.get("state") for each in demo.told])  # noqa: B023
    demo.telegram.vote(demo.ada, demo.ada.id, poll.id, [0])
    await until(lambda: demo.heard[-1].startswith(("✅", "❌")))


async def test_a_bot_that_is_killed_while_it_starts_is_off(tmp_path: Path) -> None:
    async with playing(tmp_path) as demo:
        demo.backstage.do({"do": "kill"})
        await until(lambda: demo.bot.state == "off")
        demo.backstage.do({"do": "restart"})
        await until(lambda: demo.bot.state == "running")


async def test_a_new_edition_is_played_at_once_and_a_broken_one_is_not(demo: Demo) -> None:
    both = read(str(BANKS / "talk"))
    broken = Edition(demo.edition.catalog, (Fault("x/quiz.yaml", 7, "is wrong"),))
    demo.backstage.take_edition("x", broken)
    assert demo.told[-1]["report"]["faults"] == [
        {"place": "x/quiz.yaml:7", "message": "is wrong", "severity": "fault"}
    ]
    await demo.says("/quiz odd-forms")
    assert "Unusual questions." not in " ".join(demo.heard)
    demo.told.clear()
    demo.backstage.take_edition("x", both)
    await until(lambda: "running" in [each.get("state") for each in demo.told])
    assert demo.told[-1]["report"]["kind"] == "reloaded"
    before = len(demo.heard)
    await demo.says("/quiz odd-forms")
    quiz = both.catalog.quiz("odd-forms", "en", None)
    assert quiz is not None
    assert demo.heard[before].startswith(quiz.title)


async def test_a_refused_call_is_listed_and_so_is_its_repetition(demo: Demo) -> None:
    demo.makes("refuse", "sendMessage")
    assert demo.told[-1]["trouble"] == ["The next sendMessage: refused (429, retry after 3 s)"]
    demo.telegram.send(demo.ada, demo.ada.id, "/help")
    await demo.called("sendMessage", 1)
    assert demo.told[-1]["trouble"] == []
    assert demo.heard == []
    await demo.waits(lambda: len(demo.heard) == 1)
    assert await demo.called("sendMessage", 2) == [
        ("Ada", "refused", "429 Too Many Requests: retry after 3"),
        ("Ada", "done", "done"),
    ]


async def test_a_lost_answer_is_listed_as_lost(demo: Demo) -> None:
    demo.makes("drop", "sendMessage")
    await demo.says("/help")
    [lost] = (await demo.called("sendMessage", 1))[:1]
    assert lost == ("Ada", "lost", "carried out, but the answer was lost")


async def test_a_late_answer_is_listed_when_it_comes(demo: Demo) -> None:
    demo.makes("delay", "sendMessage")
    await demo.says("/help")
    await until(lambda: demo.telegram.held == 1)
    assert demo.calls("sendMessage") == []
    await demo.clock.advance(3)
    assert await demo.called("sendMessage", 1) == [
        ("Ada", "late", "carried out, answered after 3.0 s")
    ]


async def test_trouble_lasts_until_it_is_cleared_where_it_strikes_every_call(demo: Demo) -> None:
    demo.makes("drop", "*", every=True)
    await demo.says("/help")
    assert demo.told[-1]["trouble"] == ["Every call: carried out, but the answer is lost"]
    demo.backstage.do({"do": "calm"})
    assert demo.told[-1]["trouble"] == []
    await demo.waits(lambda: len(demo.heard) == 2)
    assert (await demo.called("sendMessage", 2))[-1] == ("Ada", "done", "done")


@pytest.mark.parametrize(
    "asked",
    [
        {"do": "trouble", "kind": "drop", "method": "getUpdates", "every": True},
        {"do": "trouble", "kind": "explode", "method": "*", "every": True},
        {"do": "dance"},
    ],
)
async def test_what_the_panel_does_not_offer_is_refused(demo: Demo, asked: dict[str, Any]) -> None:
    with pytest.raises(KeyError):
        demo.backstage.do(asked)


async def test_a_call_that_is_no_text_is_refused_and_listed() -> None:
    telegram = LocalTelegram(ManualClock(), token=TOKEN, random=random.Random(1))
    log = Backstage(telegram).log
    application = make_application(telegram)
    application.middlewares.append(log.watch)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    async with serve(telegram, application=application) as server, aiohttp.ClientSession() as http:
        url = f"{server.url}/bot{TOKEN}/sendMessage"
        async with http.post(url, data=b"text=\xff", headers=form) as response:
            assert response.status == 400
    assert [(call.outcome, call.detail) for call in log.calls] == [
        ("refused", "400 Bad Request: strings must be encoded in UTF-8")
    ]


async def test_setting_up_and_asking_for_updates_is_not_listed(demo: Demo) -> None:
    await demo.says("/help")
    listed = {call.method for call in demo.backstage.log.calls}
    assert listed <= {"getMe", "deleteWebhook", "sendMessage"}
