"""Whether learners wait while reminders drain.

Thousands of reminders fall due in one moment, more than Telegram's limits let out in minutes.
Meanwhile 5 people a second answer, and 50 groups play rounds: at most 16.7 messages a second. The
local Telegram keeps its flood limits and says 429 to whoever sends faster.

A round's reveal is late by what lies between its question's time being over and the reveal, less
the second that the bot leaves to votes under way where Telegram has closed the poll by itself. For
comparison: how long each of the same answers would wait at the same rate in one queue, behind
all that was decided before it.
"""

import asyncio
import random
import sqlite3
import tempfile
from collections import deque
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from itertools import cycle
from pathlib import Path
from time import monotonic

from bot.clock import SystemClock
from bot.demo.chats import Change, Chat, Message, Person
from bot.demo.flood import FloodGuard, FloodLimits
from bot.demo.refusals import RefusedError
from bot.demo.server import serve
from bot.demo.telegram import LocalTelegram
from bot.handlers.questions import UNCOUNTED_VOTES
from bot.handlers.reminders import REMIND
from quizzes.attempt import QuestionRef
from quizzes.schedule import review
from storage.schema import migrate
from storage.store import Store
from tests.bench.banks import write_long_quiz
from tests.bench.crowd import FIRST_LEARNER
from tests.bench.report import Report, at_share, machine
from tests.process import TOKEN, BotProcess

REMINDERS, ROUNDS, SECONDS = 20_000, 50, 60.0
SMALL_REMINDERS, SMALL_ROUNDS, SMALL_SECONDS = 1000, 3, 6.0

LEARNERS, SMALL_LEARNERS = 40, 10
ANSWERS_PER_SECOND = 5.0
SECONDS_PER_QUESTION, SMALL_SECONDS_PER_QUESTION = 10, 5
PAUSE_SECONDS = 5
SECONDS_TO_BEGIN = 0.15
"""Between one quiz or round and the next: all begin within a question's time and its pause."""

WARM_SECONDS = 3.0
GOAL_MS = 250
GOAL_REFUSED = 0


class CountingGuard(FloodGuard):
    """Flood limits that count what they let through and what they refuse."""

    admitted = 0
    refused = 0

    def admit(self, chat: Chat) -> None:
        try:
            super().admit(chat)
        except RefusedError:
            self.refused += 1
            raise
        self.admitted += 1


@dataclass(slots=True)
class People:
    """Who answers in private, and who plays in groups."""

    telegram: LocalTelegram
    quiz_id: str
    question_seconds: int
    learners: dict[int, Person] = field(default_factory=dict)
    groups: dict[int, list[Person]] = field(default_factory=dict)
    waits: list[tuple[float, float]] = field(default_factory=list)
    """When each vote was cast, and the seconds until its explanation."""
    lateness: list[float] = field(default_factory=list)
    """Of each reveal, the seconds after its question's time."""
    reminded: int = 0
    _votes: deque[Message] = field(default_factory=deque)
    _presses: deque[Message] = field(default_factory=deque)
    _voted_at: dict[int, float] = field(default_factory=dict)
    _question_at: dict[int, float] = field(default_factory=dict)

    def gather(self, learners: int, rounds: int) -> None:
        """Make the people and the groups."""
        for number in range(learners):
            person = self.telegram.add_person(f"Learner {number}", language_code="en")
            self.learners[person.id] = person
        for number in range(rounds):
            pair = [
                self.telegram.add_person(f"{name} {number}", language_code="en")
                for name in ("Ada", "Bob")
            ]
            group = self.telegram.add_group(f"Group {number}", pair, supergroup=True)
            self.groups[group.id] = pair
        self.telegram.on_change(self._note)

    async def begin(self) -> None:
        """Begin quizzes and rounds one after another, so that they ask at different moments."""
        begun = [(person, person.id) for person in self.learners.values()]
        begun += [(pair[0], chat_id) for chat_id, pair in self.groups.items()]
        random.Random(1).shuffle(begun)
        for person, chat_id in begun:
            self.telegram.send(person, chat_id, f"/quiz {self.quiz_id}")
            await asyncio.sleep(SECONDS_TO_BEGIN)

    async def answer_steadily(self) -> None:
        """Let learners vote evenly, and press between two votes; until cancelled."""
        for act in cycle((self._vote, self._press)):
            await asyncio.sleep(0.5 / ANSWERS_PER_SECOND)
            act()

    def _vote(self) -> None:
        if self._votes:
            message = self._votes.popleft()
            person = self.learners[message.chat.id]
            self._voted_at[person.id] = monotonic()
            self.telegram.vote(person, person.id, message.id, [0])

    def _press(self) -> None:
        if self._presses:
            message = self._presses.popleft()
            assert message.keyboard is not None
            data = message.keyboard[0][0]["callback_data"]
            self.telegram.tap(self.learners[message.chat.id], message.chat.id, message.id, data)

    def _note(self, change: Change) -> None:
        message = change.message
        if change.kind != "message" or message is None or message.sender is not self.telegram.bot:
            return
        if message.chat.id in self.groups:
            self._note_in_group(message)
        elif message.chat.id not in self.learners:
            self.reminded += 1
        elif message.poll:
            self._votes.append(message)
        elif message.keyboard:
            self._presses.append(message)
            voted_at = self._voted_at.pop(message.chat.id, None)
            if voted_at is not None:
                self.waits.append((voted_at, monotonic() - voted_at))

    def _late(self, asked_at: float) -> float:
        due_at = asked_at + self.question_seconds + UNCOUNTED_VOTES.total_seconds()
        return max(0.0, monotonic() - due_at)

    def _note_in_group(self, message: Message) -> None:
        opener, other = self.groups[message.chat.id]
        asked_at = self._question_at.pop(message.chat.id, None)
        if message.poll:
            # Who opened the round does not vote: every question goes on until its time is over.
            self._question_at[message.chat.id] = monotonic()
            self.telegram.vote(other, message.chat.id, message.id, [0])
        elif asked_at is not None:
            self.lateness.append(self._late(asked_at))
        elif message.text.startswith("A round of"):
            assert message.keyboard is not None
            data = message.keyboard[-1][0]["callback_data"]
            self.telegram.tap(opener, message.chat.id, message.id, data)


