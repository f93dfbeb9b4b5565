"""What progress comes from, as it is stored: memories and their log, days, streaks."""

import sqlite3
from datetime import date, timedelta

import pytest

from quizzes.attempt import QuestionRef
from quizzes.progress import Streak, Tally
from quizzes.schedule import Memory, Stage, review
from storage.store import Store
from tests.clock import START

ADA, BOB = 1, 2**52 - 1
FRANCE, SPAIN = (QuestionRef("capitals", name) for name in ("france", "spain"))
DANUBE = QuestionRef("rivers", "france")
TODAY = date(2026, 3, 2)


@pytest.fixture(autouse=True)
def _learners(store: Store) -> None:
    store.learners.meet(ADA, "Ada", "en", START)
    store.learners.meet(BOB, "Bob", "uk", START)


def answer(
    store: Store, question: QuestionRef, right: bool, hours: float = 0, learner_id: int = ADA
) -> Memory:
    """Keep what an answer so long after START makes of what is stored."""
    moment = START + timedelta(hours=hours)
    memory, entry = review(store.memories.find(learner_id, question), right, moment)
    store.memories.put(learner_id, question, memory, entry)
    return memory


def log(store: Store) -> list[tuple[object, ...]]:
    return store._raw.execute(
        "SELECT learner_id, question_id, reviewed_at, rating, stage, stability, difficulty,"
        " elapsed_ms FROM reviews ORDER BY id"
    ).fetchall()


# Memories


def test_a_question_that_was_never_answered_has_no_memory(store: Store) -> None:
    answer(store, FRANCE, right=True)
    assert store.memories.find(ADA, SPAIN) is None
    assert store.memories.find(ADA, DANUBE) is None
    assert store.memories.find(BOB, FRANCE) is None
    assert store.memories.all(BOB) == {}


def test_a_memory_reads_back_to_the_last_digit(store: Store) -> None:
    for hours, right in ((0, True), (50, True), (400.000123, False), (400.2, True)):
        memory = answer(store, FRANCE, right, hours)
        assert store.memories.find(ADA, FRANCE) == memory
    assert (memory.answers, memory.right, memory.lapses) == (4, 3, 1)
    assert memory.stage is Stage.REVIEW


@pytest.mark.parametrize("stage", list(Stage))
def test_a_memory_of_any_stage_can_be_kept(store: Store, stage: Stage) -> None:
    moment = START + timedelta(milliseconds=123)
    _, entry = review(None, True, START)
    memory = Memory(moment, 1e-3, 10.0, START, stage, 2, 1, 0)
    store.memories.put(ADA, FRANCE, memory, entry)
    found = store.memories.find(ADA, FRANCE)
    assert found == memory
    assert found.stage is stage  # no plain string, which would be equal, too


def test_all_memories_of_a_learner_are_found_by_question(store: Store) -> None:
    wanted = {
        question: answer(store, question, right)
        for question, right in ((FRANCE, True), (SPAIN, False), (DANUBE, True))
    }
    answer(store, FRANCE, right=False, learner_id=BOB)
    assert store.memories.all(ADA) == wanted


def test_every_answer_is_logged_with_what_was_known_before_it(store: Store) -> None:
    first = answer(store, FRANCE, right=False)
    answer(store, SPAIN, right=True, hours=1, learner_id=BOB)
    answer(store, FRANCE, right=True, hours=48.5)
    ms = 1772442000000
    assert log(store) == [
        (ADA, "france", ms, 1, None, None, None, None),
        (BOB, "spain", ms + 3_600_000, 3, None, None, None, None),
        (
            ADA,
            "france",
            ms + 174_600_000,
            3,
            "learning",
            first.stability,
            first.difficulty,
            174_600_000,
        ),
    ]


def test_memories_and_log_are_of_learners_only(store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        answer(store, FRANCE, right=True, learner_id=3)


# Days


def test_answers_are_counted_by_day(store: Store) -> None:
    for day, right in ((TODAY, True), (TODAY, False), (TODAY - timedelta(days=1), True)):
        store.days.count(ADA, day, right)
    store.days.count(BOB, TODAY, False)
    assert store.days.since(ADA, date.min) == {
        TODAY - timedelta(days=1): Tally(1, 1),
        TODAY: Tally(2, 1),
    }
    assert store.days.since(BOB, date.min) == {TODAY: Tally(1, 0)}
    assert store.days.since(3, date.min) == {}


@pytest.mark.parametrize(("days_ago", "found"), [(2, 2), (1, 2), (0, 1), (-1, 0)])
def test_days_are_found_from_a_day_on(store: Store, days_ago: int, found: int) -> None:
    store.days.count(ADA, TODAY, True)
    store.days.count(ADA, TODAY - timedelta(days=1), True)
    assert len(store.days.since(ADA, TODAY - timedelta(days=days_ago))) == found


# Streaks


def test_the_streak_is_the_one_put_last(store: Store) -> None:
    assert store.days.streak(ADA) is None
    for streak in (
        Streak(1, 1, TODAY, START),
        Streak(2, 9, TODAY + timedelta(days=1), START + timedelta(days=1, milliseconds=7)),
    ):
        store.days.put_streak(ADA, streak)
        assert store.days.streak(ADA) == streak
    assert store.days.streak(BOB) is None
