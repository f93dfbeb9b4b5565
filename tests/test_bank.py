"""The shipped quizzes: whole in each language, well formed, and taught well."""

import re
from itertools import chain
from typing import NamedTuple

import pytest

from bot.texts import locale_files
from quizzes.catalog import SHIPPED_BANK, load
from quizzes.quiz import Question, Quiz

CATALOG, FAULTS = load([SHIPPED_BANK])

WHOLE_LANGUAGES = {"ro", "ru", "uk"}
"""What every quiz is translated into; other translations come one by one."""

IDS = {
    "gradient-accumulation": [
        "what-accumulation-enables",
        "effective-batch-4-by-8",
        "when-to-step-and-clear",
        "scale-micro-batch-loss",
        "normalization-that-fits",
        "main-cost",
        "cleared-after-every-micro-batch",
        "batchnorm-four-micro-batches",
    ],
    "gradient-clipping": [
        "clip-by-norm-keeps",
        "clip-by-norm-above-threshold",
        "problem-clipping-solves",
        "clip-by-value-differs",
        "large-norm-before-update",
        "dp-sgd-per-example-role",
        "norm-twice-threshold",
        "dp-sgd-clip-before-noise",
    ],
    "lookahead-and-lion": [
        "lion-defining-operation",
        "lookahead-structure",
        "lion-discovery",
        "lion-memory",
        "lion-smaller-learning-rate",
        "lookahead-practical-advantage",
        "slow-weights-alpha-quarter",
        "fast-weights-restart",
    ],
}

MARKS = frozenset("\"'`´«»„“”‚‘’")
"""Quotation marks and apostrophes of all languages."""


class Writing(NamedTuple):
    """How a language is written."""

    marks: str
    """Of all `MARKS` its own."""
    foreign_letters: str
    """Those that easily slip in from a neighbour's alphabet; none for most languages."""


WRITING = {
    "en": Writing(marks="“”‘’'", foreign_letters=""),
    # The foreign letters have a cedilla instead of a comma.
    "ro": Writing(marks="„”«»", foreign_letters="şţŞŢ"),
    "ru": Writing(marks="«»„“", foreign_letters="іїєґІЇЄҐ"),
    "uk": Writing(marks="«»„“’", foreign_letters="ыэъёЫЭЪЁ"),
}

LATIN_NAMES = ("EvoLved Sign Momentum",)
"""Names of several words that have no translation."""

VISIBLY_LONGER = 1.1

quizzes = pytest.mark.parametrize("quiz_id", CATALOG.quizzes)
versions = pytest.mark.parametrize(
    ("quiz_id", "language"),
    [(quiz_id, language) for quiz_id in CATALOG.quizzes for language in CATALOG.languages(quiz_id)],
)
translations = pytest.mark.parametrize(
    ("quiz_id", "language"),
    [(quiz_id, tag) for quiz_id in CATALOG.quizzes for tag in CATALOG.languages(quiz_id)[1:]],
)


def in_language(quiz_id: str, language: str) -> Quiz:
    quiz = CATALOG.quiz(quiz_id, language, None)
    assert quiz
    return quiz


def writing(language: str) -> Writing:
    """How a language is written."""
    assert language in WRITING, f"Add a row for {language} to WRITING in tests/test_bank.py."
    return WRITING[language]


def prose(quiz: Quiz) -> list[str]:
    """All that is written in a language: no ids, no code, no sources."""
    texts = [quiz.title, quiz.description]
    for question in quiz.questions:
        texts += [question.ask, question.explain]
        texts += chain.from_iterable((choice.text, choice.why) for choice in question.choices)
    return [text for text in texts if text]


def numbers(text: str) -> set[str]:
    """The numbers in a text, without what languages write differently in them."""
    ungrouped = re.sub(r"(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))", "", text)
    return {number.replace(",", ".") for number in re.findall(r"\d+(?:[.,]\d+)?", ungrouped)}


def code_words(text: str) -> set[str]:
    """What is called, and names with an underscore: no language translates them."""
    return set(re.findall(r"[A-Za-z_][\w.]*\(|\w*_\w+", text))


def has_several_words(text: str) -> bool:
    """Whether languages surely say it differently: not so a number, a term or code."""
    words = [word.strip(".,:;!?()") for word in text.split()]
    return sum(len(word) > 1 and word.isalpha() for word in words) > 1


def sentences(text: str) -> int:
    return len(re.findall(r"[.!?](?=\s|$)", text))


def test_the_bank_has_neither_faults_nor_warnings() -> None:
    assert list(map(str, FAULTS)) == []


def test_how_each_language_is_written_is_known_and_no_others() -> None:
    translated = chain.from_iterable(map(CATALOG.languages, CATALOG.quizzes))
    assert sorted(WRITING) == sorted({*locale_files(), *translated}), (
        "WRITING in tests/test_bank.py has one row for each language of bot/locales and the bank"
    )


def test_ids_stay_as_they_are() -> None:
    found = {
        quiz_id: [question.id for question in in_language(quiz_id, "en").questions]
        for quiz_id in CATALOG.quizzes
    }
    assert found == IDS, (
        "never rename or remove an id: the progress of learners hangs on it; add new ones here"
    )


