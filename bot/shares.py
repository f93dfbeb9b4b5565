"""Shares, as a learner reads them in a text and on the picture alike."""

from babel import Locale
from babel.numbers import format_percent


def percent(share: float, locale: Locale | str) -> str:
    """A share in whole percent; none or all only where it is just that."""
    shown = share if share in (0.0, 1.0) else min(0.99, max(0.01, share))
    return str(format_percent(shown, locale=locale))
