"""How late a question closes while many rounds run.

The real process runs against a local Telegram, both on the machine's clock. In every group people
play a quiz of three questions. Who opened the round never votes, so that every question closes at
its deadline; all others vote at moments spread over its time. The rounds begin one after another,
so that their deadlines are spread out too.

Measured is the time from a deadline (the agenda's `due_at`) to the moment in which another
connection first sees the poll as closed in the database: the close is decided and stored by then.
That connection looks every millisecond, so a figure is at most a millisecond or two too large,
more where the machine is busy: the bot, the local Telegram and the people share it.
"""

import asyncio
import random
import signal
import sqlite3
import tempfile
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

from bot.demo.chats import Change, Message, Person
from bot.demo.telegram import LocalTelegram, VoteRefusedError
from tests.bench.report import Report, at_share, machine
from tests.process import BotProcess, served

QUESTIONS = 3
"""How many the quiz has."""

ROUNDS, SECONDS, LEARNERS = 100, 10, 3
SMALL_ROUNDS, SMALL_SECONDS, SMALL_LEARNERS = 2, 5, 3

LOOK_SECONDS = 0.001

SHARE_OF_VOTING_TIME = 0.95
"""Votes come during this share of a question's time, not in its last moments."""

GOAL_MS = 250


class Watch(threading.Thread):
    """Sees in the database when questions are due to close and when they have closed."""

    def __init__(self, database: Path) -> None:
        super().__init__()
        self.late_ms: list[float] = []
        """For each close, how long after its deadline it was seen."""
        self._database = database
        self._due_at: dict[int, int] = {}
        self._ending = threading.Event()

    def run(self) -> None:
        with closing(sqlite3.connect(f"file:{self._database}?mode=ro", uri=True)) as raw:
            version = None
            while not self._ending.wait(LOOK_SECONDS):
                (newest,) = raw.execute("PRAGMA data_version").fetchone()
                if newest != version:
                    version = newest
                    self._look(raw)

    def end(self) -> None:
        self._ending.set()
        self.join()

    def _look(self, raw: sqlite3.Connection) -> None:
        marks = ",".join(map(str, self._due_at))
        rows = raw.execute(f"SELECT id FROM polls WHERE id IN ({marks}) AND closed_at IS NOT NULL")
        closed = [poll_id for (poll_id,) in rows]
        seen_at = time.time() * 1000
        self.late_ms += [seen_at - self._due_at.pop(poll_id) for poll_id in closed]
        self._due_at |= dict(raw.execute("SELECT subject, due_at FROM agenda WHERE kind = 'close'"))


class Players:
    """The people of all groups. All but the first of each vote, at random moments."""

    def __init__(
        self, telegram: LocalTelegram, rounds: int, seconds: int, learners: int, seed: int
    ) -> None:
        self.over = asyncio.Event()
        """All rounds have their results."""
        self.votes = 0
        self._telegram = telegram
        self._seconds = seconds
        self._dice = random.Random(seed)
        self._acts: set[asyncio.Task[None]] = set()
        self._groups = dict(self._gather(number, learners) for number in range(rounds))
        self._running = set(self._groups)
        telegram.on_change(self._note)

    async def begin(self) -> None:
        """Open the rounds one after another, spread over a question's time."""
        for chat_id, (opener, *_) in self._groups.items():
            self._telegram.send(opener, chat_id, "/quiz capitals")
            await asyncio.sleep(self._seconds / len(self._groups))

    async def finished_acting(self) -> None:
        """Raise what went wrong in somebody's act."""
        await asyncio.gather(*self._acts)

    def _gather(self, number: int, learners: int) -> tuple[int, list[Person]]:
        names = [f"L{number}.{i}" for i in range(learners)]
        people = [self._telegram.add_person(name, language_code="en") for name in names]
        chat = self._telegram.add_group(f"Group {number}", people, supergroup=True)
        return chat.id, people

    def _note(self, change: Change) -> None:
        message = change.message
        if change.kind != "message" or message is None or message.sender is not self._telegram.bot:
            return
        people = self._groups[message.chat.id]
        if message.poll:
            for person in people[1:]:
                seconds = self._dice.uniform(0, SHARE_OF_VOTING_TIME * self._seconds)
                task = asyncio.create_task(self._vote(person, message, seconds))
                self._acts.add(task)
        elif message.text.startswith("A round of"):
            assert message.keyboard is not None
            start = message.keyboard[-1][0]["callback_data"]
            self._telegram.tap(people[0], message.chat.id, message.id, start)
        elif message.text.startswith("Results of"):
            self._running.discard(message.chat.id)
            if not self._running:
                self.over.set()

    async def _vote(self, person: Person, message: Message, seconds: float) -> None:
        await asyncio.sleep(seconds)
        with suppress(VoteRefusedError):  # on a machine so slow that the time is over
            self._telegram.vote(person, message.chat.id, message.id, [self._dice.randrange(2)])
            self.votes += 1


async def measure(rounds: int, seconds: int, learners: int, seed: int) -> tuple[list[float], int]:
    """How late each question closed, in ms, and how many votes came meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        async with served() as (telegram, url):
            players = Players(telegram, rounds, seconds, learners, seed)
            bot = BotProcess(
                telegram, url, Path(folder), SECONDS_PER_QUESTION=str(seconds), PAUSE_SECONDS="0.2"
            )
            try:
                await bot.start()
                watch = Watch(Path(folder) / "data" / "quiz-tutor.sqlite3")
                watch.start()
                try:
                    await players.begin()
                    async with asyncio.timeout(QUESTIONS * (seconds + 20)):
                        await players.over.wait()
                    await players.finished_acting()
                finally:
                    watch.end()
                await bot.ends_by(signal.SIGTERM)
            finally:
                await bot.close()
    return watch.late_ms, players.votes


async def bench(small: bool) -> list[Report]:
    """Let many rounds run at once."""
    rounds, seconds, learners = (
        (SMALL_ROUNDS, SMALL_SECONDS, SMALL_LEARNERS) if small else (ROUNDS, SECONDS, LEARNERS)
    )
    late_ms, votes = await measure(rounds, seconds, learners, seed=1)
    shown = (at_share(late_ms, 0.5), at_share(late_ms, 0.99), max(late_ms))
    return [
        Report(
            f"From deadline to close: {rounds} rounds of {learners}, {seconds} s a question",
            ("closes", "votes", "p50 ms", "p99 ms", "most ms", "goal"),
            [
                (
                    *(str(len(late_ms)), str(votes)),
                    *(f"{one:.1f}" for one in shown),
                    f"p99 at most {GOAL_MS}",
                )
            ],
            (machine(),),
        )
    ]
