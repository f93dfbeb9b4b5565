"""What a learner sees of a question, of its explanation and of the list of quizzes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.demo.entities import read_text
from bot.messages import (
    BUTTON_CHARACTERS,
    LETTERS,
    QUIZZES_A_PAGE,
    Asking,
    Button,
    Message,
    ask,
    explanation,
    fits_in_poll,
    quiz_list,
    results,
    say,
)
from bot.texts import Texts
from quizzes.attempt import Attempt, QuestionRef
from quizzes.catalog import SHIPPED_BANK, load
from quizzes.quiz import Choice, Question, Quiz, Snippet
from quizzes.wording import (
    CHOICE_LENGTH,
    FEWEST_CHOICES,
    MESSAGE_LENGTH,
    MOST_CHOICES,
    QUESTION_LENGTH,
    long_form_length,
    utf16_length,
)

TEXTS = Texts.shipped("en")
WORDS = TEXTS.words("en")
CATALOG, _ = load([SHIPPED_BANK])

SUM = Question(
    id="one-and-one",
    ask="What is 1 + 1?",
    choices=(Choice("two", correct=True), Choice("three", why="Counted once too often.")),
    explain="One more than one.",
    snippet=Snippet("python", "print(1 + 1)", "2"),
    source="Peano",
)
QUIZ = Quiz("sums", "en", "Sums", (SUM,), level="easy")


def texts(message: Message | None) -> list[str]:
    """What a learner reads, message by message."""
    return [
        read_text(part["text"], part["parse_mode"]).plain
        for part in (message.as_params() if message else ())
    ]


def asked(question: Question, order: Sequence[int] | None = None) -> Asking:
    return ask(WORDS, question, order or range(len(question.choices)), "3/8")


def options(asking: Asking) -> list[str]:
    return [option["text"] for option in asking.poll["options"]]


def labels(message: Message) -> list[list[str]]:
    """The texts of a message's buttons, row by row."""
    keyboard: Any = message.as_params()[-1]["reply_markup"]["inline_keyboard"]
    return [[button["text"] for button in row] for row in keyboard]


def test_a_question_is_one_quiz_poll_whose_votes_are_seen() -> None:
    assert asked(SUM) == Asking(
        preface=None,
        poll={
            "question": "What is 1 + 1?",
            "options": [{"text": "two"}, {"text": "three"}],
            "type": "quiz",
            "is_anonymous": False,
            "allows_multiple_answers": False,
            "correct_option_ids": [0],
            "explanation": "One more than one.",
        },
    )


@pytest.mark.parametrize("count", range(FEWEST_CHOICES, MOST_CHOICES + 1))
def test_the_right_choice_is_named_wherever_it_stands(count: int) -> None:
    for right in range(count):
        choices = tuple(Choice(str(number), number == right) for number in range(count))
        asking = asked(replace(SUM, choices=choices), tuple(reversed(range(count))))
        (position,) = asking.poll["correct_option_ids"]
        assert options(asking)[position] == str(right)


def test_several_right_choices_may_be_picked_together() -> None:
    choices = (Choice("1", True), Choice("2"), Choice("3", True))
    poll = asked(replace(SUM, choices=choices), (1, 2, 0)).poll
    assert poll["allows_multiple_answers"] is True
    assert poll["correct_option_ids"] == [1, 2]


@pytest.mark.parametrize(
    ("ask_length", "choice", "expected"),
    [
        (QUESTION_LENGTH, "x" * CHOICE_LENGTH, []),
        (QUESTION_LENGTH, "🎛" * CHOICE_LENGTH, []),
        (QUESTION_LENGTH + 1, "three", ["q" * (QUESTION_LENGTH + 1)]),
        (3, "x" * (CHOICE_LENGTH + 1), [f"qqq\n\nA. two\nB. {'x' * (CHOICE_LENGTH + 1)}"]),
    ],
)
def test_what_is_too_long_for_a_poll_stands_in_a_message_before_it(
    ask_length: int, choice: str, expected: list[str]
) -> None:
    question = replace(SUM, ask="q" * ask_length, choices=(Choice("two", True), Choice(choice)))
    assert texts(asked(question).preface) == expected


