"""The bot's own words: each text in each language, with its variables, plurals and numbers."""

import ast
import logging
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from babel import Locale
from fluent.syntax import FluentParser
from fluent.syntax import ast as ftl
from fluent.syntax.visitor import Visitor
from hypothesis import given, settings
from hypothesis import strategies as st
from telegram.constants import BotCommandLimit, BotDescriptionLimit, CallbackQueryLimit

import bot
from bot.commands import COMMANDS
from bot.texts import MissingTextError, Texts, locale_files, own_name
from quizzes.quiz import Level
from tests.test_bank import MARKS, has_several_words, writing

SOURCE = "en"
TEXTS = Texts.shipped(SOURCE)
LANGUAGES = TEXTS.languages
TRANSLATIONS = [language for language in LANGUAGES if language.split("-")[0] != SOURCE]
PLURAL_FORMS = frozenset(("zero", "one", "two", "few", "many", "other"))
NUMBERS = (0, 1, 2, 4, 5, 11, 12, 14, 20, 21, 22, 25, 100, 101, 111, 112)


@cache
def messages(language: str) -> dict[str, ftl.Message]:
    """The texts of a locale file by name."""
    resource = FluentParser().parse(locale_files()[language])
    unreadable = [entry.content for entry in resource.body if isinstance(entry, ftl.Junk)]
    assert unreadable == []
    return {entry.id.name: entry for entry in resource.body if isinstance(entry, ftl.Message)}


class _Parts(Visitor):
    def __init__(self) -> None:
        self.variables: set[str] = set()
        self.plurals: list[tuple[str, set[str]]] = []

    def visit_VariableReference(self, node: ftl.VariableReference) -> None:  # noqa: N802
        self.variables.add(node.id.name)

    def visit_SelectExpression(self, node: ftl.SelectExpression) -> None:  # noqa: N802
        forms = {v.key.name for v in node.variants if isinstance(v.key, ftl.Identifier)}
        if isinstance(node.selector, ftl.VariableReference) and forms <= PLURAL_FORMS:
            self.plurals.append((node.selector.id.name, forms))
        self.generic_visit(node)


def parts(language: str, name: str) -> _Parts:
    found = _Parts()
    found.visit(messages(language)[name])
    return found


def samples(language: str) -> dict[str, str]:
    """Each text as it reads with the number 5 for whatever is put in."""
    words = TEXTS.words(language)
    return {
        name: words(name, **dict.fromkeys(parts(language, name).variables, 5))
        for name in messages(language)
    }


