"""Language tags (BCP 47): which ones there are, and which to try for a learner."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from babel import Locale
from babel.core import get_global

_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|[0-9]{3}))?", re.I
)


@lru_cache(maxsize=1024)  # clients send what they like, but most send the same
def fallbacks(tag: str | None) -> tuple[str, ...]:
    """What to try for a tag, best first, in lower case: `("pt-br", "pt")` for `pt_BR`.

    Takes whatever a client sends; None and "" give nothing.
    """
    parts = [part for part in re.split("[-_]", (tag or "").strip().lower()) if part]
    return tuple("-".join(parts[:length]) for length in range(len(parts), 0, -1))


def best(tag: str | None, available: Iterable[str]) -> str | None:
    """The available language that suits a tag best: the tag itself, or its base; else None."""
    known = {language.lower(): language for language in available}
    return next((known[one] for one in fallbacks(tag) if one in known), None)


def fault_of_tag(tag: str) -> str | None:
    """What is wrong with a tag that a file gives, as the end of a sentence; None when it is fine.

    Known are the languages, scripts and regions of the Unicode CLDR.
    """
    match = _TAG.fullmatch(tag)
    if match is None:
        return "is no language tag: write one such as uk or pt-BR"
    language, script, region = match["language"].lower(), match["script"], match["region"]
    names = _english()
    if language not in names.languages:
        spoken = _language_of_country(language)
        advice = f": the language of that country is {spoken}" if spoken else ""
        return f"is no known language{advice}"
    if script and script.title() not in names.scripts:
        return f"has the unknown script {script}"
    if region and region.upper() not in names.territories:
        return f"has the unknown region {region}"
    written = "-".join(
        part for part in (language, script and script.title(), region and region.upper()) if part
    )
    return None if tag == written else f"is written {written}"


@cache
def _english() -> Locale:
    return Locale("en")


def _language_of_country(code: str) -> str | None:
    likely: str | None = get_global("likely_subtags").get(f"und_{code.upper()}")
    return likely.split("_")[0] if likely else None
