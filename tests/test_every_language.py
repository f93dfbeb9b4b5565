"""A shipped quiz, played whole in each language, with right and wrong answers."""

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from quizzes.catalog import SHIPPED_BANK
from tests.conversation import Learner, Talk, talking

QUIZ = "gradient-clipping"
LANGUAGES = ("en", "ro", "uk", "ru")


@pytest.fixture
async def shipped(tmp_path: Path) -> AsyncIterator[Talk]:
    """A bot with the shipped quizzes."""
    async with talking(tmp_path, bank=SHIPPED_BANK) as talk:
        yield talk


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_learner_plays_all_questions_and_reads_the_results(
    shipped: Talk, language: str
) -> None:
    quiz = shipped.catalog.quiz(QUIZ, language, None)
    assert quiz is not None
    assert (quiz.language, len(quiz.questions)) == (language, 8)
    words = shipped.texts.words(language)
    learner = shipped.learner("Ada", language)
    pick = random.Random(language)
    missed = []
    await learner.sends(f"/start {QUIZ}")
    for number, question in enumerate(quiz.questions, 1):
        assert learner.hears[-1] == question.ask
        assert sorted(learner.options) == sorted(choice.text for choice in question.choices)
        right = next(choice for choice in question.choices if choice.correct)
        picked = (
            right if number % 2 else pick.choice([c for c in question.choices if c is not right])
        )
        await learner.votes(picked.text)
        (explanation,) = learner.news
        headline = words("answer-right") if picked is right else words("answer-wrong")
        assert explanation.text.startswith(headline)
        assert (picked.why or "") in explanation.text
        assert question.explain is not None
        assert question.explain in explanation.text
        assert question.snippet is not None
        assert question.snippet.code in explanation.text
        assert explanation.reply_to is learner.poll_message
        if picked is not right:
            missed.append(question.ask)
        place = f"{number + 1}/8"
        button = words("button-next", place=place) if number < 8 else words("button-results")
        assert learner.buttons == [button, words("button-report")]
        await learner.taps_first()
    (results,) = learner.hears
    assert words("results-score", right=4, questions=8) in results
    assert [line[2:] for line in results.splitlines() if line.startswith("• ")] == missed
    assert learner.buttons[0] == words("button-practise", questions=4)
    await practises_what_was_missed(learner, missed)


async def practises_what_was_missed(learner: Learner, missed: list[str]) -> None:
    await learner.taps_first()
    for ask in missed:
        assert learner.hears[-1] == ask
        await learner.votes_right()
        await learner.taps_first()
    assert learner.hears[0].count("• ") == 0
