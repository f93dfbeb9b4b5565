"""One run of the fault machine: people play amid trouble, then it is seen what is left of it."""

import asyncio
import random
import re
import signal
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from bot.app import App, build
from bot.clock import Clock, SystemClock
from bot.demo.chats import Message
from bot.demo.server import serve
from bot.demo.telegram import LocalTelegram
from bot.settings import Settings
from tests.clock import ManualClock
from tests.conversation import BANKS, TOKEN, Talk, sound_catalog
from tests.fault_players import PICTURE, Learner, Member, Player
from tests.fault_record import JumbledUpdates, Record, logged
from tests.fault_trouble import Trouble, ended
from tests.invariants import Verdict, check
from tests.process import BotProcess


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a run goes, in seconds of its own clock."""

    play: float
    """How long people play."""
    between_acts: float
    """On average, one person's."""
    between_faults: float
    downtimes: tuple[float, ...]
    """After a crash, one of these."""
    look_every: float
    """How often it is looked whether it is time for a crash; 0: in each turn of the event loop."""


IN_PROCESS = Pace(40.0, 1.2, 1.5, (0, 0, 0.3, 1, 3, 8, 15), 0)
WITH_PROCESS = Pace(9.0, 0.3, 0.5, (0, 0, 0.2, 1), 0.001)

TOO_LATE_SECONDS = 25.0
"""Longer than the bot waits for an answer."""

TURNS_OF_A_START = 4000
SECONDS_OF_A_START = 1.5
"""About what a start takes, in turns of the event loop and with the real process."""

QUIET_SECONDS = 45.0
"""Of the machine's clock, after which a process that still has something to do counts as stuck."""


@dataclass(slots=True)
class Result:
    """What a run came to."""

    verdict: Verdict = field(default_factory=Verdict)
    crashes: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    updates: int = 0


class Bot(Protocol):
    """A bot that can be crashed, however it runs."""

    async def starts(self) -> None:
        """Start on what an earlier one left."""

    async def crashes(self) -> None:
        """End it in the middle of whatever it does."""

    async def starts_in_vain(self, share: float) -> None:
        """Crash it when a share of its start, from 0 to 1, is over."""

    async def plays(self, seconds: float) -> None:
        """Let so much time pass."""

    async def rests(self, seconds: float) -> None:
        """Return when all is done that can be done within so much time of the bot's clock."""


class Machine(Talk):
    """A bot in this process, on a clock of its own."""

    def __init__(
        self, telegram: LocalTelegram, clock: ManualClock, settings: Settings, seed: int
    ) -> None:
        super().__init__(telegram, clock, settings, sound_catalog(BANKS / "talk"))
        self._dice = random.Random(f"{seed} shuffling")

    async def starts(self) -> None:
        shuffling = random.Random(self._dice.random())
        self.app = await build(self.settings, self.catalog, self.clock, shuffling)
        await self.settles()

    async def starts_in_vain(self, share: float) -> None:
        starting = asyncio.create_task(self.starts())
        for _ in range(int(share * TURNS_OF_A_START)):
            await asyncio.sleep(0)
        await ended(starting)
        if self.app is not None:
            await self.crashes()

    async def plays(self, seconds: float) -> None:
        await self.clock.advance(seconds)

    async def rests(self, seconds: float) -> None:
        await self.clock.advance(seconds)

    def _is_settled(self, app: App | None) -> bool:
        """Also where a fault keeps back the answer to the call for updates."""
        if app is None:
            return True
        app.raise_what_broke()
        taken = self.telegram.updates.is_quiet or app.intake.backing_off
        return app.activity.count + (not taken) <= self.telegram.held


