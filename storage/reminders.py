"""When learners want to be reminded."""

import sqlite3
from dataclasses import dataclass
from datetime import date, time


@dataclass(frozen=True, slots=True)
class Reminder:
    """A learner's wish."""

    time_of_day: time
    """The learner's own."""
    last_day: date | None
    """The learner's own day of the last one."""


class Reminders:
    """One reminder a learner at most."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def find(self, learner_id: int) -> Reminder | None:
        row = self._raw.execute(
            "SELECT time_of_day, last_day FROM reminders WHERE learner_id = ?", (learner_id,)
        ).fetchone()
        if row is None:
            return None
        return Reminder(time.fromisoformat(row[0]), row[1] and date.fromisoformat(row[1]))

    def put(self, learner_id: int, time_of_day: time) -> None:
        self._raw.execute(
            "INSERT INTO reminders (learner_id, time_of_day) VALUES (?, ?)"
            " ON CONFLICT DO UPDATE SET time_of_day = excluded.time_of_day",
            (learner_id, time_of_day.strftime("%H:%M")),
        )

    def remove(self, learner_id: int) -> None:
        self._raw.execute("DELETE FROM reminders WHERE learner_id = ?", (learner_id,))

    def note(self, learner_id: int, day: date) -> None:
        """The learner was reminded on this day."""
        self._raw.execute(
            "UPDATE reminders SET last_day = ? WHERE learner_id = ?", (day.isoformat(), learner_id)
        )
