"""The shipped quizzes: whole in each language, well formed, and taught well."""

import re
from itertools import chain

import pytest

from quizzes.catalog import SHIPPED_BANK, load
from quizzes.quiz import Question, Quiz

LANGUAGES = ("en", "ro", "ru", "uk")
CATALOG, FAULTS = load([SHIPPED_BANK])

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

FOREIGN_LETTERS = {"en": "", "ro": "şţŞŢ", "ru": "іїєґІЇЄҐ", "uk": "ыэъёЫЭЪЁ"}
"""Of a neighbour's alphabet; in Romanian the letters with a cedilla instead of a comma."""

MARKS = frozenset("\"'`´«»„“”‚‘’")
OWN_MARKS = {"en": "“”‘’'", "ro": "„”«»", "ru": "«»„“", "uk": "«»„“’"}
"""Quotation marks and apostrophes as each language writes them, of all `MARKS`."""

# Names without a translation that are longer than two words.
LATIN_NAMES = ("EvoLved Sign Momentum",)

VISIBLY_LONGER = 1.1

quizzes = pytest.mark.parametrize("quiz_id", CATALOG.quizzes)
languages = pytest.mark.parametrize("language", LANGUAGES)


def in_language(quiz_id: str, language: str) -> Quiz:
    quiz = CATALOG.quiz(quiz_id, language, None)
    assert quiz
    return quiz


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


def sentences(text: str) -> int:
    return len(re.findall(r"[.!?](?=\s|$)", text))


def test_the_bank_has_neither_faults_nor_warnings() -> None:
    assert list(map(str, FAULTS)) == []


def test_ids_stay_as_they_are() -> None:
    found = {
        quiz_id: [question.id for question in in_language(quiz_id, "en").questions]
        for quiz_id in CATALOG.quizzes
    }
    assert found == IDS, (
        "never rename or remove an id: the progress of learners hangs on it; add new ones here"
    )


@quizzes
def test_a_quiz_is_written_in_english_and_whole_in_each_language(quiz_id: str) -> None:
    own, *translations = CATALOG.languages(quiz_id)
    assert (own, sorted(translations)) == ("en", ["ro", "ru", "uk"])


@quizzes
def test_a_quiz_says_what_it_is_about_how_hard_it_is_and_what_to_read(quiz_id: str) -> None:
    quiz = in_language(quiz_id, "en")
    assert [name for name in ("description", "level", "guide") if not getattr(quiz, name)] == []


@languages
@quizzes
def test_no_letter_is_of_a_neighbours_alphabet(quiz_id: str, language: str) -> None:
    texts = prose(in_language(quiz_id, language))
    assert [text for text in texts if set(text) & set(FOREIGN_LETTERS[language])] == []


@quizzes
def test_romanian_is_written_with_its_diacritics(quiz_id: str) -> None:
    quiz = in_language(quiz_id, "ro")
    explanations = {question.id: question.explain or "" for question in quiz.questions}
    assert [name for name, text in explanations.items() if not set(text) & set("ăâîșț")] == []


@languages
@quizzes
def test_quotation_marks_and_apostrophes_are_those_of_the_language(
    quiz_id: str, language: str
) -> None:
    foreign = MARKS - set(OWN_MARKS[language])
    texts = prose(in_language(quiz_id, language))
    assert [text for text in texts if set(text) & foreign] == []
    assert [text for text in texts if text.count("«") != text.count("»")] == []


@pytest.mark.parametrize("language", ["ru", "uk"])
@quizzes
def test_no_sentence_is_left_in_english(quiz_id: str, language: str) -> None:
    words = r"(?<![\w.(])[A-Za-z][a-z]+(?:[ ,:;-]+[A-Za-z][A-Za-z]+){2,}(?![\w(])"
    runs = re.findall(words, "\n".join(prose(in_language(quiz_id, language))))
    assert [run for run in runs if run not in LATIN_NAMES] == []


@languages
@quizzes
def test_a_question_has_one_right_choice_and_a_why_for_each_wrong_one(
    quiz_id: str, language: str
) -> None:
    for question in in_language(quiz_id, language).questions:
        assert len(question.correct) == 1, question.id
        unexplained = {i for i, choice in enumerate(question.choices) if not choice.why}
        assert unexplained == question.correct, question.id


@languages
@quizzes
def test_an_explanation_is_a_few_sentences(quiz_id: str, language: str) -> None:
    most = 4 if language == "en" else 5  # A translation may need one more.
    counts = {
        question.id: sentences(question.explain or "")
        for question in in_language(quiz_id, language).questions
    }
    assert {name: count for name, count in counts.items() if not 2 <= count <= most} == {}


@languages
@quizzes
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


@pytest.mark.parametrize("language", ["ro", "ru", "uk"])
@quizzes
def test_numbers_and_code_are_the_same_in_each_language(quiz_id: str, language: str) -> None:
    source = in_language(quiz_id, "en").questions
    translated = in_language(quiz_id, language).questions
    for question, translation in zip(source, translated, strict=True):
        explained, again = question.explain or "", translation.explain or ""
        assert numbers(again) == numbers(explained), question.id
        assert code_words(again) == code_words(explained), question.id
        choices = [code_words(choice.text) for choice in question.choices]
        assert [code_words(choice.text) for choice in translation.choices] == choices, question.id