def test_a_question_that_is_too_long_alone_keeps_its_choices_in_the_poll() -> None:
    asking = asked(replace(SUM, ask="q" * (QUESTION_LENGTH + 1)))
    assert asking.poll["question"] == "Your answer? (3/8)"
    assert options(asking) == ["two", "three"]


def test_the_letters_of_the_poll_stand_for_the_choices_in_the_order_of_the_message() -> None:
    long = "x" * (CHOICE_LENGTH + 1)
    choices = tuple(Choice(f"{n} {long}", n == 3) for n in range(MOST_CHOICES))
    order = (3, *(n for n in range(MOST_CHOICES) if n != 3))
    asking = asked(replace(SUM, choices=choices), order)
    assert options(asking) == list(LETTERS)
    assert asking.poll["correct_option_ids"] == [0]
    (text,) = texts(asking.preface)
    listed = [f"{letter}. {n} {long}" for letter, n in zip(LETTERS, order, strict=True)]
    assert text.split("\n\n")[1].splitlines() == listed


def test_code_stands_in_the_message_and_the_poll_asks_as_ever() -> None:
    asking = asked(replace(SUM, code="if a < b:\n    print(1)"))
    assert texts(asking.preface) == ["What is 1 + 1?\n\nif a < b:\n    print(1)"]
    assert asking.poll["question"] == "What is 1 + 1?"
    assert options(asking) == ["two", "three"]


lengths = st.sampled_from([1, CHOICE_LENGTH, CHOICE_LENGTH + 1, QUESTION_LENGTH + 1, 2000])
characters = st.sampled_from(["x", "й", "🎛"])
sizes = st.builds(lambda length, character: character * length, lengths, characters)


@settings(deadline=None)
@given(sizes, st.none() | sizes, st.lists(sizes, min_size=FEWEST_CHOICES, max_size=MOST_CHOICES))
def test_the_check_of_quizzes_counts_what_the_message_before_a_poll_holds(
    question: str, code: str | None, choices: list[str]
) -> None:
    asking = asked(replace(SUM, ask=question, code=code, choices=tuple(map(Choice, choices))))
    counted = long_form_length(question, code, choices)
    if counted <= MESSAGE_LENGTH:
        assert sum(map(utf16_length, texts(asking.preface))) == counted
    else:
        assert len(texts(asking.preface)) > 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x" * 200, True),
        ("🎛" * 200, True),
        ("x" * 201, False),
        ("a\nb\nc", True),
        ("a\nb\nc\nd", False),
    ],
)
def test_an_explanation_is_the_polls_own_only_where_it_fits(text: str, expected: bool) -> None:
    assert fits_in_poll(text) is expected
    assert ("explanation" in asked(replace(SUM, explain=text)).poll) is expected


def test_without_an_explanation_the_poll_has_none() -> None:
    assert "explanation" not in asked(replace(SUM, explain=None)).poll


def test_a_right_answer_is_explained_with_snippet_and_source() -> None:
    assert texts(explanation(WORDS, SUM, True, SUM.choices[:1], (0, 1))) == [
        "✅ Right\n\nOne more than one.\n\nprint(1 + 1)\n\nIt prints:\n\n2\n\nSource: Peano"
    ]


def test_a_wrong_answer_hears_what_it_confuses_and_what_is_right() -> None:
    (text,) = texts(explanation(WORDS, SUM, False, SUM.choices[1:], (0, 1)))
    assert text.startswith("❌ Not quite\n\nCounted once too often.\n\nRight: two\n\nOne more")


def test_an_answer_to_a_question_that_is_gone_is_right_or_wrong_and_no_more() -> None:
    assert texts(explanation(WORDS, None, False, (), (0, 1))) == ["❌ Not quite"]


def test_a_snippet_carries_its_language() -> None:
    (part,) = explanation(WORDS, SUM, True, (), (0, 1)).as_params()
    assert '<pre><code class="language-python">print(1 + 1)</code></pre>' in part["text"]
    assert "<pre>2</pre>" in part["text"]


