"""The list of `quiz-tutor reports`: what learners found wrong with questions."""

import json
from collections.abc import Iterable
from typing import Literal, TextIO

from quizzes.catalog import Catalog
from storage.reports import Report

Format = Literal["text", "json"]

NONE = "No learner has reported anything."

State = Literal["unchanged", "changed", "gone"]
"""What became of a question since it was asked; `gone`: it is no longer in the bank."""


def write_reports(
    reports: Iterable[Report], catalog: Catalog, output: Format, stdout: TextIO, stderr: TextIO
) -> None:
    """Write the reports in their order, one a line or as JSON; say so on stderr if there is none.

    Who reported is not told: what counts is the question.
    """
    rows = [_row(report, catalog) for report in reports]
    if not rows:
        stderr.write(f"{NONE}\n")
    if output == "json":
        stdout.write(f"{json.dumps(rows, indent=2)}\n")
    else:
        stdout.writelines("  ".join(row.values()) + "\n" for row in rows)


def state_of(report: Report, catalog: Catalog) -> State:
    """Whether the question's texts are in the bank as they were asked, in whichever language."""
    quiz_id, question_id = report.question
    versions = (catalog.quiz(quiz_id, language, None) for language in catalog.languages(quiz_id))
    questions = [quiz.question(question_id) for quiz in versions if quiz]
    prints = {question.fingerprint for question in questions if question}
    if not prints:
        return "gone"
    return "unchanged" if report.fingerprint in prints else "changed"


def _row(report: Report, catalog: Catalog) -> dict[str, str]:
    return {
        "reported_at": f"{report.reported_at:%Y-%m-%dT%H:%MZ}",
        "question": str(report.question),
        "language": report.language,
        "fingerprint": report.fingerprint,
        "state": state_of(report, catalog),
    }
