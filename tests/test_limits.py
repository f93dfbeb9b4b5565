"""Our limits are Telegram's, as python-telegram-bot knows them."""

import pytest
from telegram.constants import (
    InlineKeyboardButtonLimit,
    InlineKeyboardMarkupLimit,
    MessageLimit,
    PollLimit,
)

from bot import buttons, messages
from quizzes import wording


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        pytest.param(wording.QUESTION_LENGTH, PollLimit.MAX_QUESTION_LENGTH, id="question"),
        pytest.param(wording.CHOICE_LENGTH, PollLimit.MAX_OPTION_LENGTH, id="choice"),
        pytest.param(wording.MOST_CHOICES, PollLimit.MAX_OPTION_NUMBER, id="choices"),
        pytest.param(
            messages.EXPLANATION_CHARACTERS, PollLimit.MAX_EXPLANATION_LENGTH, id="explanation"
        ),
        pytest.param(
            messages.EXPLANATION_LINE_FEEDS,
            PollLimit.MAX_EXPLANATION_LINE_FEEDS,
            id="lines of an explanation",
        ),
        pytest.param(wording.MESSAGE_LENGTH, MessageLimit.MAX_TEXT_LENGTH, id="message"),
        pytest.param(
            buttons.DATA_BYTES, InlineKeyboardButtonLimit.MAX_CALLBACK_DATA, id="callback data"
        ),
    ],
)
def test_a_limit_is_the_one_that_telegram_has(ours: int, theirs: int) -> None:
    assert ours == theirs


def test_a_question_has_more_choices_than_telegram_demands_at_least() -> None:
    assert wording.FEWEST_CHOICES > PollLimit.MIN_OPTION_NUMBER


def test_there_is_a_letter_for_each_choice() -> None:
    assert len(messages.LETTERS) == wording.MOST_CHOICES


def test_a_page_of_quizzes_with_buttons_around_it_is_a_keyboard_that_telegram_takes() -> None:
    above, turning_pages = 2, 2
    shown = messages.QUIZZES_A_PAGE + above + turning_pages
    assert shown <= InlineKeyboardMarkupLimit.TOTAL_BUTTON_NUMBER
