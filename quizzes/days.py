"""The learner's own days: which one it is, when it begins, when a time of day comes next.

A zone is a name of the IANA time zone database, such as `Europe/Kyiv`.
"""

from bisect import bisect_left
from datetime import UTC, date, datetime, time, timedelta
from difflib import get_close_matches
from functools import cache
from itertools import count
from zoneinfo import ZoneInfo, available_timezones

from quizzes.fault import shown
from quizzes.language import fallbacks

DAY_BEGINS = time(4)
"""On the learner's clock: who learns past midnight is still in the evening before."""
ANYWHERE = "UTC"
"""The zone of a learner of whom nothing is known."""

_ONE_DAY = timedelta(days=1)
_MOST_ALIKE = 3
_MOST_LIKELY_ZONES = 10

# Where most speakers of a language live. No row where they are spread over the world.
_HOMES = {
    "be": "Europe/Minsk",
    "bg": "Europe/Sofia",
    "cs": "Europe/Prague",
    "de": "Europe/Berlin",
    "el": "Europe/Athens",
    "en-gb": "Europe/London",
    "fr": "Europe/Paris",
    "he": "Asia/Jerusalem",
    "hu": "Europe/Budapest",
    "it": "Europe/Rome",
    "ja": "Asia/Tokyo",
    "ka": "Asia/Tbilisi",
    "kk": "Asia/Almaty",
    "ko": "Asia/Seoul",
    "pl": "Europe/Warsaw",
    "pt-br": "America/Sao_Paulo",
    "ro": "Europe/Bucharest",
    "ru": "Europe/Moscow",
    "tr": "Europe/Istanbul",
    "uk": "Europe/Kyiv",
    "uz": "Asia/Tashkent",
}
_LIKELY = {
    "en": (
        "Europe/London",
        "America/New_York",
        "America/Chicago",
        "America/Denver",
        "America/Los_Angeles",
        "Africa/Lagos",
        "Asia/Kolkata",
        "Asia/Singapore",
        "Australia/Sydney",
        "UTC",
    ),
    "ro": (
        "Europe/Bucharest",
        "Europe/Chisinau",
        "Europe/Rome",
        "Europe/Berlin",
        "Europe/Madrid",
        "Europe/Paris",
        "Europe/London",
        "America/New_York",
    ),
    "uk": (
        "Europe/Kyiv",
        "Europe/Warsaw",
        "Europe/Prague",
        "Europe/Berlin",
        "Europe/Rome",
        "Europe/Madrid",
        "Europe/Lisbon",
        "Europe/London",
        "America/New_York",
        "America/Toronto",
    ),
    "ru": (
        "Europe/Moscow",
        "Europe/Kaliningrad",
        "Europe/Minsk",
        "Europe/Samara",
        "Asia/Yekaterinburg",
        "Asia/Almaty",
        "Asia/Tashkent",
        "Asia/Novosibirsk",
        "Asia/Vladivostok",
        "Europe/Berlin",
    ),
}
_WORLD = (
    "UTC",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Istanbul",
    "Asia/Dubai",
    "Asia/Kolkata",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "America/New_York",
    "America/Sao_Paulo",
)


class UnknownZoneError(ValueError):
    """A name that no time zone has."""

    def __init__(self, name: str) -> None:
        self.alike = _alike(name)
        """Zones that may have been meant, best first; often none."""
        advice = (
            f"Did you mean {' or '.join(self.alike)}?"
            if self.alike
            else "Write one such as Europe/Kyiv or America/New_York."
        )
        super().__init__(f"There is no time zone “{shown(name)}”. {advice}")


def in_utc(moment: datetime) -> datetime:
    """The same moment in UTC. Raises ValueError for a naive one."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment!r} has no time zone: pass an aware moment.")
    return moment.astimezone(UTC)


def day_of(moment: datetime, zone: str) -> date:
    """The learner's own day at a moment: the date, or until 04:00 the date before.

    Numbers, streaks and reminders all go by this. Raises UnknownZoneError.
    """
    before_day = timedelta(hours=DAY_BEGINS.hour)
    return (_shown(in_utc(moment), _zone(zone)) - before_day).date()


def local(moment: datetime, zone: str) -> datetime:
    """What a clock on the wall shows at a moment, as a naive datetime. Raises UnknownZoneError."""
    return _shown(in_utc(moment), _zone(zone))


def begins(day: date, zone: str) -> datetime:
    """The moment at which a learner's day begins, in UTC. Raises UnknownZoneError."""
    return _first_moment(datetime.combine(day, DAY_BEGINS), _zone(zone))


def next_time(after: datetime, time_of_day: time, zone: str) -> datetime:
    """The next moment, in UTC, at which clocks in the zone show a time of day.

    Once a day: the first time where clocks show it twice, the first moment after the gap where
    they skip it. Raises UnknownZoneError.
    """
    after, clock = in_utc(after), _zone(zone)
    today = _shown(after, clock).date()
    moments = (
        _first_moment(datetime.combine(today + days * _ONE_DAY, time_of_day), clock)
        for days in count()
    )
    return next(moment for moment in moments if moment > after)


def guess_zone(language: str | None) -> str:
    """The zone where most speakers of a language live; UTC where that can't be said.

    Takes whatever a client sends as a language.
    """
    return next((_HOMES[tag] for tag in fallbacks(language) if tag in _HOMES), ANYWHERE)


def likely_zones(language: str | None) -> tuple[str, ...]:
    """6 to 10 zones to offer to a speaker of a language, the guessed one among them."""
    for tag in fallbacks(language):
        if tag in _LIKELY:
            return _LIKELY[tag]
    return tuple(dict.fromkeys((guess_zone(language), *_WORLD)))[:_MOST_LIKELY_ZONES]


def _zone(name: str) -> ZoneInfo:
    if name not in _known():
        raise UnknownZoneError(name)
    return ZoneInfo(name)


@cache
def _known() -> frozenset[str]:
    # "localtime" is where the server stands, which is nothing to a learner.
    return frozenset(available_timezones() - {"Factory", "localtime"})


def _alike(name: str) -> tuple[str, ...]:
    """Zones with a similar name or city: `kyiv` and `europe/kyiv` find Europe/Kyiv."""
    by_name = {zone.rpartition("/")[2].casefold(): zone for zone in sorted(_known())}
    by_name |= {zone.casefold(): zone for zone in _known()}
    wanted = shown(name.strip()).replace(" ", "_").casefold()
    matches = get_close_matches(wanted, sorted(by_name), _MOST_ALIKE, cutoff=0.8)
    return tuple(dict.fromkeys(by_name[match] for match in matches))


def _shown(moment: datetime, clock: ZoneInfo) -> datetime:
    """What a clock on the wall shows at a moment."""
    return moment.astimezone(clock).replace(tzinfo=None)


def _first_moment(wall: datetime, clock: ZoneInfo) -> datetime:
    """The first moment at which a clock on the wall shows this time or has just skipped it."""
    early, late = sorted(wall.replace(tzinfo=clock, fold=fold).astimezone(UTC) for fold in (0, 1))
    if _shown(early, clock) == wall:
        return early
    # The clock skips this time, at a moment between the two.
    seconds = bisect_left(
        range(int((late - early).total_seconds())),
        wall,
        key=lambda passed: _shown(early + timedelta(seconds=passed), clock),
    )
    return early + timedelta(seconds=seconds)
