"""How long to wait before asking again what fails."""

from datetime import timedelta

from telegram.error import RetryAfter, TelegramError

FIRST_SECONDS = 1.0
LAST_SECONDS = 30.0

LONGEST_ASKED_SECONDS = 86_400.0
"""Of the waits that are asked for."""


def seconds_after(failures: int) -> float:
    """The wait after so many failures in a row, from 1: twice as long each time, up to a limit."""
    # The exponent is bounded, too: an outage of a night would make the power overflow.
    return min(LAST_SECONDS, FIRST_SECONDS * 2.0 ** min(failures - 1, 10))


def seconds_asked_for(error: RetryAfter) -> float:
    """The wait that Telegram itself asks for, at most a day: more is no answer of Telegram's."""
    span = error.retry_after
    seconds = span.total_seconds() if isinstance(span, timedelta) else float(span)
    return max(0.0, min(seconds, LONGEST_ASKED_SECONDS))


def seconds_until_next(error: TelegramError, failures: int) -> float:
    """The wait as Telegram asks for it, else by how often it failed."""
    return seconds_asked_for(error) if isinstance(error, RetryAfter) else seconds_after(failures)
