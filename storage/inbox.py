"""What came in and is not yet handled."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import orjson

from storage.times import from_ms, to_ms

REMEMBERED = timedelta(days=7)
"""How long an update_id is known as seen. After a silent week Telegram's ids restart at random."""

PRUNED_AT_ONCE = 500

# The first half is the condition of the index of the few rows that are not done, word by word:
# SQLite sees by nothing else that this index has all that is asked for.
_FAILED = "state != 'done' AND state = 'failed'"


@dataclass(frozen=True, slots=True)
class Arrival:
    """A raw update as it came."""

    update_id: int
    lane: int | None
    """Whose it is: what comes from one person is handled in order."""
    body: str
    """Empty where there is nothing to handle."""
    poll_id: str | None = None
    """Telegram's id of the poll that it is about, if it says nothing but how that poll stands."""


@dataclass(frozen=True, slots=True)
class Row:
    """Something to handle."""

    id: int
    update_id: int | None
    lane: int | None
    kind: Literal["update", "outcome", "due"]
    body: str
    received_at: datetime
    failed_before: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that was set aside, as it could not be handled."""

    update_id: int | None
    """None for what the bot told itself."""
    lane: int | None
    kind: Literal["update", "outcome", "due"]
    body: str
    error: str
    tries: int
    received_at: datetime


@dataclass(frozen=True, slots=True)
class Backlog:
    """How many rows are not handled yet."""

    waiting: int
    deferred: int
    set_aside: int


class Inbox:
    """Rows are waiting, deferred (until a send's fate is known), done, or failed and set aside."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw
        self.has_released = False
        """Whether this transaction let rows be tried again that came before others."""

    def add(self, arrivals: Iterable[Arrival], now: datetime) -> None:
        """Store updates as they came. One that was seen within a week is dropped."""
        for arrival in arrivals:
            if not self._add(arrival, now) and self._frees_id(arrival.update_id, now):
                self._add(arrival, now)

    def _add(self, arrival: Arrival, now: datetime) -> bool:
        added = self._raw.execute(
            "INSERT INTO inbox (update_id, lane, kind, body, state, received_at)"
            " VALUES (?, ?, 'update', ?, ?, ?) ON CONFLICT (update_id) DO NOTHING",
            (
                arrival.update_id,
                arrival.lane,
                arrival.body,
                "waiting" if arrival.body else "done",
                to_ms(now),
            ),
        ).rowcount
        return added > 0

    def _frees_id(self, update_id: int, now: datetime) -> bool:
        # What was set aside long ago is kept, but its id is Telegram's to use again.
        freed = self._raw.execute(
            "UPDATE inbox SET update_id = NULL WHERE update_id = ? AND received_at < ?",
            (update_id, to_ms(now - REMEMBERED)),
        ).rowcount
        return freed > 0

    def add_event(self, kind: Literal["outcome", "due"], body: str, now: datetime) -> None:
        """Store what the bot tells itself: what became of a send, or what is due."""
        self._raw.execute(
            "INSERT INTO inbox (kind, body, state, received_at) VALUES (?, ?, 'waiting', ?)",
            (kind, body, to_ms(now)),
        )

    def waiting(self, limit: int) -> list[Row]:
        """What is to be handled, oldest first."""
        rows = self._raw.execute(
            "SELECT id, update_id, lane, kind, body, received_at, error IS NOT NULL FROM inbox"
            " WHERE state = 'waiting' ORDER BY id LIMIT ?",
            (limit,),
        )
        return [
            Row(row_id, update_id, lane, kind, body, from_ms(received_at), bool(failed_before))
            for row_id, update_id, lane, kind, body, received_at, failed_before in rows
        ]

    def backlog(self) -> Backlog:
        """How much is not handled yet."""
        rows = dict(
            self._raw.execute(
                "SELECT state, count(*) FROM inbox WHERE state != 'done' GROUP BY state"
            )
        )
        return Backlog(rows.get("waiting", 0), rows.get("deferred", 0), rows.get("failed", 0))

    def deferred(self) -> dict[int, int]:
        """By lane, the id of the earliest row that is deferred: what follows must wait, too."""
        rows = self._raw.execute(
            "SELECT lane, min(id) FROM inbox WHERE state = 'deferred' AND lane IS NOT NULL"
            " GROUP BY lane"
        )
        return dict(rows.fetchall())

    def done(self, row_ids: Iterable[int]) -> None:
        """Keep nothing of rows but the ids of their updates."""
        self._raw.execute(
            "UPDATE inbox SET state = 'done', body = '', lane = NULL, error = NULL"
            " WHERE id IN (SELECT value FROM json_each(?))",
            (orjson.dumps(list(row_ids)).decode(),),
        )

    def defer(self, row_id: int) -> None:
        """Put a row back until `release`, unless its sender was forgotten meanwhile."""
        self._raw.execute(
            "UPDATE inbox SET state = 'deferred' WHERE id = ? AND state != 'done'", (row_id,)
        )

    def release(self) -> bool:
        """Let deferred rows be tried again, as something became known; whether there are any."""
        released = self._raw.execute(
            "UPDATE inbox SET state = 'waiting' WHERE state = 'deferred'"
        ).rowcount
        self.has_released |= released > 0
        return released > 0

    def set_aside(self, row_id: int, error: str, tries: int = 1) -> None:
        """Keep a row that can't be handled, for the operators to see and try again."""
        self._raw.execute(
            "UPDATE inbox SET state = 'failed', error = ?, tries = tries + ?"
            " WHERE id = ? AND state != 'done'",
            (error, tries, row_id),
        )

    def failed(self) -> list[Failure]:
        """What was set aside, oldest first."""
        rows = self._raw.execute(
            "SELECT update_id, lane, kind, body, error, tries, received_at FROM inbox"
            # Without the plus all rows would be read, as they lie in this order already.
            f" WHERE {_FAILED} ORDER BY +id"
        )
        return [
            Failure(update_id, lane, kind, body, error, tries, from_ms(received_at))
            for update_id, lane, kind, body, error, tries, received_at in rows
        ]

    def retry_failed(self) -> int:
        """Queue again what was set aside, with its error; how many rows that is."""
        return self._raw.execute(f"UPDATE inbox SET state = 'waiting' WHERE {_FAILED}").rowcount

    def prune(self, now: datetime) -> bool:
        """Forget some of the updates that were handled over a week ago; whether that is the limit.

        500 at once, which takes a few milliseconds.
        """
        pruned = self._raw.execute(
            "DELETE FROM inbox WHERE id IN (SELECT id FROM inbox"
            " WHERE state = 'done' AND received_at < ? ORDER BY received_at LIMIT ?)",
            (to_ms(now - REMEMBERED), PRUNED_AT_ONCE),
        ).rowcount
        return pruned == PRUNED_AT_ONCE