class Process(BotProcess):
    """The real process, on the machine's clock."""

    database: Path

    async def starts(self) -> None:
        await self.start()

    async def crashes(self) -> None:
        await self.kill()

    async def starts_in_vain(self, share: float) -> None:
        await self.launch()
        await asyncio.sleep(share * SECONDS_OF_A_START)
        await self.kill()

    async def plays(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def rests(self, seconds: float) -> None:
        async with asyncio.timeout(QUIET_SECONDS):
            await _until_any(self._is_at_rest, look_every=0.02)

    def _is_at_rest(self) -> bool:
        updates = self.telegram.updates
        assert isinstance(updates, JumbledUpdates)
        return updates.is_quiet and not updates.holds_back and self._has_nothing_to_do()

    def _has_nothing_to_do(self) -> bool:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as raw:
            (left,) = raw.execute(
                "SELECT (SELECT count(*) FROM inbox WHERE state IN ('waiting', 'deferred'))"
                " + (SELECT count(*) FROM outbox WHERE state != 'doubtful')"
            ).fetchone()
        return bool(left == 0)


@dataclass(slots=True)
class Run:
    """What belongs to one run."""

    bot: Bot
    telegram: LocalTelegram
    record: Record
    trouble: Trouble
    dice: random.Random
    learners: list[Learner]
    members: list[Member]


async def run_in_process(seed: int, folder: Path) -> Result:
    """Play by this seed. Raises TimeoutError when the bot hangs."""
    clock = ManualClock()
    database = folder / "bot.sqlite3"
    async with _set_up(seed, clock, database, TOO_LATE_SECONDS) as (run, url):
        settings = Settings(
            bot_token=TOKEN,
            bot_api_url=url,
            database_path=database,
            messages_per_second=0,
            seconds_per_question=5,
            pause_seconds=0.5,
        )
        run.bot = machine = Machine(run.telegram, clock, settings, seed)
        with logged() as tracebacks:
            try:
                await _play_with_crashes(run, IN_PROCESS)
                told, stuck = await _calm_down(run)
                await machine.stop()
            finally:
                run.telegram.faults.clear()
                if machine.app is not None:
                    await machine.crashes()
        return _result(run, database, told, [*stuck, *(("traceback", one) for one in tracebacks)])


async def run_with_process(seed: int, folder: Path) -> Result:
    """Play by this seed, with the real command and `kill -9`."""
    database = folder / "data" / "quiz-tutor.sqlite3"
    async with _set_up(seed, SystemClock(), database, 2.0) as (run, url):
        run.bot = process = Process(
            run.telegram, url, folder, SECONDS_PER_QUESTION="5", PAUSE_SECONDS="0.5"
        )
        process.database = database
        try:
            await _play_with_crashes(run, WITH_PROCESS)
            told, stuck = await _calm_down(run)
            end = await process.ends_by(signal.SIGTERM)
        finally:
            run.telegram.faults.clear()
            await process.close()
        if end.code or "Traceback" in process.log:
            stuck.append(("traceback", process.log))
        return _result(run, database, told, stuck)


@asynccontextmanager
async def _set_up(
    seed: int, clock: Clock, database: Path, most_seconds: float
) -> AsyncIterator[tuple[Run, str]]:
    """A local Telegram with people in private chats, in a group and in two topics of a forum."""
    dice = random.Random(seed)
    telegram = LocalTelegram(clock, token=TOKEN, random=random.Random(7))
    telegram.updates = updates = JumbledUpdates(clock, random.Random(f"{seed} updates"))
    telegram.poll_updates = dice.choice(["before answers", "before answers", "after answers"])
    people = [telegram.add_person(f"P{i}", language_code="en") for i in range(6)]
    group = telegram.add_group("Group", people[1:4], supergroup=True)
    forum = telegram.add_group("Forum", people[3:6], forum=True)
    record = Record(telegram, updates, database)
    async with serve(telegram) as server:
        try:
            run = Run(
                bot=None,  # type: ignore[arg-type]  # whoever asked sets it
                telegram=telegram,
                record=record,
                trouble=Trouble(telegram, updates, random.Random(f"{seed} trouble"), most_seconds),
                dice=dice,
                learners=[
                    Learner(telegram, one, telegram.chat(one.id), random.Random(f"{seed} {one.id}"))
                    for one in people[:3]
                ],
                members=[
                    Member(telegram, one, chat, random.Random(f"{seed} {place} {one.id}"), thread)
                    for place, (chat, thread, some) in enumerate(
                        [
                            (group, None, people[1:4]),
                            (forum, None, people[3:5]),
                            (forum, 7, people[4:]),
                        ]
                    )
                    for one in some
                ],
            )
            yield run, server.url
        finally:
            record.close()


def _result(
    run: Run, database: Path, told: dict[int, tuple[int, int]], wrong: list[tuple[str, str]]
) -> Result:
    verdict = check(run.record, database, told)
    verdict.wrong = wrong + verdict.wrong
    return Result(
        verdict, len(run.record.crashes), run.trouble.met(), len(run.record.arrivals.came)
    )


async def _play_with_crashes(run: Run, pace: Pace) -> None:
    """Everybody plays, with trouble and crashes."""
    await run.bot.starts()
    run.record.bot_runs = True
    end = run.telegram.clock.monotonic() + pace.play
    players: list[Player] = [*run.learners, *run.members]
    acting = [asyncio.create_task(one.live(pace.between_acts)) for one in players]
    acting.append(asyncio.create_task(run.trouble.go_on(pace.between_faults)))
    try:
        for _ in range(run.dice.choice([1, 2, 3])):
            if not await _plays_until_a_crash(run, end, pace.look_every):
                break
            run.record.crashes.append(len(run.telegram.requests))
            run.record.bot_runs = False
            await run.bot.crashes()
            await run.bot.plays(run.dice.choice(pace.downtimes))
            if run.dice.random() < 0.25:
                run.record.crashes.append(len(run.telegram.requests))
                await run.bot.starts_in_vain(run.dice.random())
            await run.bot.starts()
            run.record.bot_runs = True
        await run.bot.plays(max(0, end - run.telegram.clock.monotonic()))
    finally:
        await ended(*acting)


async def _plays_until_a_crash(run: Run, end: float, look_every: float) -> bool:
    """Play until some call of the Bot API, then some commit, then some turn of the event loop.

    Whether that came about in time.
    """
    call = len(run.telegram.requests) + run.dice.randrange(20, 120)
    commits = run.dice.choice([0, 0, 1, 1, 2, 3])
    turns = run.dice.choice([0, 1, 2, 4, 8])
    left = max(0, end - run.telegram.clock.monotonic())

    def came_call() -> bool:
        return len(run.telegram.requests) >= call

    passing = asyncio.create_task(run.bot.plays(left))
    await _until_any(passing.done, came_call, look_every=look_every)
    for _ in range(commits):
        await _until_any(passing.done, run.record.next_commit(), look_every=look_every)
    for _ in range(turns):
        await asyncio.sleep(0)
    came = not passing.done()
    await ended(passing)
    return came


async def _until_any(*conditions: Callable[[], bool], look_every: float) -> None:
    while True:
        if any(is_so() for is_so in conditions):
            return
        await asyncio.sleep(look_every)


async def _calm_down(run: Run) -> tuple[dict[int, tuple[int, int]], list[tuple[str, str]]]:
    """Without further trouble everybody can go on. What /stats says to each, and who can't."""
    run.telegram.faults.clear()
    run.record.arrivals.late_share = 0
    await run.bot.rests(120)
    told: dict[int, tuple[int, int]] = {}
    stuck: list[tuple[str, str]] = []
    for learner in run.learners:
        run.telegram.unblock(learner.person)
        await run.bot.rests(0)
        offered = next((one for one in learner.seen() if _is_offer(learner, one)), None)
        for what in (offered, "/language en", "/quiz capitals", "/stop", "/stats"):
            if what and not await _is_answered(run, learner, what):
                stuck.append(
                    ("stuck", f"{learner.person.first_name} hears nothing: {_named(what)}")
                )
        told[learner.person.id] = _numbers(learner.seen()[0].text)
    for member in run.members:
        for text in ("/stop", "/quiz capitals", "/stop"):
            if not await _is_answered(run, member, text):
                stuck.append(("stuck", f"{member.person.first_name} hears nothing: {text}"))
    await run.bot.rests(30)
    return told, stuck


async def _is_answered(run: Run, player: Player, what: str | Message) -> bool:
    """Let somebody do something; whether it leads to something that they see."""

    def heard() -> int:
        alerts = sum(one.answer is not None for one in run.telegram.callbacks.values())
        return alerts + len(player.seen(everything=True))

    before = heard()
    if isinstance(what, str):
        player.writes(what)
    elif what.poll is None:
        player.presses(what)
    else:
        player.votes(what)
    await run.bot.rests(5)
    return heard() > before


def _named(what: str | Message) -> str:
    if isinstance(what, str):
        return what
    return f"message {what.id}, {what.json['poll']['question'] if what.poll else what.text}"


def _is_offer(learner: Learner, message: Message) -> bool:
    """Whether there is something to vote for or to press."""
    if message.poll:
        return not message.poll.is_closed and learner.person.id not in message.poll.votes
    keys = message.keyboard
    return bool(keys and keys[0][0].get("callback_data", PICTURE) != PICTURE)


def _numbers(text: str) -> tuple[int, int]:
    """Of all time, answers and right ones, as /stats says."""
    answers = re.findall(r"^Answers: (\d+)", text, re.MULTILINE)
    rights = re.findall(r"^Right answers: (\d+)", text, re.MULTILINE)
    return (int(answers[-1]), int(rights[-1])) if answers else (0, 0)
