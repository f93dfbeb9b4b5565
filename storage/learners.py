"""Who learns: name and languages."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from storage.times import to_ms


@dataclass(frozen=True, slots=True)
class Learner:
    """A person who wrote to the bot or voted."""

    id: int
    name: str
    """The first name."""
    client_language: str
    language: str | None
    """Chosen by the learner; wins over the client's."""
    last_name: str = ""
    zone: str | None = None
    """The time zone that the learner chose."""
    attempts: int = 0
    """Begun."""
    finished: int = 0
    """Quizzes answered to the end."""


class Learners:
    """The learners by Telegram's user id."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def find(self, learner_id: int) -> Learner | None:
        row = self._raw.execute(
            "SELECT id, name, client_language, language, last_name, zone, attempts, finished"
            " FROM learners WHERE id = ?",
            (learner_id,),
        ).fetchone()
        return None if row is None else Learner(*row)

    def meet(
        self,
        learner_id: int,
        name: str,
        client_language: str,
        now: datetime,
        last_name: str = "",
    ) -> Learner:
        """The learner, with the names and client language that they show now."""
        known = self.find(learner_id)
        shown = name, client_language, last_name
        if known and shown == (known.name, known.client_language, known.last_name):
            return known
        self._raw.execute(
            "INSERT INTO learners (id, name, client_language, last_name, first_seen_at)"
            " VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name,"
            " client_language = excluded.client_language, last_name = excluded.last_name",
            (learner_id, *shown, to_ms(now)),
        )
        new = known or Learner(learner_id, name, client_language, None)
        return replace(new, name=name, client_language=client_language, last_name=last_name)

    def choose_zone(self, learner_id: int, zone: str) -> None:
        self._raw.execute("UPDATE learners SET zone = ? WHERE id = ?", (zone, learner_id))

    def count_finished(self, learner_id: int) -> None:
        """The learner has answered a quiz to its end."""
        self._raw.execute("UPDATE learners SET finished = finished + 1 WHERE id = ?", (learner_id,))

    def names(self, learner_ids: Iterable[int]) -> dict[int, str]:
        """First and last names, by id; who is unknown is missing."""
        found = (self.find(learner_id) for learner_id in learner_ids)
        return {one.id: f"{one.name} {one.last_name}".strip() for one in found if one}

    def choose_language(self, learner_id: int, language: str) -> None:
        self._raw.execute("UPDATE learners SET language = ? WHERE id = ?", (language, learner_id))
