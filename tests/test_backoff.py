"""Waits grow, and end at a limit that no outage is too long for."""

import pytest

from bot.backoff import seconds_after


@pytest.mark.parametrize(
    ("failures", "seconds"), [(1, 1.0), (2, 2.0), (3, 4.0), (5, 16.0), (6, 30.0), (100_000, 30.0)]
)
def test_a_wait_doubles_up_to_a_limit(failures: int, seconds: float) -> None:
    assert seconds_after(failures) == seconds
