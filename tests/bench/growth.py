"""Whether the bot stays fast as answers pile up.

Three databases of the same learners are made. The two big ones hold a hundred times the answers of
the small one. They differ in what those answers went to, as a memory is kept for each question that
a learner knows, and both `/stats` and `/review` read all of a learner's memories:

    repeated    learners answer the few questions that the small database's learners know, again
                and again: answers grow, memories don't; what grows with answers alone shows here
    new         learners go through the whole bank before they come to a question again: memories
                grow as fast as they ever can

The first is the comparison of answers with answers; the second adds what a larger bank costs. A
learner's real history lies between the two. Histories are written by the bot's own storage and
its counting for ten learners, and multiplied from there in SQL, so that ids of one learner lie as
far apart as they do when all learn at once.

Measured is the real app, built in this process, before a local Telegram over HTTP: from the moment
in which a learner acts to the moment in which the first message of the bot's answer is in their
chat. `/help` reads nothing of the learner: its time is what every answer costs. Start-up is
`build()` on the file, without the time for importing Python's modules. The quizzes are the shipped
ones and 50 made ones of 20 questions each.
"""

import asyncio
import random
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from bot.app import build, load_catalog
from bot.demo.chats import Change
from bot.handlers import counting
from quizzes.attempt import QuestionRef
from quizzes.catalog import Catalog, Shelf
from quizzes.quiz import Choice, Question, Quiz
from storage.learners import Learner as StoredLearner
from storage.schema import migrate
from storage.store import Store
from tests.bench.report import Report, machine
from tests.clock import START
from tests.conversation import Learner, Talk, talking

GROWTH = 100
"""How many times as many answers a big database has."""

MADE_QUIZZES, QUESTIONS_A_QUIZ = 50, 20

AUTHORS = 10
"""Learners whose histories are written; all others have copies of these."""

FIRST_LEARNER = 5_000_000_000
"""Telegram's ids are about this large, and take this much room."""

RUNS, SMALL_RUNS = 7, 1
"""On each database by turns, after one that is not counted."""

MOST_LEARNERS_A_RUN = 7

HISTORY = timedelta(days=200)
LAST_RUN = START - timedelta(days=8)
"""What was right the first time is due again by now; handled updates are forgotten."""

PACE = timedelta(seconds=20)
SHARE_RIGHT = 0.7

SECONDS_TO_ANSWER = 30

GOAL = 1.5
"""How many times as long these may take on a big database."""

STEPS = ("start-up", "/help", "/stats", "/review", "vote")
MEANT = ("start-up", "/stats", "/review", "vote")

LEARNERS, ANSWERS = 10_000, 1_000_000
SMALL_LEARNERS, SMALL_ANSWERS = 20, 2000


@dataclass(frozen=True, slots=True)
class Size:
    """How large a database is, and what its learners know."""

    name: str
    learners: int
    answers_each: int
    questions_each: int
    """How many questions a learner knows."""

    @property
    def answers(self) -> int:
        return self.learners * self.answers_each


def sizes(learners: int, answers: int, questions: int) -> tuple[Size, Size, Size]:
    """The small database and the two big ones, over a bank of so many questions."""
    most = answers // learners
    least = most // GROWTH
    return (
        Size("small", learners, least, min(least, questions)),
        Size("repeated", learners, most, min(least, questions)),
        Size("new", learners, most, min(most, questions)),
    )


def bank() -> Catalog:
    """The shipped quizzes, and made ones."""
    shelves = load_catalog(None).shelves
    for number in range(MADE_QUIZZES):
        quiz_id = f"made-{number:02}"
        questions = tuple(_question(quiz_id, i) for i in range(QUESTIONS_A_QUIZ))
        own = Quiz(quiz_id, "en", f"Made quiz {number}", questions)
        shelves = shelves | {quiz_id: Shelf(quiz_id, own, {})}
    return Catalog(shelves)


def _question(quiz_id: str, number: int) -> Question:
    choices = (
        Choice("The right one", correct=True),
        *(Choice(f"A wrong one, the {i}th", why="It is not the right one.") for i in (2, 3, 4)),
    )
    ask = f"Which choice of question {number} in {quiz_id} is right?"
    return Question(f"question-{number:02}", ask, choices, explain="The right one always is.")


def runs(quizzes: Sequence[Quiz], size: Size) -> Iterator[tuple[Quiz, int]]:
    """The quizzes that a learner begins, and how many questions of each they answer."""
    answers = size.answers_each
    while answers:
        questions = size.questions_each
        for quiz in quizzes:
            if number := min(len(quiz.questions), questions, answers):
                yield quiz, number
            questions -= number
            answers -= number