def is_name_of_texts(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name.lstrip("_") == "texts"


def syntax_trees() -> Iterator[ast.Module]:
    for file in sorted(Path(bot.__file__).parent.rglob("*.py")):
        yield ast.parse(file.read_text("utf-8"))


def asks_for_text(call: ast.Call) -> bool:
    """Whether a call is `words(...)` or `turn.words(...)`, but not `texts.words(language)`."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr == "words" and not is_name_of_texts(call.func.value)
    return isinstance(call.func, ast.Name) and call.func.id == "words"


def calls_for_texts(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and asks_for_text(node):
            yield node


def names_meant(expression: ast.expr) -> list[str]:
    """The texts that the first argument of a call may name; none where it is a variable."""
    match expression:
        case ast.Constant(str(name)):
            return [name]
        case ast.IfExp(body=one, orelse=other):
            return names_meant(one) + names_meant(other)
        case ast.JoinedStr(values):
            pattern = "".join(
                re.escape(str(value.value)) if isinstance(value, ast.Constant) else "[a-z-]+"
                for value in values
            )
            found = [name for name in messages(SOURCE) if re.fullmatch(pattern, name)]
            return found or [ast.unparse(expression)]
    return []


def one_a_line(faults: Mapping[str, object]) -> str:
    """Faults by the name of their text: what pytest shows of a long dict is cut."""
    return "\n" + "\n".join(f"{name}: {fault}" for name, fault in faults.items())


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_the_texts_of_the_source_and_no_other(language: str) -> None:
    found, wanted = messages(language), messages(SOURCE)
    faults = {name: f"is missing in {language}.ftl" for name in wanted if name not in found}
    faults |= {name: f"is not in {SOURCE}.ftl" for name in found if name not in wanted}
    assert faults == {}, one_a_line(faults)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_stand_in_the_order_of_the_source(language: str) -> None:
    found = [name for name in messages(language) if name in messages(SOURCE)]
    wanted = [name for name in messages(SOURCE) if name in messages(language)]
    moved = [
        f"{one}, not {other}" for one, other in zip(wanted, found, strict=True) if one != other
    ]
    assert moved[:1] == [], f"here {language}.ftl leaves the order of {SOURCE}.ftl"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_has_the_same_variables_in_each_language(language: str) -> None:
    faults = {}
    for name in messages(language):
        found = parts(language, name).variables
        wanted = parts(SOURCE, name).variables if name in messages(SOURCE) else found
        if found != wanted:
            faults[name] = f"has {sorted(found)}, {SOURCE}.ftl {sorted(wanted)}"
    assert faults == {}, one_a_line(faults)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plural_has_all_forms_of_its_language_and_no_other(language: str) -> None:
    wanted = {*Locale.parse(language, sep="-").plural_form.tags, "other"}
    plurals = {name: parts(language, name).plurals for name in messages(language)}
    assert any(plurals.values()) or wanted == {"other"}
    faults = {
        f"${variable} of {name}": f"has {sorted(found)}, {language} needs {sorted(wanted)}"
        for name, given_plurals in plurals.items()
        for variable, found in given_plurals
        if found != wanted
    }
    assert faults == {}, one_a_line(faults)


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_text_of_several_words_is_a_copy_of_the_english_one(language: str) -> None:
    english = samples(SOURCE)
    copies = {
        name: text
        for name, text in samples(language).items()
        if text == english.get(name) and has_several_words(text)
    }
    assert copies == {}, one_a_line(copies)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_text_says_something_and_nothing_in_it_is_left_open(
    language: str, caplog: pytest.LogCaptureFixture
) -> None:
    said = samples(language)
    assert [name for name, text in said.items() if not text.strip()] == []
    assert [name for name, text in said.items() if "{" in text or "}" in text] == []
    assert [name for name, text in said.items() if re.search("</?[a-z]+>|&[a-z]+;", text)] == []
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_and_quotation_marks_are_those_of_the_language(language: str) -> None:
    foreign = {*writing(language).foreign_letters, *(MARKS - set(writing(language).marks))}
    said = samples(language)
    faults = {
        name: f"{' '.join(sorted(set(text) & foreign))} in: {text}"
        for name, text in said.items()
        if set(text) & foreign
    }
    assert faults == {}, one_a_line(faults)


def test_every_text_that_the_code_names_exists_and_gets_its_variables() -> None:
    named = {
        (name, frozenset(keyword.arg for keyword in call.keywords))
        for tree in syntax_trees()
        for call in calls_for_texts(tree)
        for name in names_meant(call.args[0])
    }
    assert named
    assert sorted({name for name, _ in named} - set(messages(SOURCE))) == []
    assert {
        name: sorted(map(str, given_variables))
        for name, given_variables in named
        if None not in given_variables and given_variables != parts(SOURCE, name).variables
    } == {}


def test_no_text_is_left_that_the_code_does_not_name() -> None:
    named: set[str] = set()
    for tree in syntax_trees():
        named.update(
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        )
        for call in calls_for_texts(tree):
            named.update(names_meant(call.args[0]))
    assert [name for name in messages(SOURCE) if name not in named] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_and_level_has_its_text(language: str) -> None:
    wanted = [f"command-{name}" for name in COMMANDS]
    wanted += [f"level-{level}" for level in get_args(Level)]
    assert [name for name in wanted if name not in messages(language)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_keep_within_the_limits_of_the_place_where_they_are_shown(language: str) -> None:
    words = TEXTS.words(language)
    limits = {f"command-{name}": int(BotCommandLimit.MAX_DESCRIPTION) for name in COMMANDS}
    limits["bot-description"] = BotDescriptionLimit.MAX_DESCRIPTION_LENGTH
    limits["bot-short-description"] = BotDescriptionLimit.MAX_SHORT_DESCRIPTION_LENGTH
    limits |= dict.fromkeys(alerts(), CallbackQueryLimit.ANSWER_CALLBACK_QUERY_TEXT_LENGTH)
    limits |= dict.fromkeys(("picture-accuracy", "picture-days", "picture-mastery"), 28)
    limits["picture-answers-a-day"] = 24
    assert "button-old" in limits
    lengths = {
        name: len(words(name, **dict.fromkeys(parts(language, name).variables, "x" * 30)))
        for name in limits.keys() & messages(language).keys()
    }
    assert {name: length for name, length in lengths.items() if length > limits[name]} == {}


def alerts() -> set[str]:
    """The texts that are shown as the answer to a button."""
    return {
        name
        for tree in syntax_trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "alert"
        for call in calls_for_texts(node)
        for name in names_meant(call.args[0])
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_stands_with_the_form_that_its_language_demands(language: str) -> None:
    words = TEXTS.words(language)
    form = Locale.parse(language, sep="-").plural_form
    for name in messages(language):
        found = parts(language, name)
        for variable, _ in found.plurals:
            others = dict.fromkeys(found.variables - {variable}, "x")
            nouns: dict[str, set[str]] = {}
            for number in (*NUMBERS, 1000, 1_000_001):
                text = words(name, **others, **{variable: number})
                nouns.setdefault(form(number), set()).add(re.sub(r"\d[\d.,\s]*", "# ", text))
            assert {category for category, said in nouns.items() if len(said) > 1} == set(), name


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "0 questions, 1 question, 2 questions, 21 questions, 101 questions"),
        (
            "ro",
            "0 întrebări, 1 întrebare, 2 întrebări, 4 întrebări, 5 întrebări, 11 întrebări, "
            "12 întrebări, 14 întrebări, 20 de întrebări, 21 de întrebări, 22 de întrebări, "
            "25 de întrebări, 100 de întrebări, 101 întrebări, 111 întrebări, 112 întrebări",
        ),
        (
            "uk",
            "0 запитань, 1 запитання, 2 запитання, 4 запитання, 5 запитань, 11 запитань, "
            "12 запитань, 14 запитань, 20 запитань, 21 запитання, 22 запитання, 25 запитань, "
            "100 запитань, 101 запитання, 111 запитань, 112 запитань",
        ),
        (
            "ru",
            "0 вопросов, 1 вопрос, 2 вопроса, 4 вопроса, 5 вопросов, 11 вопросов, 12 вопросов, "
            "14 вопросов, 20 вопросов, 21 вопрос, 22 вопроса, 25 вопросов, 100 вопросов, "
            "101 вопрос, 111 вопросов, 112 вопросов",
        ),
    ],
)
def test_questions_are_counted_as_people_count_them(language: str, expected: str) -> None:
    words = TEXTS.words(language)
    numbers = [int(counted.split()[0]) for counted in expected.split(", ")]
    counted = [words("quiz-button-plain", title="T", questions=number) for number in numbers]
    assert ", ".join(text.removeprefix("T · ") for text in counted) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "1,234,567 questions"),
        ("ro", "1.234.567 de întrebări"),
        ("uk", "1\u00a0234\u00a0567 запитань"),
        ("ru", "1\u00a0234\u00a0567 вопросов"),
    ],
)
def test_a_big_number_is_written_as_its_language_writes_it(language: str, expected: str) -> None:
    text = TEXTS.words(language)("quiz-button-plain", title="T", questions=1_234_567)
    assert text == f"T · {expected}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_learner_wrote_is_put_in_as_it_is(language: str) -> None:
    name = "<b>Ada & {Co}</b> *_`\u2019"
    assert name in TEXTS.words(language)("greeting", name=name)


def test_a_text_that_a_language_lacks_is_taken_from_the_default_language() -> None:
    texts = Texts({"en": "only = in English\nboth = English", "uk": "both = українською"}, "uk")
    assert texts.words("uk")("both") == "українською"
    assert texts.words("uk")("only") == "in English"
    assert texts.words("en")("both") == "English"
    texts = Texts({"en": "x = x", "ro": "x = y", "uk": "only = українською"}, "uk")
    assert texts.words("ro")("only") == "українською"


def test_a_default_language_without_texts_speaks_english() -> None:
    assert Texts({"en": "hello = Hello"}, "de").words("de")("hello") == "Hello"


def test_a_text_that_no_language_has_is_named_by_the_error() -> None:
    with pytest.raises(MissingTextError, match=r"^No language has a text named none-such\.$"):
        TEXTS.words("uk")("none-such")


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        (None, "uk"),
        ("", "uk"),
        ("ru", "ru"),
        ("RU", "ru"),
        ("pt-br", "pt-BR"),
        ("pt", "uk"),
        ("zh-hans", "zh-Hans"),
        ("zh-hans-cn", "zh-Hans"),
        ("sr-latn", "sr"),
        ("uz-cyrl", "uk"),
        ("en_US", "en"),
        ("de-at", "de"),
        ("xx", "uk"),
        ("-", "uk"),
    ],
)
def test_a_clients_language_is_its_own_its_base_or_the_default(
    tag: str | None, expected: str
) -> None:
    languages = ("en", "ru", "uk", "de", "sr", "pt-BR", "zh-Hans")
    texts = Texts({language: f"here = {language}" for language in languages}, "uk")
    words = texts.words(tag)
    assert (words.language, words("here")) == (expected, expected)


@settings(deadline=None)
@given(st.text())
def test_any_text_for_a_language_gives_words(tag: str) -> None:
    assert TEXTS.words(tag).language in LANGUAGES


@pytest.mark.parametrize(
    ("language", "expected"), [("he", "שלום \u2068Ada\u2069!"), ("uk", "Вітаю, Ada!")]
)
def test_what_is_put_in_is_set_apart_only_where_people_write_from_right_to_left(
    language: str, expected: str
) -> None:
    source = {"he": "hello = שלום { $name }!", "uk": "hello = Вітаю, { $name }!"}
    assert Texts(source, "uk").words(language)("hello", name="Ada") == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "English"),
        ("ro", "Română"),
        ("ru", "Русский"),
        ("uk", "Українська"),
        ("pt-BR", "Português (Brasil)"),
    ],
)
def test_a_language_calls_itself_by_its_own_name(language: str, expected: str) -> None:
    assert own_name(language) == expected


def test_no_two_languages_call_themselves_by_the_same_name() -> None:
    names = {language: own_name(language) for language in LANGUAGES}
    assert sorted(set(names.values())) == sorted(names.values())
