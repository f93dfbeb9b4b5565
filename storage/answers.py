"""What learners voted."""

import sqlite3
from collections.abc import Iterable
from datetime import datetime

from storage.polls import read_positions, write_positions
from storage.times import to_ms


class Answers:
    """One answer a poll and learner."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def add(
        self, poll_id: int, learner_id: int, picked: Iterable[int], right: bool, now: datetime
    ) -> None:
        self._raw.execute(
            "INSERT INTO answers (poll_id, learner_id, picked, is_right, answered_at)"
            " VALUES (?, ?, ?, ?, ?)",
            (poll_id, learner_id, write_positions(sorted(picked)), right, to_ms(now)),
        )

    def has(self, poll_id: int, learner_id: int) -> bool:
        row = self._raw.execute(
            "SELECT 1 FROM answers WHERE poll_id = ? AND learner_id = ?", (poll_id, learner_id)
        ).fetchone()
        return row is not None

    def picked(self, poll_id: int, learner_id: int) -> frozenset[int] | None:
        """The positions in quiz.yaml of what a learner picked; None without an answer."""
        row = self._raw.execute(
            "SELECT picked FROM answers WHERE poll_id = ? AND learner_id = ?",
            (poll_id, learner_id),
        ).fetchone()
        return None if row is None else frozenset(read_positions(row[0]))

    def count(self, learner_id: int) -> tuple[int, int]:
        """How many answers the learner gave, and how many of them were right."""
        given, right = self._raw.execute(
            "SELECT count(*), coalesce(sum(is_right), 0) FROM answers WHERE learner_id = ?",
            (learner_id,),
        ).fetchone()
        return int(given), int(right)
