"""Waits grow, and end at a limit that no outage is too long for."""

import pytest
from telegram.error import RetryAfter

from bot.backoff import LONGEST_ASKED_SECONDS, seconds_after, seconds_asked_for


@pytest.mark.parametrize(
    ("failures", "seconds"), [(1, 1.0), (2, 2.0), (3, 4.0), (5, 16.0), (6, 30.0), (100_000, 30.0)]
)
def test_a_wait_doubles_up_to_a_limit(failures: int, seconds: float) -> None:
    assert seconds_after(failures) == seconds


def test_no_wait_that_is_asked_for_is_obeyed_for_longer_than_a_day() -> None:
    waits = [seconds_asked_for(RetryAfter(seconds)) for seconds in (3, 10**10, -5)]
    assert waits == [3, LONGEST_ASKED_SECONDS, 0]
