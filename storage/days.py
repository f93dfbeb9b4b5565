"""A learner's days with answers, and the streak that they make."""

import sqlite3
from datetime import date

from quizzes.progress import Streak, Tally
from storage.times import from_ms, to_ms


class Days:
    """Answers by the learner's own day."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def count(self, learner_id: int, day: date, right: bool) -> None:
        """One more answer on a day."""
        self._raw.execute(
            "INSERT INTO days (learner_id, day, answers, right_answers) VALUES (?, ?, 1, ?)"
            " ON CONFLICT DO UPDATE SET answers = answers + 1,"
            " right_answers = right_answers + excluded.right_answers",
            (learner_id, day.isoformat(), right),
        )

    def since(self, learner_id: int, day: date) -> dict[date, Tally]:
        """The days with answers from a day on."""
        rows = self._raw.execute(
            "SELECT day, answers, right_answers FROM days WHERE learner_id = ? AND day >= ?",
            (learner_id, day.isoformat()),
        )
        return {date.fromisoformat(one): Tally(answers, right) for one, answers, right in rows}

    def streak(self, learner_id: int) -> Streak | None:
        row = self._raw.execute(
            "SELECT length, best, last_day, last_active_at FROM streaks WHERE learner_id = ?",
            (learner_id,),
        ).fetchone()
        if row is None:
            return None
        length, best, last_day, last_active_at = row
        return Streak(length, best, date.fromisoformat(last_day), from_ms(last_active_at))

    def put_streak(self, learner_id: int, streak: Streak) -> None:
        self._raw.execute(
            "INSERT OR REPLACE INTO streaks (learner_id, length, best, last_day, last_active_at)"
            " VALUES (?, ?, ?, ?, ?)",
            (
                learner_id,
                streak.length,
                streak.best,
                streak.last_day.isoformat(),
                to_ms(streak.last_active),
            ),
        )
