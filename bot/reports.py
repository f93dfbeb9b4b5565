"""The list of `quiz-tutor reports`: what learners found wrong with questions."""

from collections.abc import Iterable
from typing import Literal, TextIO

from bot.printing import Entry, Format, minute, write_list
from quizzes.catalog import Catalog
from storage.reports import Report

NONE = "No learner has reported anything."

State = Literal["unchanged", "changed", "gone"]
"""What became of a question since it was asked; `gone`: it is no longer in the bank."""


def write_reports(
    reports: Iterable[Report], catalog: Catalog, output: Format, stdout: TextIO, stderr: TextIO
) -> None:
    """Write the reports in their order, one a line or as JSON; say so on stderr if there is none.

    Who reported is not told: what counts is the question.
    """
    entries = [_entry(report, catalog) for report in reports]
    write_list(entries, NONE, output, stdout, stderr)


def state_of(report: Report, catalog: Catalog) -> State:
    """Whether the question's texts are in the bank as they were asked, in whichever language."""
    quiz_id, question_id = report.question
    versions = (catalog.quiz(quiz_id, language, None) for language in catalog.languages(quiz_id))
    questions = [quiz.question(question_id) for quiz in versions if quiz]
    prints = {question.fingerprint for question in questions if question}
    if not prints:
        return "gone"
    return "unchanged" if report.fingerprint in prints else "changed"


def _entry(report: Report, catalog: Catalog) -> Entry:
    fields = {
        "reported_at": minute(report.reported_at),
        "question": str(report.question),
        "language": report.language,
        "fingerprint": report.fingerprint,
        "state": state_of(report, catalog),
    }
    return Entry("  ".join(fields.values()), fields)
