"""Learners' runs through quizzes."""

import sqlite3
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache

from quizzes.attempt import Attempt, Kind, QuestionRef
from storage.times import to_ms

_COLUMNS = "id, learner_id, kind, quiz_id, questions, ended_at"


class Attempts:
    """The attempts; a learner has one running at most."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def start(
        self,
        learner_id: int,
        kind: Kind,
        quiz_id: str,
        questions: Iterable[QuestionRef],
        now: datetime,
    ) -> Attempt:
        """Begin an attempt. The one that was running must have been ended before."""
        asked = tuple(questions)
        attempt_id = self._raw.execute(
            "INSERT INTO attempts (learner_id, kind, quiz_id, questions, started_at)"
            " VALUES (?, ?, ?, ?, ?)",
            (learner_id, kind, quiz_id, write_questions(asked), to_ms(now)),
        ).lastrowid
        assert attempt_id is not None
        self._raw.execute("UPDATE learners SET attempts = attempts + 1 WHERE id = ?", (learner_id,))
        return Attempt(attempt_id, learner_id, kind, quiz_id, asked, {})

    def find(self, attempt_id: int) -> Attempt | None:
        return self._one(f"SELECT {_COLUMNS} FROM attempts WHERE id = ?", attempt_id)

    def running(self, learner_id: int) -> Attempt | None:
        """The learner's attempt that has not ended."""
        return self._one(
            f"SELECT {_COLUMNS} FROM attempts WHERE learner_id = ? AND ended_at IS NULL",
            learner_id,
        )

    def end(self, attempt_id: int, now: datetime) -> None:
        self._raw.execute(
            "UPDATE attempts SET ended_at = ? WHERE id = ? AND ended_at IS NULL",
            (to_ms(now), attempt_id),
        )

    def drop_question(self, attempt: Attempt, question: QuestionRef) -> None:
        """Take a question that can't be asked out of the attempt."""
        left = (q for q in attempt.questions if q != question)
        self._raw.execute(
            "UPDATE attempts SET questions = ? WHERE id = ?",
            (write_questions(left), attempt.id),
        )

    def _one(self, query: str, key: int) -> Attempt | None:
        row = self._raw.execute(query, (key,)).fetchone()
        if row is None:
            return None
        attempt_id, learner_id, kind, quiz_id, questions, ended_at = row
        answered = self._raw.execute(
            "SELECT quiz_id, question_id, is_right FROM polls"
            " JOIN answers ON answers.poll_id = polls.id WHERE polls.attempt_id = ?",
            (attempt_id,),
        )
        return Attempt(
            id=attempt_id,
            learner_id=learner_id,
            kind=kind,
            quiz_id=quiz_id,
            questions=read_questions(questions),
            answers={
                QuestionRef(quiz, question): bool(right) for quiz, question, right in answered
            },
            ended=ended_at is not None,
        )


def write_questions(questions: Iterable[QuestionRef]) -> str:
    """Questions in their order, one a line."""
    return "\n".join(map(str, questions))


@lru_cache(maxsize=1000)  # most attempts and rounds ask the same as many others
def read_questions(lines: str) -> tuple[QuestionRef, ...]:
    """What `write_questions` wrote."""
    return tuple(QuestionRef.parse(line) for line in lines.splitlines())