def test_a_long_explanation_is_several_messages_with_the_keyboard_under_the_last() -> None:
    question = replace(SUM, snippet=Snippet("python", "print('<b>')\n" * 700))
    keyboard = [[Button("Next", url="https://example.org")]]
    parts = explanation(WORDS, question, True, (), (0, 1), keyboard).as_params()
    assert len(parts) > 2
    assert ["reply_markup" in part for part in parts] == [False] * (len(parts) - 1) + [True]


@pytest.mark.parametrize("language", TEXTS.languages)
@pytest.mark.parametrize("quiz_id", CATALOG.quizzes)
def test_the_explanation_of_each_shipped_question_fits_one_message(
    quiz_id: str, language: str
) -> None:
    quiz = CATALOG.quiz(quiz_id, language, None)
    assert quiz
    words = TEXTS.words(language)
    for question in quiz.questions:
        for choice in question.choices:
            order = range(len(question.choices))
            message = explanation(words, question, choice.correct, [choice], order)
            assert len(message.as_params()) == 1


@pytest.mark.parametrize("language", TEXTS.languages)
@pytest.mark.parametrize("quiz_id", CATALOG.quizzes)
def test_each_shipped_question_is_a_poll_with_its_own_words(quiz_id: str, language: str) -> None:
    quiz = CATALOG.quiz(quiz_id, language, None)
    assert quiz
    for question in quiz.questions:
        asking = asked(question)
        assert asking.poll["question"] == question.ask
        assert options(asking) == [choice.text for choice in question.choices]


@pytest.mark.parametrize("language", TEXTS.languages)
def test_a_quiz_button_keeps_level_and_number_of_questions_where_a_title_is_long(
    language: str,
) -> None:
    words = TEXTS.words(language)
    short, long = (replace(QUIZ, title=title) for title in ("Sums", "Sums of numbers " * 20))
    (whole,), (shortened,) = labels(quiz_list(words, [short, long], 0))
    assert whole.startswith("Sums · ")
    assert shortened.startswith("Sums of numbers ")
    assert shortened.endswith("…" + whole.removeprefix("Sums"))
    assert len(shortened) <= BUTTON_CHARACTERS


@pytest.mark.parametrize(
    ("count", "page", "expected"),
    [
        (1, 0, [1]),
        (QUIZZES_A_PAGE, 0, [QUIZZES_A_PAGE]),
        (QUIZZES_A_PAGE + 1, 0, [QUIZZES_A_PAGE, "More →"]),
        (QUIZZES_A_PAGE + 1, 1, [1, "← Back"]),
        (QUIZZES_A_PAGE + 1, 99, [1, "← Back"]),
        (QUIZZES_A_PAGE * 3, 1, [QUIZZES_A_PAGE, "← Back", "More →"]),
    ],
)
def test_quizzes_are_listed_a_page_at_a_time(
    count: int, page: int, expected: list[int | str]
) -> None:
    quizzes = [replace(QUIZ, id=f"sums-{number}") for number in range(count)]
    shown = [label for row in labels(quiz_list(WORDS, quizzes, page)) for label in row]
    number = sum(label.startswith("Sums") for label in shown)
    assert [number, *shown[number:]] == expected


def test_without_quizzes_the_list_says_so() -> None:
    assert texts(quiz_list(WORDS, [], 0)) == ["There are no quizzes here yet."]


def test_the_results_count_name_what_was_missed_and_offer_it_first() -> None:
    right, missed = QuestionRef("sums", "one-and-one"), QuestionRef("sums", "two-and-two")
    attempt = Attempt(7, 1, "quiz", "sums", (right, missed), {right: True, missed: False})
    message = results(WORDS, "Sums", attempt, [replace(SUM, ask="2 + 2?")], "https://t.me/bot")
    assert texts(message) == [
        "Results: Sums\n\nRight answers: 1 of 2\n\nWorth another look:\n• 2 + 2?"
        "\n\nShare this quiz: https://t.me/bot"
    ]
    assert labels(message)[0] == ["Practise what I missed (1)"]


def test_a_button_is_cut_after_a_word_where_a_phone_would_cut_it() -> None:
    message = say("Hi", [[Button("word " * 30, url="https://example.org")]])
    ((label,),) = labels(message)
    assert label.endswith("word…")
    assert len(label) <= BUTTON_CHARACTERS
