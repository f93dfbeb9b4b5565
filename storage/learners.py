"""Who learns: name and languages."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from storage.times import to_ms


@dataclass(frozen=True, slots=True)
class Learner:
    """A person who wrote to the bot or voted."""

    id: int
    name: str
    client_language: str
    language: str | None
    """Chosen by the learner; wins over the client's."""


class Learners:
    """The learners by Telegram's user id."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def find(self, learner_id: int) -> Learner | None:
        row = self._raw.execute(
            "SELECT id, name, client_language, language FROM learners WHERE id = ?", (learner_id,)
        ).fetchone()
        return None if row is None else Learner(*row)

    def meet(self, learner_id: int, name: str, client_language: str, now: datetime) -> Learner:
        """The learner, with the name and client language that they show now."""
        known = self.find(learner_id)
        if known and (known.name, known.client_language) == (name, client_language):
            return known
        self._raw.execute(
            "INSERT INTO learners (id, name, client_language, first_seen_at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE"
            " SET name = excluded.name, client_language = excluded.client_language",
            (learner_id, name, client_language, to_ms(now)),
        )
        return Learner(learner_id, name, client_language, known.language if known else None)

    def choose_language(self, learner_id: int, language: str) -> None:
        self._raw.execute("UPDATE learners SET language = ? WHERE id = ?", (language, learner_id))