def write_reminders(database: Path, number: int, ref: QuestionRef) -> None:
    """Learners to whom something is due, and whose time of day has come."""
    now = datetime.now(UTC)
    memory, log = review(None, False, now - timedelta(days=2))
    with closing(sqlite3.connect(database, isolation_level=None)) as raw:
        migrate(raw)
        raw.execute("BEGIN")
        store = Store(raw)
        for learner_id in range(FIRST_LEARNER, FIRST_LEARNER + number):
            store.learners.meet(learner_id, "Ada", "en", now)
            store.memories.put(learner_id, ref, memory, log)
            store.reminders.put(learner_id, time(12))
            store.agenda.put(REMIND, learner_id, now)
        raw.execute("COMMIT")


async def bench(small: bool) -> list[Report]:
    """Let learners answer while reminders drain."""
    reminders, rounds, seconds = (
        (SMALL_REMINDERS, SMALL_ROUNDS, SMALL_SECONDS) if small else (REMINDERS, ROUNDS, SECONDS)
    )
    telegram = LocalTelegram(SystemClock(), token=TOKEN, random=random.Random(7))
    guard = telegram.flood = CountingGuard(SystemClock(), FloodLimits())
    with tempfile.TemporaryDirectory() as folder:
        bank = Path(folder) / "bank"
        question_seconds = SMALL_SECONDS_PER_QUESTION if small else SECONDS_PER_QUESTION
        people = People(telegram, write_long_quiz(bank), question_seconds)
        people.gather(SMALL_LEARNERS if small else LEARNERS, rounds)
        database = Path(folder) / "bot.sqlite3"
        write_reminders(database, reminders, QuestionRef(people.quiz_id, "question-0"))
        for learner_id in range(FIRST_LEARNER, FIRST_LEARNER + reminders):
            person = telegram.add_person("Ada", id=learner_id, language_code="en")
            telegram.chat(person.id).knows_bot = True
        async with serve(telegram) as server:
            bot = BotProcess(
                *(telegram, server.url, Path(folder)),
                QUIZZES_PATH=str(bank),
                DATABASE_PATH=str(database),
                MESSAGES_PER_SECOND="30",
                SECONDS_PER_QUESTION=str(question_seconds),
                PAUSE_SECONDS=str(PAUSE_SECONDS),
                LOG_LEVEL="WARNING",
            )
            try:
                await bot.start()
                drained = await _drain(people, guard, seconds)
            finally:
                await bot.close()
    notes = (
        f"{drained.reminded:,} of {reminders:,} reminders went out in {seconds:g} s, "
        f"{drained.per_second:.1f} messages a second in all; {guard.refused} were refused "
        f"with a 429 (goal: {GOAL_REFUSED}).",
        machine(),
    )
    rows = [
        _row("vote to explanation", drained.waits, f"p99 at most {GOAL_MS}"),
        _row("a question's time to its reveal", drained.lateness, f"p99 at most {GOAL_MS}"),
        _row("the same votes, first in, first out", _in_one_queue(drained, reminders), ""),
    ]
    title = f"While {reminders:,} reminders drain: {rounds} rounds, 5 answers a second"
    return [Report(title, ("ms", "number", "p50", "p99", "most", "goal"), rows, notes)]


@dataclass(frozen=True, slots=True)
class Drained:
    """What was seen while reminders went out; times in seconds."""

    waits: list[float]
    voted_after: list[float]
    """Of each vote, when it was cast, from the first reminder on."""
    lateness: list[float]
    reminded: int
    per_second: float


async def _drain(people: People, guard: CountingGuard, seconds: float) -> Drained:
    began_at = monotonic()
    await people.begin()
    going = asyncio.create_task(people.answer_steadily())
    await asyncio.sleep(WARM_SECONDS)
    people.waits.clear()
    people.lateness.clear()
    reminded, admitted, from_at = people.reminded, guard.admitted, monotonic()
    await asyncio.sleep(seconds)
    going.cancel()
    return Drained(
        waits=[wait for _, wait in people.waits],
        voted_after=[voted_at - began_at for voted_at, _ in people.waits],
        lateness=people.lateness,
        reminded=people.reminded - reminded,
        per_second=(guard.admitted - admitted) / (monotonic() - from_at),
    )


def _in_one_queue(drained: Drained, reminders: int) -> list[float]:
    """How long each vote would have waited behind all reminders, at the same rate."""
    return [max(0.0, reminders / drained.per_second - after) for after in drained.voted_after]


def _row(name: str, seconds: Sequence[float], goal: str) -> tuple[str, ...]:
    if not seconds:
        return (name, "0", "", "", "", goal)
    times = [1000 * one for one in seconds]
    shown = (at_share(times, 0.5), at_share(times, 0.99), max(times))
    return (name, str(len(times)), *(f"{one:,.0f}" for one in shown), goal)
