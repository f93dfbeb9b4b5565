"""The numbers of /stats, and streaks that survive nights, flights and changes of the clocks."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.attempt import QuestionRef
from quizzes.days import begins, day_of
from quizzes.progress import (
    Progress,
    Record,
    Standing,
    Streak,
    Tally,
    Trend,
    Week,
    at_risk,
    extend,
    extremes,
    hardest,
    is_alive,
    length_now,
    period,
    progress_of,
    standings_of,
    trend,
    weeks,
)
from quizzes.quiz import Choice, Question, Quiz
from quizzes.schedule import Memory, review
from tests.clock import START

MONDAY = date(2026, 3, 2)
SECOND, MINUTE, HOUR, DAY = (
    timedelta(seconds=1),
    timedelta(minutes=1),
    timedelta(hours=1),
    timedelta(days=1),
)
TOKYO, LOS_ANGELES, KATHMANDU = "Asia/Tokyo", "America/Los_Angeles", "Asia/Kathmandu"
ZONES = (
    "Pacific/Pago_Pago",
    "Pacific/Honolulu",
    "America/Anchorage",
    "America/Los_Angeles",
    "America/New_York",
    "America/St_Johns",
    "America/Santiago",
    "America/Sao_Paulo",
    "Atlantic/Azores",
    "Europe/London",
    "Europe/Kyiv",
    "Africa/Cairo",
    "Asia/Tehran",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Australia/Lord_Howe",
    "Pacific/Auckland",
    "Pacific/Kiritimati",
)
# Minutes into a day of 23 hours, the shortest there is.
MINUTES = st.lists(st.integers(0, 23 * 60 - 1), min_size=7, max_size=7)

Place = tuple[str, int, int, int]
"""A zone, and what clocks show there: days after Monday, hour and minute."""


def moment_of(place: Place) -> datetime:
    zone, days, hour, minute = place
    wall = datetime(2026, 3, 2, hour, minute, tzinfo=ZoneInfo(zone))
    return wall + days * DAY


def after_answers(*places: Place) -> Streak:
    """The streak after an answer at each of these places."""
    streak = None
    for place in places:
        streak = extend(streak, moment_of(place), place[0])
    assert streak is not None
    return streak


@pytest.mark.parametrize("zone", [TOKYO, LOS_ANGELES, KATHMANDU])
@pytest.mark.parametrize(
    ("times", "expected"),
    [
        pytest.param([(0, 9, 0)], 1, id="the first answer"),
        pytest.param([(0, 9, 0), (0, 9, 1), (0, 22, 0)], 1, id="one day counts once"),
        pytest.param([(0, 23, 50), (1, 0, 10)], 1, id="midnight ends no day"),
        pytest.param([(1, 3, 50), (1, 4, 10)], 2, id="the day ends at four"),
        pytest.param([(0, 23, 50), (1, 0, 10), (1, 23, 50)], 2, id="a night belongs to one day"),
        pytest.param([(0, 23, 50), (2, 0, 10), (3, 3, 59)], 3, id="three evenings, past midnight"),
        pytest.param([(0, 4, 0), (2, 3, 59)], 2, id="nearly two days, and yet the next one"),
        pytest.param([(0, 9, 0), (2, 9, 0)], 1, id="a day without an answer"),
        pytest.param([(0, 22, 0), (2, 10, 0)], 2, id="36 hours"),
        pytest.param([(0, 22, 0), (2, 10, 1)], 1, id="a minute over 36 hours"),
        pytest.param([(0, 9, 0), (1, 9, 0), (9, 9, 0), (10, 9, 0)], 2, id="begun anew"),
    ],
)
def test_a_streak_counts_the_learners_own_days_in_a_row(
    zone: str, times: list[tuple[int, int, int]], expected: int
) -> None:
    assert after_answers(*((zone, *time) for time in times)).length == expected


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        pytest.param(
            [("Asia/Tokyo", 0, 20, 0), ("Europe/Paris", 0, 21, 0), ("Europe/Paris", 1, 23, 0)],
            2,
            id="west by 8 hours, the same day twice",
        ),
        pytest.param(
            [("Asia/Tokyo", 0, 4, 0), ("Europe/Paris", 2, 3, 59)],
            2,
            id="west by 8 hours, 56 hours without an answer",
        ),
        pytest.param(
            [("Europe/Paris", 0, 20, 0), ("Asia/Tokyo", 1, 21, 0)], 2, id="east by 8 hours"
        ),
        pytest.param(
            [("Europe/Paris", 0, 23, 0), ("Asia/Tokyo", 2, 9, 0)],
            2,
            id="east by 8 hours, a short day slept through",
        ),
        pytest.param(
            [("America/Los_Angeles", 0, 21, 0), ("Pacific/Auckland", 2, 9, 0)],
            2,
            id="east over the date line, which skips a date",
        ),
        pytest.param(
            [
                ("Pacific/Auckland", 1, 9, 0),
                ("America/Los_Angeles", 0, 21, 0),
                ("America/Los_Angeles", 1, 21, 0),
                ("America/Los_Angeles", 2, 21, 0),
            ],
            2,
            id="west over the date line, where a date comes twice and counts once",
        ),
        pytest.param(
            [("Pacific/Auckland", 1, 9, 0), ("Asia/Tokyo", 3, 9, 0)], 1, id="a day lost anyway"
        ),
    ],
)
def test_travel_neither_breaks_a_streak_nor_makes_it_longer(
    places: list[Place], expected: int
) -> None:
    assert after_answers(*places).length == expected


@settings(max_examples=40, deadline=None)
@given(
    start=st.dates(date(2024, 1, 1), date(2027, 1, 1)),
    minutes=MINUTES,
    stays=st.lists(st.tuples(st.sampled_from(ZONES), st.integers(1, 200)), min_size=1, max_size=12),
)
def test_four_hundred_days_in_a_row_are_a_streak_of_four_hundred_wherever_they_are_spent(
    start: date, minutes: list[int], stays: list[tuple[str, int]]
) -> None:
    where = [zone for zone, days in stays for _ in range(days)]
    where += [where[-1]] * 400
    streak: Streak | None = None
    for n, zone in enumerate(where[:400]):
        moment = begins(streak.last_day + DAY if streak else start, zone) + minutes[n % 7] * MINUTE
        if streak is not None:  # in the east a day may begin before one that is over in the west
            moment = max(moment, streak.last_active + MINUTE)
            assert is_alive(streak, moment, zone)
            assert at_risk(streak, moment, zone)
        streak = extend(streak, moment, zone)
        assert (streak.length, streak.best, streak.last_day) == (n + 1, n + 1, day_of(moment, zone))
        assert extend(streak, moment + SECOND, zone) == replace(streak, last_active=moment + SECOND)
        assert not at_risk(streak, moment + SECOND, zone)


@settings(deadline=None)
@given(
    answers=st.lists(
        st.tuples(st.timedeltas(MINUTE, 3 * DAY), st.sampled_from(ZONES)), min_size=1, max_size=60
    )
)
def test_no_day_counts_twice_whatever_the_learner_does(
    answers: list[tuple[timedelta, str]],
) -> None:
    streak: Streak | None = None
    moment, days = START, set()
    for wait, zone in answers:
        moment += wait
        before, streak = streak, extend(streak, moment, zone)
        days.add(day_of(moment, zone))
        assert streak.length <= streak.best <= len(days)
        if before is not None:
            assert streak.length in {1, before.length, before.length + 1}
            assert (streak.length == before.length + 1) <= (streak.last_day > before.last_day)
            assert streak.best >= before.best


def test_the_best_streak_is_kept_when_one_breaks() -> None:
    streak = after_answers(*(("UTC", day, 9, 0) for day in (0, 1, 2, 7, 8)))
    assert streak == Streak(2, 3, MONDAY + 8 * DAY, START + 8 * DAY)


def test_an_answer_before_the_last_one_changes_nothing() -> None:
    streak = after_answers(("UTC", 0, 9, 0), ("UTC", 1, 9, 0))
    assert extend(streak, START, "UTC") == streak


@pytest.mark.parametrize(
    ("zone", "days", "hour", "alive", "risk", "length"),
    [
        pytest.param("UTC", 0, 23, True, False, 2, id="answered today"),
        pytest.param("UTC", 1, 3, True, False, 2, id="still the same day"),
        pytest.param("UTC", 1, 4, True, True, 2, id="not yet answered today"),
        pytest.param("UTC", 2, 3, True, True, 2, id="the last hour"),
        pytest.param("UTC", 2, 4, False, False, 0, id="a day went by"),
        pytest.param(LOS_ANGELES, 1, 21, True, True, 2, id="in the west the day lasts longer"),
        pytest.param("Pacific/Auckland", 2, 9, True, True, 2, id="36 hours, in the east"),
    ],
)
def test_a_streak_is_at_risk_from_the_next_day_on_and_ends_with_it(
    zone: str, days: int, hour: int, alive: bool, risk: bool, length: int
) -> None:
    streak = after_answers(("UTC", -1, 9, 0), ("UTC", 0, 9, 0))
    now = moment_of((zone, days, hour, 0))
    assert (
        is_alive(streak, now, zone),
        at_risk(streak, now, zone),
        length_now(streak, now, zone),
    ) == (alive, risk, length)


def test_who_never_answered_has_no_streak() -> None:
    assert length_now(None, START, "UTC") == 0


@pytest.mark.parametrize(
    ("tally", "expected"),
    [(Tally(), None), (Tally(4, 0), 0.0), (Tally(4, 3), 0.75), (Tally(4, 4), 1.0)],
)
def test_accuracy_is_the_share_of_right_answers(tally: Tally, expected: float | None) -> None:
    assert tally.accuracy == expected


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (Tally(), Tally(), None),
        (Tally(9, 0), Tally(20, 20), None),
        (Tally(20, 20), Tally(9, 0), None),
        (Tally(10, 6), Tally(10, 7), "up"),
        (Tally(10, 7), Tally(10, 6), "down"),
        (Tally(10, 7), Tally(10, 7), "level"),
        (Tally(100, 60), Tally(100, 69), "level"),
        (Tally(100, 69), Tally(100, 60), "level"),
        (Tally(1000, 600), Tally(10, 7), "up"),
    ],
)
def test_a_trend_needs_ten_answers_in_each_period_and_ten_points_between_them(
    before: Tally, now: Tally, expected: Trend | None
) -> None:
    assert trend(before, now) == expected


def test_a_period_holds_the_days_after_a_day() -> None:
    days = {MONDAY + n * DAY: Tally(10**n, n) for n in range(5)}
    assert period(days, MONDAY, 3 * DAY) == Tally(1110, 6)


@pytest.mark.parametrize("weekday", range(7))
def test_weeks_begin_on_monday_and_those_without_answers_are_there(weekday: int) -> None:
    days = {
        MONDAY - 8 * DAY: Tally(1, 1),
        MONDAY - 1 * DAY: Tally(10, 5),
        MONDAY: Tally(100, 50),
    }
    assert weeks(days, MONDAY + weekday * DAY, 4) == (
        Week(MONDAY - 21 * DAY, Tally()),
        Week(MONDAY - 14 * DAY, Tally(1, 1)),
        Week(MONDAY - 7 * DAY, Tally(10, 5)),
        Week(MONDAY, Tally(100, 50)),
    )


def quiz(quiz_id: str, *question_ids: str) -> Quiz:
    choices = (Choice("Yes", correct=True), Choice("No"))
    questions = tuple(Question(name, f"{name}?", choices) for name in question_ids)
    return Quiz(quiz_id, "en", quiz_id.title(), questions)


def known(answers: int, right: int, lapses: int = 0, mastered: bool = False) -> Memory:
    """A memory with these counts."""
    memory, _ = review(None, True, START)
    stability = 30.0 if mastered else 2.0
    return replace(memory, answers=answers, right=right, lapses=lapses, stability=stability)


def ref(text: str) -> QuestionRef:
    return QuestionRef.parse(text)


BANK = (quiz("capitals", "france", "spain", "italy", "malta"), quiz("rivers", "rhine", "tisa"))


def test_a_quiz_has_all_its_answers_and_the_mastery_of_what_is_in_the_bank_now() -> None:
    memories = {
        ref("capitals/france"): known(5, 5, mastered=True),
        ref("capitals/spain"): known(3, 1),
        ref("capitals/atlantis"): known(2, 2, mastered=True),
        ref("withdrawn/one"): known(1, 1),
    }
    (capitals,) = standings_of(memories, BANK)
    assert capitals == Standing("capitals", Tally(10, 8), mastered=1, questions=4)
    assert capitals.mastery == 0.25


@pytest.mark.parametrize(
    ("tallies", "expected"),
    [
        pytest.param({}, (None, None), id="no quiz"),
        pytest.param({"a": (9, 5)}, (None, None), id="one quiz has no rank"),
        pytest.param({"a": (9, 9), "b": (9, 1), "c": (9, 5)}, ("a", "b"), id="three"),
        pytest.param({"a": (9, 9), "b": (4, 0), "c": (9, 5)}, ("a", "c"), id="too few answers"),
        pytest.param({"a": (8, 4), "b": (6, 3)}, (None, None), id="all the same"),
        pytest.param(
            {"a": (6, 3), "b": (8, 4), "c": (6, 6), "d": (8, 8)}, ("d", "b"), id="more answers"
        ),
        pytest.param({"b": (6, 3), "a": (6, 3), "c": (6, 6)}, ("c", "a"), id="ties by name"),
    ],
)
def test_the_strongest_and_the_weakest_quiz_have_five_answers_and_differ(
    tallies: dict[str, tuple[int, int]], expected: tuple[str | None, str | None]
) -> None:
    standings = [Standing(name, Tally(*counts), 0, 1) for name, counts in tallies.items()]
    strongest, weakest = extremes(standings)
    assert (strongest and strongest.quiz_id, weakest and weakest.quiz_id) == expected


def test_the_hardest_questions_have_three_answers_with_mistakes_and_are_not_mastered() -> None:
    memories = {
        ref("capitals/france"): known(4, 3),
        ref("capitals/spain"): known(4, 2, lapses=1),
        ref("capitals/italy"): known(4, 2, lapses=2),
        ref("capitals/malta"): known(3, 3),
        ref("capitals/atlantis"): known(9, 0),
        ref("rivers/rhine"): known(2, 0),
        ref("rivers/tisa"): known(9, 3, lapses=3, mastered=True),
    }
    found = (ref("capitals/italy"), ref("capitals/spain"), ref("capitals/france"))
    assert hardest(memories, BANK) == found
    assert hardest(memories, BANK, 2) == found[:2]
    assert hardest({}, BANK) == ()


def test_who_never_answered_has_empty_numbers() -> None:
    assert progress_of(Record({}, {}, None), BANK, START, "UTC") == Progress(
        total=Tally(),
        today=Tally(),
        trend=None,
        streak=0,
        best_streak=0,
        standings=(),
        strongest=None,
        weakest=None,
        hardest=(),
        weeks=tuple(Week(MONDAY - back * 7 * DAY, Tally()) for back in range(7, -1, -1)),
    )


def test_the_numbers_go_by_the_learners_own_day() -> None:
    # It is Monday, 09:00 in UTC, and Sunday, 23:00 in Honolulu.
    sunday = MONDAY - DAY
    days = {sunday - 7 * DAY: Tally(10, 5), sunday - DAY: Tally(8, 6), sunday: Tally(4, 4)}
    memories = {
        ref("capitals/france"): known(12, 9, lapses=2),
        ref("rivers/rhine"): known(9, 5, mastered=True),
        ref("withdrawn/one"): known(1, 1),
    }
    record = Record(days, memories, Streak(2, 6, sunday, START - HOUR))
    progress = progress_of(record, BANK, START, "Pacific/Honolulu")
    capitals = Standing("capitals", Tally(12, 9), mastered=0, questions=4)
    rivers = Standing("rivers", Tally(9, 5), mastered=1, questions=2)
    assert replace(progress, weeks=progress.weeks[-2:]) == Progress(
        total=Tally(22, 15),
        today=Tally(4, 4),
        trend="up",
        streak=2,
        best_streak=6,
        standings=(capitals, rivers),
        strongest=capitals,
        weakest=rivers,
        hardest=(ref("capitals/france"),),
        weeks=(
            Week(sunday - 13 * DAY, Tally(10, 5)),
            Week(sunday - 6 * DAY, Tally(12, 10)),
        ),
    )
