"""The learner's own days, in every zone and over both changes of the clocks."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.days import (
    UnknownZoneError,
    begins,
    day_of,
    guess_zone,
    in_utc,
    likely_zones,
    next_time,
)
from tests.clock import START

MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)
INSTANT, YEAR = timedelta(microseconds=1), timedelta(days=365)
NAMES = st.sampled_from(sorted(available_timezones() - {"Factory", "localtime"}))


def local(zone: str, day: date, hour: int, minute: int = 0) -> datetime:
    """The moment at which clocks in a zone show this."""
    return datetime.combine(day, time(hour, minute), ZoneInfo(zone))


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/Los_Angeles", "Asia/Kathmandu", "UTC"])
@pytest.mark.parametrize(
    ("day", "hour", "minute", "expected"),
    [
        pytest.param(MONDAY, 23, 50, MONDAY, id="before midnight"),
        pytest.param(TUESDAY, 0, 10, MONDAY, id="after midnight"),
        pytest.param(TUESDAY, 3, 59, MONDAY, id="at the end of the night"),
        pytest.param(TUESDAY, 4, 0, TUESDAY, id="when the day begins"),
        pytest.param(TUESDAY, 12, 0, TUESDAY, id="at noon"),
    ],
)
def test_a_day_lasts_from_four_to_four_on_the_learners_clock(
    zone: str, day: date, hour: int, minute: int, expected: date
) -> None:
    assert day_of(local(zone, day, hour, minute), zone) == expected


def test_one_moment_lies_on_different_days_in_different_zones() -> None:
    moment = datetime(2026, 3, 2, 18, 30, tzinfo=UTC)
    zones = ("America/Los_Angeles", "Asia/Kathmandu", "Asia/Tokyo", "Pacific/Kiritimati")
    assert [day_of(moment, zone) for zone in zones] == [MONDAY, MONDAY, MONDAY, TUESDAY]


@pytest.mark.parametrize(
    ("zone", "day", "expected"),
    [
        ("Europe/Kyiv", date(2026, 3, 28), datetime(2026, 3, 28, 2, tzinfo=UTC)),
        # Clocks go from 03:00 to 04:00.
        ("Europe/Kyiv", date(2026, 3, 29), datetime(2026, 3, 29, 1, tzinfo=UTC)),
        # Clocks go from 04:00 back to 03:00.
        ("Europe/Kyiv", date(2026, 10, 25), datetime(2026, 10, 25, 2, tzinfo=UTC)),
        # Clocks went from 04:00 to 05:00.
        ("Asia/Baku", date(2015, 3, 29), datetime(2015, 3, 29, 0, tzinfo=UTC)),
        # Clocks went from 05:00 back to 04:00.
        ("Asia/Baku", date(2015, 10, 25), datetime(2015, 10, 24, 23, tzinfo=UTC)),
        # A date that Samoa skipped: clocks went from its beginning to its end.
        ("Pacific/Apia", date(2011, 12, 30), datetime(2011, 12, 30, 10, tzinfo=UTC)),
        ("Asia/Kathmandu", MONDAY, datetime(2026, 3, 1, 22, 15, tzinfo=UTC)),
    ],
)
def test_a_day_begins_at_four_or_when_the_clocks_have_skipped_it(
    zone: str, day: date, expected: datetime
) -> None:
    assert begins(day, zone) == expected
    assert begins(day, zone).tzinfo is UTC


@settings(deadline=None)
@given(day=st.dates(date(2000, 1, 1), date(2037, 12, 31)), zone=NAMES)
def test_a_day_is_what_lies_between_two_beginnings_everywhere(day: date, zone: str) -> None:
    assert day_of(begins(day, zone), zone) == day
    assert day_of(begins(day, zone) - INSTANT, zone) == day - timedelta(days=1)


@pytest.mark.parametrize("zone", ["Europe/Kyiv", "America/New_York", "Australia/Lord_Howe", "UTC"])
@pytest.mark.parametrize("start", [date(2026, 3, 1), date(2026, 10, 1)])
def test_a_reminder_keeps_its_minute_for_thirty_days(zone: str, start: date) -> None:
    reminders = [local(zone, start, 19, 45)]
    for _ in range(30):
        late = reminders[-1] + timedelta(seconds=7)  # the next one is planned after this one
        reminders.append(next_time(late, time(19, 45), zone))
    shown = [moment.astimezone(ZoneInfo(zone)) for moment in reminders]
    days = [start + timedelta(days=passed) for passed in range(31)]
    assert [(moment.date(), moment.hour, moment.minute) for moment in shown] == [
        (day, 19, 45) for day in days
    ]


@pytest.mark.parametrize(
    ("zone", "after", "time_of_day", "expected"),
    [
        pytest.param(
            "Europe/Kyiv",
            datetime(2026, 3, 2, 6, 59, tzinfo=UTC),
            time(9),
            datetime(2026, 3, 2, 7, tzinfo=UTC),
            id="later today",
        ),
        pytest.param(
            "Europe/Kyiv",
            datetime(2026, 3, 2, 7, tzinfo=UTC),
            time(9),
            datetime(2026, 3, 3, 7, tzinfo=UTC),
            id="at this very moment: tomorrow",
        ),
        pytest.param(
            "Europe/Kyiv",
            datetime(2026, 3, 28, 12, tzinfo=UTC),
            time(3, 30),
            datetime(2026, 3, 29, 1, tzinfo=UTC),
            id="skipped by the clocks: the first moment after",
        ),
        pytest.param(
            "Europe/Kyiv",
            datetime(2026, 3, 29, 1, tzinfo=UTC),
            time(3, 30),
            datetime(2026, 3, 30, 0, 30, tzinfo=UTC),
            id="after a skipped one: the usual time",
        ),
        pytest.param(
            "Europe/Kyiv",
            datetime(2026, 10, 24, 12, tzinfo=UTC),
            time(3, 30),
            datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
            id="shown twice by the clocks: the first",
        ),
        pytest.param(
            "Europe/Kyiv",
            datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
            time(3, 30),
            datetime(2026, 10, 26, 1, 30, tzinfo=UTC),
            id="shown twice by the clocks: once",
        ),
        pytest.param(
            "Australia/Lord_Howe",
            datetime(2026, 10, 3, 12, tzinfo=UTC),
            time(2, 15),
            datetime(2026, 10, 3, 15, 30, tzinfo=UTC),
            id="skipped by clocks that change by half an hour",
        ),
        pytest.param(
            "Asia/Tokyo",
            datetime(2026, 3, 2, 15, 30, tzinfo=UTC),
            time(0, 15),
            datetime(2026, 3, 3, 15, 15, tzinfo=UTC),
            id="where the date is ahead of that of UTC",
        ),
        pytest.param(
            "America/Los_Angeles",
            datetime(2026, 3, 3, 2, tzinfo=UTC),
            time(21),
            datetime(2026, 3, 3, 5, tzinfo=UTC),
            id="where the date is behind that of UTC",
        ),
    ],
)
def test_a_time_of_day_comes_next(
    zone: str, after: datetime, time_of_day: time, expected: datetime
) -> None:
    assert next_time(after, time_of_day, zone) == expected


@settings(deadline=None)
@given(st.timedeltas(-26 * YEAR, 11 * YEAR), st.times(), NAMES)
def test_the_next_time_is_never_past_and_never_far(
    passed: timedelta, time_of_day: time, zone: str
) -> None:
    moment = START + passed
    wait = next_time(moment, time_of_day, zone) - moment
    assert timedelta(0) < wait <= timedelta(days=2)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("uk", "Europe/Kyiv"),
        ("uk-UA", "Europe/Kyiv"),
        ("ro", "Europe/Bucharest"),
        ("RU", "Europe/Moscow"),
        ("pt_br", "America/Sao_Paulo"),
        ("pt", "UTC"),
        ("en", "UTC"),
        ("xx", "UTC"),
        ("", "UTC"),
        (None, "UTC"),
    ],
)
def test_a_zone_is_guessed_from_the_language_where_it_tells_one(
    language: str | None, expected: str
) -> None:
    assert guess_zone(language) == expected


@pytest.mark.parametrize("language", ["en", "ro", "uk", "ru", "de", "pt-br", "xx", "", None])
def test_six_to_ten_zones_are_offered_the_guessed_one_among_them(language: str | None) -> None:
    zones = likely_zones(language)
    assert 6 <= len(zones) <= 10
    assert len(set(zones)) == len(zones)
    assert guess_zone(language) in zones
    afternoon = START + timedelta(hours=4)
    assert [day_of(afternoon, zone) for zone in zones] == [MONDAY] * len(zones)


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("Kyiv", "Did you mean Europe/Kyiv?"),
        (" new york ", "Did you mean America/New_York?"),
        ("Berln", "Did you mean Europe/Berlin?"),
        ("Nowhere/Land", "Write one such as Europe/Kyiv or America/New_York."),
        ("Europe", "Write one such as Europe/Kyiv or America/New_York."),
        ("localtime", "Write one such as Europe/Kyiv or America/New_York."),
        ("../../etc/passwd", "Write one such as Europe/Kyiv or America/New_York."),
        ("Europe/\0", "Write one such as Europe/Kyiv or America/New_York."),
        ("", "Write one such as Europe/Kyiv or America/New_York."),
        ("Київ" * 1000, "Write one such as Europe/Kyiv or America/New_York."),
    ],
)
def test_an_unknown_zone_is_refused_with_advice(name: str, advice: str) -> None:
    with pytest.raises(UnknownZoneError) as caught:
        day_of(START, name)
    assert str(caught.value).endswith(f"”. {advice}")
    assert len(str(caught.value)) < 200


def test_a_moment_without_a_zone_is_refused() -> None:
    naive = START.replace(tzinfo=None)
    for ask in (in_utc, lambda moment: day_of(moment, "UTC")):
        with pytest.raises(ValueError, match="has no time zone"):
            ask(naive)
    with pytest.raises(ValueError, match="has no time zone"):
        next_time(naive, time(9), "UTC")
