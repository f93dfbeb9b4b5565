"""Answers from before progress was counted: it comes out as if they had been counted one by one."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.handlers import counting
from quizzes import days, progress, schedule
from quizzes.attempt import QuestionRef
from quizzes.progress import Streak, Tally
from quizzes.schedule import Memory
from storage.learners import Learner
from storage.schema import migrate
from storage.store import Store
from storage.times import from_ms, to_ms

SCHEMAS = Path(__file__).parent / "schemas"
ADA, IHOR = 101, 202
BEGINNING = date.min
ZONES = {ADA: "UTC", IHOR: "Europe/Bucharest"}
"""Guessed from their languages; Ihor chose Romanian."""


class Counted(NamedTuple):
    """What is counted of one learner."""

    memories: dict[QuestionRef, Memory]
    days: dict[date, Tally]
    streak: Streak | None


class Given(NamedTuple):
    """One answer, as an old database holds it."""

    moment: datetime
    question: QuestionRef
    right: bool


def counted(store: Store, learner_id: int) -> Counted:
    return Counted(
        store.memories.all(learner_id),
        store.days.since(learner_id, BEGINNING),
        store.days.streak(learner_id),
    )


def one_by_one(answers: list[Given], zone: str) -> Counted:
    """What these answers make, in order of time."""
    memories: dict[QuestionRef, Memory] = {}
    by_day: dict[date, Tally] = {}
    streak = None
    for moment, question, right in sorted(answers):
        memories[question], _ = schedule.review(memories.get(question), right, moment)
        day = days.day_of(moment, zone)
        by_day[day] = by_day.get(day, Tally()) + Tally(1, right)
        streak = progress.extend(streak, moment, zone)
    return Counted(memories, by_day, streak)


def given(raw: sqlite3.Connection, learner_id: int) -> list[Given]:
    """A learner's answers in an old database."""
    rows = raw.execute(
        "SELECT answered_at, quiz_id, question_id, is_right FROM answers, polls"
        " WHERE polls.id = poll_id AND learner_id = ?",
        (learner_id,),
    )
    return [Given(from_ms(at), QuestionRef(*ref), bool(right)) for at, *ref, right in rows]


def answer_much(raw: sqlite3.Connection) -> None:
    """Half a year of two learners, in polls that were not asked in the order of the answers."""
    chance = random.Random(3)
    start = datetime(2026, 3, 5, tzinfo=UTC)
    minutes = [chance.randrange(180 * 24 * 60) for _ in range(300)]
    for number, minute in enumerate(minutes, start=1000):
        learner_id = chance.choice((ADA, IHOR))
        moment = to_ms(start + timedelta(minutes=minute))
        raw.execute(
            "INSERT INTO polls (id, chat_id, quiz_id, question_id, language, fingerprint, choices,"
            " correct, decided_at) VALUES (?, ?, 'capitals', ?, 'en', 'p', 'ab', 'a', ?)",
            (number, learner_id, f"question-{chance.randrange(12)}", moment),
        )
        raw.execute(
            "INSERT INTO answers VALUES (?, ?, 'a', ?, ?)",
            (number, learner_id, chance.random() < 0.7, moment),
        )


@pytest.fixture
def raw() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as raw:
        yield raw


def migrated(raw: sqlite3.Connection) -> Store:
    migrate(raw)
    raw.execute("PRAGMA foreign_keys = ON")
    return Store(raw)


@pytest.mark.parametrize("more", [lambda raw: None, answer_much], ids=["few", "many"])
@pytest.mark.parametrize("version", ["0001", "0002"])
def test_old_answers_make_what_counting_them_one_by_one_makes(
    raw: sqlite3.Connection, version: str, more: Callable[[sqlite3.Connection], None]
) -> None:
    raw.executescript((SCHEMAS / f"{version}.sql").read_text("utf-8"))
    more(raw)
    wanted = {who: one_by_one(given(raw, who), zone) for who, zone in ZONES.items()}
    store = migrated(raw)
    counting.count_old(store)
    assert {who: counted(store, who) for who in ZONES} == wanted


def test_answers_in_groups_count_too(raw: sqlite3.Connection) -> None:
    raw.executescript((SCHEMAS / "0002.sql").read_text("utf-8"))
    store = migrated(raw)
    counting.count_old(store)
    dan = counted(store, 505)
    assert dan.days == {date(2026, 3, 3): Tally(3, 2)}
    assert {str(ref): memory.answers for ref, memory in dan.memories.items()} == {
        "gradient-clipping/clip-by-norm-keeps": 1,
        "gradient-clipping/when-to-clip": 2,
    }


@pytest.mark.parametrize("version", ["0001", "0002"])
def test_old_answers_count_once(raw: sqlite3.Connection, version: str) -> None:
    raw.executescript((SCHEMAS / f"{version}.sql").read_text("utf-8"))
    store = migrated(raw)
    counting.count_old(store)
    before = list(raw.iterdump())
    counting.count_old(store)
    assert list(raw.iterdump()) == before


def test_in_a_database_that_counted_from_the_start_nothing_counts_twice(
    raw: sqlite3.Connection,
) -> None:
    store = migrated(raw)
    counting.count_old(store)
    question, now = QuestionRef("capitals", "france"), datetime(2026, 3, 5, tzinfo=UTC)
    learner = store.learners.meet(ADA, "Ada", "en", now)
    poll_id = store.polls.add(ADA, question, "en", "p", [0, 1], [0], now)
    store.answers.add(poll_id, ADA, [0], True, now)
    counting.count(store, learner, question, True, now)
    counting.count_old(store)
    assert counted(store, ADA) == one_by_one([Given(now, question, True)], "UTC")


def test_later_answers_go_on_from_the_old_ones(raw: sqlite3.Connection) -> None:
    raw.executescript((SCHEMAS / "0001.sql").read_text("utf-8"))
    old = given(raw, ADA)
    store = migrated(raw)
    counting.count_old(store)
    ada: Learner | None = store.learners.find(ADA)
    assert ada is not None
    later = Given(max(old).moment + timedelta(days=1), old[0].question, False)
    counting.count(store, ada, later.question, later.right, later.moment)
    assert counted(store, ADA) == one_by_one([*old, later], "UTC")


def test_the_log_keeps_every_old_answer_in_order(raw: sqlite3.Connection) -> None:
    raw.executescript((SCHEMAS / "0001.sql").read_text("utf-8"))
    wanted = [(to_ms(one.moment), 3 if one.right else 1) for one in sorted(given(raw, ADA))]
    store = migrated(raw)
    counting.count_old(store)
    log = raw.execute("SELECT reviewed_at, rating FROM reviews WHERE learner_id = ?", (ADA,))
    assert log.fetchall() == wanted
