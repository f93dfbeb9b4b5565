"""Banks on disk that are made of the shipped quizzes."""

import shutil
from pathlib import Path

import yaml

from quizzes.catalog import SHIPPED_BANK

LONG_QUIZ = "all-questions"


def write_long_quiz(bank: Path) -> str:
    """One quiz of all shipped questions that need no message before their poll; its id."""
    questions: list[dict[str, object]] = []
    for file in sorted(SHIPPED_BANK.glob("*/quiz.yaml")):
        quiz = yaml.load(file.read_text("utf-8"), yaml.BaseLoader)
        for question in quiz["questions"]:
            if "code" not in question:
                question["id"] = f"question-{len(questions)}"
                questions.append(_with_truths(question))
    folder = bank / LONG_QUIZ
    folder.mkdir(parents=True)
    whole = {"language": "en", "title": "All questions", "questions": questions}
    (folder / "quiz.yaml").write_text(yaml.safe_dump(whole, allow_unicode=True), "utf-8")
    return LONG_QUIZ


def _with_truths(question: dict[str, object]) -> dict[str, object]:
    """BaseLoader reads `true` as a text."""
    choices = question["choices"]
    assert isinstance(choices, list)
    for choice in choices:
        if "correct" in choice:
            choice["correct"] = choice["correct"] == "true"
    return question


def write_copies(bank: Path, number: int) -> list[Path]:
    """So many quizzes, copies of the shipped ones with all their translations; their files."""
    shipped = sorted(folder.parent for folder in SHIPPED_BANK.glob("*/quiz.yaml"))
    files = []
    for i in range(number):
        original = shipped[i % len(shipped)]
        copy = bank / f"{original.name}-{i:04}"
        shutil.copytree(original, copy)
        files += sorted(copy.glob("*.yaml"))
    return files