@quizzes
def test_a_quiz_is_written_in_english_and_has_its_translations(quiz_id: str) -> None:
    own, *translated = CATALOG.languages(quiz_id)
    assert own == "en"
    assert sorted(WHOLE_LANGUAGES - set(translated)) == []


@quizzes
def test_a_quiz_says_what_it_is_about_how_hard_it_is_and_what_to_read(quiz_id: str) -> None:
    quiz = in_language(quiz_id, "en")
    assert [name for name in ("description", "level", "guide") if not getattr(quiz, name)] == []


@versions
def test_no_letter_is_of_a_neighbours_alphabet(quiz_id: str, language: str) -> None:
    texts = prose(in_language(quiz_id, language))
    assert [text for text in texts if set(text) & set(writing(language).foreign_letters)] == []


@quizzes
def test_romanian_is_written_with_its_diacritics(quiz_id: str) -> None:
    quiz = in_language(quiz_id, "ro")
    explanations = {question.id: question.explain or "" for question in quiz.questions}
    assert [name for name, text in explanations.items() if not set(text) & set("ăâîșț")] == []


@versions
def test_quotation_marks_and_apostrophes_are_those_of_the_language(
    quiz_id: str, language: str
) -> None:
    foreign = MARKS - set(writing(language).marks)
    texts = prose(in_language(quiz_id, language))
    assert [text for text in texts if set(text) & foreign] == []
    assert [text for text in texts if text.count("«") != text.count("»")] == []


@translations
def test_no_text_of_several_words_is_a_copy_of_the_english_one(quiz_id: str, language: str) -> None:
    english = set(prose(in_language(quiz_id, "en")))
    copies = english.intersection(prose(in_language(quiz_id, language)))
    left = {text for text in copies if has_several_words(text)}
    assert sorted(left.difference(LATIN_NAMES)) == []


@pytest.mark.parametrize("language", ["ru", "uk"])
@quizzes
def test_no_sentence_is_left_in_english(quiz_id: str, language: str) -> None:
    words = r"(?<![\w.(])[A-Za-z][a-z]+(?:[ ,:;-]+[A-Za-z][A-Za-z]+){2,}(?![\w(])"
    runs = re.findall(words, "\n".join(prose(in_language(quiz_id, language))))
    assert [run for run in runs if run not in LATIN_NAMES] == []


@versions
def test_a_question_has_one_right_choice_and_a_why_for_each_wrong_one(
    quiz_id: str, language: str
) -> None:
    for question in in_language(quiz_id, language).questions:
        assert len(question.correct) == 1, question.id
        unexplained = {i for i, choice in enumerate(question.choices) if not choice.why}
        assert unexplained == question.correct, question.id


@versions
def test_an_explanation_is_a_few_sentences(quiz_id: str, language: str) -> None:
    most = 4 if language == "en" else 5  # A translation may need one more.
    counts = {
        question.id: sentences(question.explain or "")
        for question in in_language(quiz_id, language).questions
    }
    assert {name: count for name, count in counts.items() if not 2 <= count <= most} == {}


@versions
def test_the_right_choice_does_not_give_itself_away_by_its_length(
    quiz_id: str, language: str
) -> None:
    """Who always picks what is visibly the longest is right in half of the questions at most."""

    def gives_itself_away(question: Question) -> bool:
        right = max(len(choice.text) for choice in question.choices if choice.correct)
        wrong = max(len(choice.text) for choice in question.choices if not choice.correct)
        return right > wrong * VISIBLY_LONGER

    questions = in_language(quiz_id, language).questions
    given_away = [question.id for question in questions if gives_itself_away(question)]
    assert len(given_away) <= len(questions) / 2, given_away


@quizzes
def test_the_right_choice_stands_in_different_places(quiz_id: str) -> None:
    questions = in_language(quiz_id, "en").questions
    places = [min(question.correct) for question in questions]
    assert max(map(places.count, places)) <= len(questions) / 2, places


@quizzes
def test_most_questions_have_a_snippet_and_a_source(quiz_id: str) -> None:
    questions = in_language(quiz_id, "en").questions
    assert sum(question.snippet is not None for question in questions) >= len(questions) * 5 / 8
    assert sum(question.source is not None for question in questions) >= len(questions) * 6 / 8


@quizzes
def test_a_snippet_says_what_it_prints(quiz_id: str) -> None:
    snippets = [(q.id, q.snippet) for q in in_language(quiz_id, "en").questions if q.snippet]
    assert [name for name, snippet in snippets if not snippet.prints] == []


@translations
def test_numbers_and_code_are_the_same_in_each_language(quiz_id: str, language: str) -> None:
    source = in_language(quiz_id, "en").questions
    translated = in_language(quiz_id, language).questions
    for question, translation in zip(source, translated, strict=True):
        explained, again = question.explain or "", translation.explain or ""
        assert numbers(again) == numbers(explained), question.id
        assert code_words(again) == code_words(explained), question.id
        choices = [code_words(choice.text) for choice in question.choices]
        assert [code_words(choice.text) for choice in translation.choices] == choices, question.id
