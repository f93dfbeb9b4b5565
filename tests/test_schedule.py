"""When a question comes again: after right and wrong answers, early and late."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.attempt import QuestionRef
from quizzes.schedule import (
    Forecast,
    Memory,
    Review,
    Stage,
    due_order,
    is_mastered,
    review,
    when_due,
)
from tests.clock import START

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SOON, YEAR = 10 * MINUTE, 365 * DAY
FRANCE, SPAIN, ITALY = (QuestionRef("capitals", name) for name in ("france", "spain", "italy"))
MARKS = st.lists(st.booleans(), min_size=1, max_size=30)


def answered(marks: Iterable[bool], start: datetime = START) -> Memory:
    """What is remembered after answers that were each given when they were due."""
    memory, _ = review(None, next(marks := iter(marks)), start)
    for right in marks:
        memory, _ = review(memory, right, memory.due)
    return memory


def due(moment: datetime, interval: timedelta = DAY) -> Memory:
    """A memory that is due at a moment, this long after its last answer."""
    return replace(answered([True]), due=moment, last_review=moment - interval)


@pytest.mark.parametrize(
    ("marks", "intervals"),
    [
        pytest.param("rrrrrr", [2, 11, 46, 163, 365, 365], id="always right"),
        pytest.param("wrrrr", [0, 1, 2, 6, 18], id="wrong at first"),
        pytest.param("rrrwrr", [2, 11, 46, 0, 3, 8], id="forgotten once"),
        pytest.param("wwww", [0, 0, 0, 0], id="always wrong"),
    ],
)
def test_answers_given_when_due_lead_to_intervals_of_so_many_days(
    marks: str, intervals: list[int]
) -> None:
    memories = [answered(mark == "r" for mark in marks[: n + 1]) for n in range(len(marks))]
    assert [(memory.due - memory.last_review).days for memory in memories] == intervals


@settings(deadline=None)
@given(MARKS)
def test_a_wrong_answer_brings_the_question_back_in_ten_minutes(marks: list[bool]) -> None:
    memory = answered([*marks, False])
    assert memory.due - memory.last_review == SOON


@settings(deadline=None)
@given(MARKS, st.integers(0, 1000))
def test_a_right_answer_when_due_or_later_never_shortens_the_interval(
    marks: list[bool], hours_late: int
) -> None:
    before = answered(marks)
    after, _ = review(before, True, before.due + hours_late * HOUR)
    assert after.due - after.last_review >= max(before.due - before.last_review, DAY)
    assert after.stability >= before.stability


@settings(deadline=None)
@given(MARKS)
def test_right_answers_lead_to_mastery_from_anywhere(marks: list[bool]) -> None:
    memory = answered([*marks, *[True] * 40])
    assert is_mastered(memory)


def test_a_question_is_asked_once_a_year_however_well_it_is_known() -> None:
    memory = answered([True] * 20)
    assert memory.due - memory.last_review == YEAR


def test_answering_over_and_over_on_one_day_teaches_nothing() -> None:
    once = memory = answered([True])
    for minutes in range(1, 200):
        memory, _ = review(memory, True, START + minutes * MINUTE)
    assert memory.stability == once.stability
    assert not is_mastered(memory)


@pytest.mark.parametrize(
    ("stability", "expected"), [(0.2, False), (20.99, False), (21.0, True), (400.0, True)]
)
def test_a_question_is_mastered_when_it_is_safe_for_three_weeks(
    stability: float, expected: bool
) -> None:
    assert is_mastered(replace(answered([True]), stability=stability)) == expected


@pytest.mark.parametrize(
    ("marks", "stage", "answers", "right", "lapses"),
    [
        ("r", Stage.REVIEW, 1, 1, 0),
        ("w", Stage.LEARNING, 1, 0, 0),
        ("ww", Stage.LEARNING, 2, 0, 0),
        ("wr", Stage.REVIEW, 2, 1, 0),
        ("rw", Stage.RELEARNING, 2, 1, 1),
        ("rww", Stage.RELEARNING, 3, 1, 1),
        ("rwrwr", Stage.REVIEW, 5, 3, 2),
    ],
)
def test_a_memory_counts_answers_and_how_often_what_was_known_is_forgotten(
    marks: str, stage: Stage, answers: int, right: int, lapses: int
) -> None:
    memory = answered(mark == "r" for mark in marks)
    assert (memory.stage, memory.answers, memory.right, memory.lapses) == (
        stage,
        answers,
        right,
        lapses,
    )


@settings(deadline=None)
@given(MARKS, st.timedeltas(-YEAR, YEAR))
def test_moments_are_whole_milliseconds_which_can_be_stored(
    marks: list[bool], passed: timedelta
) -> None:
    memory = answered(marks, START + passed)
    assert [moment.microsecond % 1000 for moment in (memory.due, memory.last_review)] == [0, 0]


def test_the_log_says_what_was_known_before_each_answer() -> None:
    first, first_entry = review(None, True, START)
    second, second_entry = review(first, False, START + 3 * DAY)
    _, third_entry = review(second, True, START + 3 * DAY + SOON)
    assert [first_entry, second_entry, third_entry] == [
        Review(START, 3, None, None, None, None),
        Review(START + 3 * DAY, 1, Stage.REVIEW, first.stability, first.difficulty, 3 * DAY),
        Review(
            START + 3 * DAY + SOON,
            3,
            Stage.RELEARNING,
            second.stability,
            second.difficulty,
            SOON,
        ),
    ]


def test_a_clock_that_was_set_back_gives_an_answer_at_the_same_moment() -> None:
    memory = answered([True])
    assert review(memory, True, START - DAY) == review(memory, True, START)


def test_the_same_moment_in_another_zone_gives_the_same_memory() -> None:
    tokyo = timezone(9 * HOUR)
    assert review(None, True, START.astimezone(tokyo)) == review(None, True, START)


def test_moments_without_a_zone_are_refused() -> None:
    naive, memory = START.replace(tzinfo=None), answered([True])
    with pytest.raises(ValueError, match="has no time zone"):
        review(memory, True, naive)
    with pytest.raises(ValueError, match="has no time zone"):
        due_order({FRANCE: memory}, naive)
    with pytest.raises(ValueError, match="has no time zone"):
        when_due({FRANCE: memory}, naive, "UTC")
    with pytest.raises(ValueError, match="has no time zone"):
        replace(memory, due=naive)


@pytest.mark.parametrize(
    ("memories", "expected"),
    [
        pytest.param({}, (), id="nothing known"),
        pytest.param({FRANCE: due(START + MINUTE)}, (), id="not yet due"),
        pytest.param({FRANCE: due(START)}, (FRANCE,), id="due at this moment"),
        pytest.param(
            {FRANCE: due(START - DAY, 100 * DAY), SPAIN: due(START - HOUR, SOON)},
            (SPAIN, FRANCE),
            id="late by more of its interval first",
        ),
        pytest.param(
            {FRANCE: due(START - 2 * DAY, 2 * DAY), SPAIN: due(START - 3 * DAY, 4 * DAY)},
            (FRANCE, SPAIN),
            id="not by the days alone",
        ),
        pytest.param(
            {SPAIN: due(START - DAY), ITALY: due(START - DAY), FRANCE: due(START - DAY)},
            (FRANCE, ITALY, SPAIN),
            id="ties by name",
        ),
    ],
)
def test_the_most_overdue_question_comes_first(
    memories: dict[QuestionRef, Memory], expected: tuple[QuestionRef, ...]
) -> None:
    assert due_order(memories, START) == expected


def test_a_review_asks_no_more_than_twenty_questions() -> None:
    refs = [QuestionRef("capitals", f"{n:02}") for n in range(30)]
    memories = {ref: due(START - n * HOUR) for n, ref in enumerate(refs)}
    assert due_order(memories, START) == tuple(reversed(refs[10:]))
    assert due_order(memories, START, 3) == tuple(reversed(refs[27:]))


@pytest.mark.parametrize(
    ("zone", "dues", "expected"),
    [
        pytest.param("UTC", [], Forecast(0, 0, 0, 0, None), id="nothing known"),
        pytest.param(
            "UTC", [-DAY, 0 * DAY], Forecast(2, 0, 0, 0, None), id="due already, and nothing else"
        ),
        # It is Monday, 09:00: today ends in 19 hours.
        pytest.param("UTC", [MINUTE], Forecast(0, 1, 0, 0, START + MINUTE), id="later today"),
        pytest.param(
            "UTC", [19 * HOUR], Forecast(0, 0, 1, 0, START + 19 * HOUR), id="when tomorrow begins"
        ),
        pytest.param(
            "UTC",
            [18 * HOUR, 42 * HOUR, 43 * HOUR, 162 * HOUR, 163 * HOUR, 400 * DAY],
            Forecast(0, 1, 1, 2, START + 18 * HOUR),
            id="each once, and later ones nowhere",
        ),
        # It is Monday, 18:00.
        pytest.param(
            "Asia/Tokyo",
            [9 * HOUR, 10 * HOUR],
            Forecast(0, 1, 1, 0, START + 9 * HOUR),
            id="on the learner's own days",
        ),
    ],
)
def test_it_can_be_told_how_many_questions_come_when(
    zone: str, dues: list[timedelta], expected: Forecast
) -> None:
    memories = {QuestionRef("capitals", str(n)): due(START + d) for n, d in enumerate(dues)}
    assert when_due(memories, START, zone) == expected
