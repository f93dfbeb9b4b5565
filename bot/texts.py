"""The bot's own words, from Fluent files, in each language."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from babel import Locale
from fluent.runtime import FluentBundle, FluentResource

from quizzes import language as tags

_MOST_REMEMBERED = 2000
"""Texts that are kept ready in one language: most have few values, such as 3/8."""

log = logging.getLogger(__name__)


class MissingTextError(LookupError):
    """No language has a text of this name."""


@dataclass(frozen=True)
class Words:
    """The texts in one language, with the default language behind them."""

    language: str
    bundles: tuple[FluentBundle, ...]
    _said: dict[object, str] = field(default_factory=dict, compare=False, repr=False)
    """Some of the texts that were asked for, by name and values."""

    @property
    def locale(self) -> str:
        """The language as Babel writes it."""
        return self.language.replace("-", "_")

    def __call__(self, name: str, /, **values: str | int) -> str:
        """The text of this name. Values are put in as they are: escape where markup is meant."""
        said = (name, *values.items())
        if said not in self._said:
            if len(self._said) == _MOST_REMEMBERED:
                self._said.clear()
            self._said[said] = self._format(name, values)
        return self._said[said]

    def _format(self, name: str, values: dict[str, str | int]) -> str:
        for bundle in self.bundles:
            if bundle.has_message(name) and (pattern := bundle.get_message(name).value):
                text, errors = bundle.format_pattern(pattern, values)
                if errors:
                    log.error("Text %s in %s: %s", name, self.language, errors)
                return str(text)
        raise MissingTextError(f"No language has a text named {name}.")


class Texts:
    """The locale files by language."""

    def __init__(self, sources: Mapping[str, str], default_language: str) -> None:
        self.default_language = default_language
        self._sources = sources
        self._words: dict[str, Words] = {}

    @classmethod
    def shipped(cls, default_language: str) -> "Texts":
        """The texts that come with the bot."""
        return cls(locale_files(), default_language)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the bot speaks, in alphabetical order of their tags."""
        return tuple(sorted(self._sources))

    def words(self, wanted: str | None) -> Words:
        """The texts for a language tag as clients send it; any tag will do."""
        language = tags.best(wanted, self._sources) or self.default_language
        if language not in self._words:
            chain = dict.fromkeys((language, self.default_language, "en"))
            bundles = tuple(
                _bundle(one, self._sources[one]) for one in chain if one in self._sources
            )
            self._words[language] = Words(language, bundles)
        return self._words[language]


def locale_files() -> dict[str, str]:
    """The text of each shipped locale file, by language."""
    return {
        file.name.removesuffix(".ftl"): file.read_text("utf-8")
        for file in resources.files("bot.locales").iterdir()
        if file.name.endswith(".ftl")
    }


def own_name(language: str) -> str:
    """What a language calls itself, as a title: `Українська`."""
    name = Locale.parse(language, sep="-").get_display_name()
    return name[:1].upper() + name[1:] if name else language


# Reading a file takes some 25 ms: only when a language is first spoken, and only once, however many
# bots start in this process, as in the demo and the tests.
@cache
def _bundle(language: str, text: str) -> FluentBundle:
    right_to_left = Locale.parse(language, sep="-").text_direction == "rtl"
    bundle = FluentBundle([language], use_isolating=right_to_left)
    bundle.add_resource(FluentResource(text))
    return bundle