def write_history(
    store: Store, learner: StoredLearner, catalog: Catalog, size: Size, dice: random.Random
) -> None:
    """Store all that the bot stores of a learner who answers so many questions."""
    quizzes = [shelf.own for shelf in catalog.shelves.values()]
    begun = list(runs(quizzes, size))
    for left, (quiz, number) in zip(reversed(range(len(begun))), begun, strict=True):
        now = LAST_RUN - left * HISTORY / len(begun)
        refs = [QuestionRef(quiz.id, question.id) for question in quiz.questions]
        attempt = store.attempts.start(learner.id, "quiz", quiz.id, refs, now)
        for ref, question in zip(refs[:number], quiz.questions, strict=False):
            order = dice.sample(range(len(question.choices)), len(question.choices))
            poll_id = store.polls.add(
                *(learner.id, ref, "en", question.fingerprint, order, question.correct, now),
                attempt_id=attempt.id,
            )
            store.polls.asked(poll_id, str(poll_id), poll_id, now)
            now += PACE
            right = dice.random() < SHARE_RIGHT
            wrong = min(set(order) - question.correct)
            picked = question.correct if right else {wrong}
            store.answers.add(poll_id, learner.id, picked, right, now)
            counting.count(store, learner, ref, right, now)
            store.polls.close(poll_id, now)
        store.attempts.end(attempt.id, now)
        if number == len(refs):
            store.learners.count_finished(learner.id)


