"""What is due later."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from storage.times import from_ms, to_ms


@dataclass(frozen=True, slots=True)
class Item:
    """Something to do at a moment, about something that has an id."""

    kind: str
    subject: int
    due_at: datetime


class Agenda:
    """One item a kind and subject; a new date replaces the old one."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def put(self, kind: str, subject: int, due_at: datetime) -> None:
        self._raw.execute(
            "INSERT OR REPLACE INTO agenda (kind, subject, due_at) VALUES (?, ?, ?)",
            (kind, subject, to_ms(due_at)),
        )

    def remove(self, kind: str, subject: int) -> None:
        self._raw.execute("DELETE FROM agenda WHERE kind = ? AND subject = ?", (kind, subject))

    def take_due(self, now: datetime, limit: int) -> list[Item]:
        """Take what is due by now off the agenda, the earliest first."""
        rows = self._raw.execute(
            "SELECT kind, subject, due_at FROM agenda WHERE due_at <= ?"
            " ORDER BY due_at, kind, subject LIMIT ?",
            (to_ms(now), limit),
        ).fetchall()
        for kind, subject, _ in rows:
            self.remove(kind, subject)
        return [Item(kind, subject, from_ms(due_at)) for kind, subject, due_at in rows]

    def next_due_at(self) -> datetime | None:
        """When the earliest item is due."""
        (due_at,) = self._raw.execute("SELECT min(due_at) FROM agenda").fetchone()
        return None if due_at is None else from_ms(due_at)
