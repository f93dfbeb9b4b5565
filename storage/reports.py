"""What learners found wrong with questions."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from quizzes.attempt import QuestionRef
from storage.polls import Poll
from storage.times import from_ms, to_ms


@dataclass(frozen=True, slots=True)
class Report:
    """One learner's report of one question as it was asked."""

    id: int
    learner_id: int | None
    """None when the learner's data were deleted since."""
    question: QuestionRef
    language: str
    fingerprint: str
    """Of the question's texts, as asked."""
    reported_at: datetime


class Reports:
    """The reports, one a learner and poll."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def add(self, learner_id: int, poll: Poll, now: datetime) -> bool:
        """Keep a report; whether it is new."""
        changed = self._raw.execute(
            "INSERT INTO reports (learner_id, poll_id, quiz_id, question_id, language, fingerprint,"
            " reported_at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (
                learner_id,
                poll.id,
                *poll.question,
                poll.language,
                poll.fingerprint,
                to_ms(now),
            ),
        ).rowcount
        return changed > 0

    def all(self) -> Iterator[Report]:
        """All reports, oldest first."""
        rows = self._raw.execute(
            "SELECT id, learner_id, quiz_id, question_id, language, fingerprint, reported_at"
            " FROM reports ORDER BY id"
        )
        for report_id, learner_id, quiz_id, question_id, language, fingerprint, at in rows:
            question = QuestionRef(quiz_id, question_id)
            yield Report(report_id, learner_id, question, language, fingerprint, from_ms(at))