def make_database(path: Path, catalog: Catalog, size: Size) -> None:
    """A database as the bot would have left it."""
    authors = path.with_suffix(".authors")
    with closing(sqlite3.connect(authors, isolation_level=None)) as raw:
        migrate(raw)
        raw.execute("PRAGMA synchronous = OFF")
        raw.execute("BEGIN")
        store = Store(raw)
        for number in range(AUTHORS):
            learner = store.learners.meet(1 + number, "Ada", "en", LAST_RUN - HISTORY)
            write_history(store, learner, catalog, size, random.Random(number))
        raw.execute("COMMIT")
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        migrate(raw)
        raw.execute("PRAGMA journal_mode = OFF")
        raw.execute("PRAGMA cache_size = -200000")
        raw.execute("ATTACH ? AS authors", (str(authors),))
        raw.execute("BEGIN")
        multiply(raw, size.learners // AUTHORS)
        Store(raw).notes.put(counting.COUNTED, "yes")
        raw.execute("COMMIT")
        raw.execute("DETACH authors")
        raw.execute("PRAGMA journal_mode = WAL")
        (stored,) = raw.execute("SELECT count(*) FROM answers").fetchone()
        assert stored == size.answers
    authors.unlink()


def multiply(raw: sqlite3.Connection, copies: int) -> None:
    """Fill the database with so many copies of all that the attached one holds."""
    raw.execute("CREATE TEMP TABLE copies (number INTEGER PRIMARY KEY)")
    raw.executemany("INSERT INTO copies VALUES (?)", [(number,) for number in range(copies)])
    for table in ("learners", "attempts", "polls", "answers", "memories", "reviews", "days"):
        _multiply(raw, table, copies)
    _multiply(raw, "streaks", copies)


def _multiply(raw: sqlite3.Connection, table: str, copies: int) -> None:
    def value(column: str) -> str:
        spread = f"(({column} - 1) * {copies} + number"
        if column in ("learner_id", "chat_id") or (table, column) == ("learners", "id"):
            return f"{spread} + {FIRST_LEARNER})"
        if column in ("id", "attempt_id", "poll_id"):
            return f"{spread} + 1)"
        if column == "telegram_id":
            # No two are the same, and they come in no order, as Telegram's.
            scattered = f"{spread} + 1) * 1099511628211 % 9007199254740881"
            return f"CAST(5000000000000000000 + {scattered} AS TEXT)".replace(column, "id")
        return column

    columns = [row[1] for row in raw.execute(f"PRAGMA main.table_info({table})")]
    # CROSS: copies of one row follow each other, so that a learner's own rows lie far apart.
    raw.execute(
        f"INSERT INTO main.{table} ({', '.join(columns)}) SELECT {', '.join(map(value, columns))}"
        f" FROM authors.{table} CROSS JOIN copies"
    )


class Stopwatch:
    """Takes the time until the bot's first message."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._heard = asyncio.Event()
        talk.telegram.on_change(self._note)

    async def ms(self, act: Callable[[], object]) -> float:
        """How long the bot took to answer what somebody does. Returns when it has said it all."""
        self._heard.clear()
        began = perf_counter()
        act()
        # Not `settles` at once: it keeps the loop busy, and so slows down the database's thread.
        async with asyncio.timeout(SECONDS_TO_ANSWER):
            await self._heard.wait()
        taken = perf_counter() - began
        await self._talk.settles()
        return taken * 1000

    def _note(self, change: Change) -> None:
        message = change.message
        if change.kind == "message" and message and message.sender is self._talk.telegram.bot:
            self._heard.set()


async def measure(talk: Talk, watch: Stopwatch, learners: Sequence[Learner]) -> dict[str, float]:
    """Start the bot, let learners do each step, and stop it: the median of each in ms."""
    began = perf_counter()
    talk.app = await build(talk.settings, talk.catalog, talk.clock, random.Random(1))
    started = (perf_counter() - began) * 1000
    await talk.settles()
    times: dict[str, list[float]] = defaultdict(list, {"start-up": [started]})
    for learner in learners:
        for command in ("/help", "/stats", "/review"):
            send = partial(talk.telegram.send, learner.person, learner.chat_id, command)
            times[command].append(await watch.ms(send))
        asked = learner.poll_message
        right = asked.json["poll"]["correct_option_ids"]
        vote = partial(talk.telegram.vote, learner.person, learner.chat_id, asked.id, right)
        times["vote"].append(await watch.ms(vote))
        await learner.sends("/stop")
    await talk.stop()
    return {step: median(taken) for step, taken in times.items()}


async def compare(
    folder: Path, catalog: Catalog, compared: Sequence[Size], repeats: int
) -> dict[str, dict[str, float]]:
    """For each database, the medians of its runs in ms."""
    ids = range(FIRST_LEARNER, FIRST_LEARNER + compared[0].learners)
    a_run = min(MOST_LEARNERS_A_RUN, len(ids) // (repeats + 1))
    chosen = ids[:: len(ids) // (a_run * (repeats + 1))]
    found: dict[str, dict[str, list[float]]] = {size.name: defaultdict(list) for size in compared}
    async with AsyncExitStack() as stack:
        bots = []
        for size in compared:
            talk = await stack.enter_async_context(talking(folder / size.name, catalog=catalog))
            await talk.stop()
            people = [talk.telegram.add_person("Ada", id=i, language_code="en") for i in chosen]
            bots.append((size, talk, Stopwatch(talk), [Learner(talk, one) for one in people]))
        for number in range(repeats + 1):
            for size, talk, watch, learners in bots if number % 2 else reversed(bots):
                mine = learners[number * a_run : (number + 1) * a_run]
                for step, ms in (await measure(talk, watch, mine)).items():
                    if number:
                        found[size.name][step].append(ms)
    return {
        name: {step: median(times) for step, times in steps.items()}
        for name, steps in found.items()
    }


def _extent(size: Size, path: Path) -> tuple[str, ...]:
    stored = path.stat().st_size
    figures = (size.answers, size.answers_each, size.questions_each)
    return (
        size.name,
        *(f"{figure:,}" for figure in figures),
        f"{stored / 1e6:.1f}",
        f"{stored / size.answers:.0f}",
    )


def _times(small: str, found: dict[str, dict[str, float]], step: str) -> tuple[str, ...]:
    base = found[small][step]
    ratios = (
        cell
        for name in found
        if name != small
        for cell in (f"{found[name][step]:.2f}", f"{found[name][step] / base:.2f}")
    )
    goal = f"at most {GOAL}" if step in MEANT else ""
    return (step, f"{base:.2f}", *ratios, goal)


async def bench(small: bool) -> list[Report]:
    """Compare a bot on a small database with bots on big ones."""
    learners, answers = (SMALL_LEARNERS, SMALL_ANSWERS) if small else (LEARNERS, ANSWERS)
    repeats = SMALL_RUNS if small else RUNS
    catalog = bank()
    questions = sum(len(shelf.own.questions) for shelf in catalog.shelves.values())
    compared = sizes(learners, answers, questions)
    extents = []
    with tempfile.TemporaryDirectory() as folder:
        for size in compared:
            path = Path(folder) / size.name / "bot.sqlite3"
            path.parent.mkdir()
            make_database(path, catalog, size)
            extents.append(_extent(size, path))
        found = await compare(Path(folder), catalog, compared, repeats)
    first, *big = (size.name for size in compared)
    columns = ("ms", first, *(cell for name in big for cell in (name, f"{name}/{first}")), "goal")
    return [
        Report(
            "Databases",
            ("", "answers", "by a learner", "questions known", "MB", "bytes an answer"),
            extents,
        ),
        Report(
            f"With {answers:,} answers of {learners:,} learners",
            columns,
            [_times(first, found, step) for step in STEPS],
            (f"Medians of {repeats} runs by turns, after one that is not counted.", machine()),
        ),
    ]
