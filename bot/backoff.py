"""How long to wait before asking again what fails."""

FIRST_SECONDS = 1.0
LAST_SECONDS = 30.0


def seconds_after(failures: int) -> float:
    """The wait after so many failures in a row, from 1: twice as long each time, up to a limit."""
    # The exponent is bounded, too: an outage of a night would make the power overflow.
    return min(LAST_SECONDS, FIRST_SECONDS * 2.0 ** min(failures - 1, 10))
