"""What learners voted."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from quizzes.attempt import QuestionRef
from storage.polls import read_positions, write_positions
from storage.times import from_ms, to_ms


@dataclass(frozen=True, slots=True)
class Given:
    """Of an answer, what is worth counting."""

    in_round: bool
    right: bool


class Answers:
    """One answer a poll and learner."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw
        self.added: list[Given] = []
        """What this transaction added; whoever runs it may count these after the commit."""

    def add(
        self,
        poll_id: int,
        learner_id: int,
        picked: Iterable[int],
        right: bool,
        now: datetime,
        *,
        in_round: bool = False,
    ) -> None:
        """Store an answer. Whether it was given in a round is only counted, not stored."""
        self._raw.execute(
            "INSERT INTO answers (poll_id, learner_id, picked, is_right, answered_at)"
            " VALUES (?, ?, ?, ?, ?)",
            (poll_id, learner_id, write_positions(sorted(picked)), right, to_ms(now)),
        )
        self.added.append(Given(in_round, right))

    def has(self, poll_id: int, learner_id: int) -> bool:
        row = self._raw.execute(
            "SELECT 1 FROM answers WHERE poll_id = ? AND learner_id = ?", (poll_id, learner_id)
        ).fetchone()
        return row is not None

    def given(self) -> list[tuple[int, QuestionRef, bool, datetime]]:
        """All answers of all learners, oldest first: who, what, whether right, and when."""
        rows = self._raw.execute(
            "SELECT learner_id, quiz_id, question_id, is_right, answered_at"
            " FROM answers JOIN polls ON polls.id = answers.poll_id ORDER BY answered_at, poll_id"
        )
        return [
            (learner_id, QuestionRef(quiz_id, question_id), bool(right), from_ms(at))
            for learner_id, quiz_id, question_id, right, at in rows
        ]

    def picked(self, poll_id: int, learner_id: int) -> frozenset[int] | None:
        """The positions in quiz.yaml of what a learner picked; None without an answer."""
        row = self._raw.execute(
            "SELECT picked FROM answers WHERE poll_id = ? AND learner_id = ?",
            (poll_id, learner_id),
        ).fetchone()
        return None if row is None else frozenset(read_positions(row[0]))
