"""A bank that changes while learners play: the past is never graded anew."""

from pathlib import Path

import pytest

from quizzes.catalog import Catalog, load
from tests.conversation import Talk, talking


def bank(folder: Path, *questions: str) -> Catalog:
    """A bank of one quiz with these questions, written anew."""
    quiz = folder / "sums"
    quiz.mkdir(parents=True, exist_ok=True)
    head = "language: en\ntitle: Sums\nquestions:\n"
    (quiz / "quiz.yaml").write_text(head + "".join(questions))
    catalog, faults = load([folder])
    assert [str(fault) for fault in faults if fault.severity == "fault"] == []
    return catalog


def question(name: str, right: str, *wrong: str) -> str:
    others = "".join(f"      - {{text: '{text}', why: No.}}\n" for text in wrong)
    return (
        f"  - id: {name}\n    ask: Which is {name}?\n    choices:\n"
        f"      - {{text: '{right}', correct: true}}\n{others}    explain: Because.\n"
    )


ONE, TWO = question("one", "1", "2", "3"), question("two", "2", "1", "3")


async def restarts_with(talk: Talk, catalog: Catalog) -> None:
    await talk.stop()
    talk.catalog = catalog
    await talk.start()


async def test_a_vote_is_graded_as_its_poll_was_sent(tmp_path: Path) -> None:
    async with talking(tmp_path, catalog=bank(tmp_path / "bank", ONE, TWO)) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/quiz sums")
        await restarts_with(talk, bank(tmp_path / "bank", question("one", "3", "1", "2"), TWO))
        await ada.votes("1")
        assert ada.hears[0].startswith("✅ Right")
        await ada.sends("/stats")
        assert "Right answers: 1" in ada.hears[0]


async def test_after_a_change_of_the_right_choice_no_wrong_reason_is_given(tmp_path: Path) -> None:
    async with talking(tmp_path, catalog=bank(tmp_path / "bank", ONE, TWO)) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/quiz sums")
        await restarts_with(talk, bank(tmp_path / "bank", question("one", "1", "2"), TWO))
        await ada.votes("3")
        assert ada.hears == ["❌ Not quite"]
        await ada.taps("Next 2/2")
        assert ada.hears == ["Which is two?"]


async def test_a_question_that_left_the_bank_is_passed_over(tmp_path: Path) -> None:
    async with talking(tmp_path, catalog=bank(tmp_path / "bank", ONE, TWO)) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/quiz sums")
        await ada.votes("1")
        await restarts_with(talk, bank(tmp_path / "bank", ONE))
        await ada.taps("Next 2/2")
        assert ada.hears[0].startswith("Results: Sums\n\nRight answers: 1 of")


async def test_a_review_skips_what_left_the_bank(tmp_path: Path) -> None:
    async with talking(tmp_path, catalog=bank(tmp_path / "bank", ONE, TWO)) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/quiz sums")
        for wrong in ("2", "1"):
            await ada.votes(wrong)
            await ada.taps_first()
        await restarts_with(talk, bank(tmp_path / "bank", TWO))
        await talk.clock.advance(601)
        await ada.sends("/review")
        assert ada.hears == ["Review · 1 question", "Which is two?"]


@pytest.mark.parametrize("commands", ["/quiz", "/stop", "/stats", "/review", "/quiz sums"])
async def test_a_quiz_that_left_the_bank_leaves_nobody_stuck(tmp_path: Path, commands: str) -> None:
    async with talking(tmp_path, catalog=bank(tmp_path / "bank", ONE, TWO)) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/quiz sums")
        await ada.votes("1")
        await restarts_with(talk, load([Path(__file__).parent / "banks" / "talk"])[0])
        await ada.sends(commands)
        assert ada.hears
        await ada.sends("/quiz capitals")
        assert ada.hears[-1] == "What is the capital of France?"
