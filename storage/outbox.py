"""What was decided to be said and is not yet delivered."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import Any

import orjson

from storage.times import from_ms, to_ms

_COLUMNS = "id, chat_id, priority, method, params, poll_id, message_name, doubts, not_before_at"

DOUBTED = timedelta(days=7)
"""How long a question of unknown fate waits for a vote that proves it."""

_ALWAYS = datetime(1970, 1, 1, tzinfo=UTC)


class Priority(IntEnum):
    """Who goes first when not all can go at once; the lower the sooner."""

    REPLY = 0
    ROUND = 1
    REMINDER = 2
    NOTICE = 3


@dataclass(frozen=True, slots=True)
class Letter:
    """One call of the Bot API, to be made once."""

    id: int
    chat_id: int
    priority: Priority
    method: str
    params: dict[str, Any]
    poll_id: int | None = None
    """The poll that it sends, stops or replies to."""
    message_name: str | None = None
    """The named message that it sends or edits."""
    doubts: int = 0
    """How often it went out without our learning what became of it."""
    not_before: datetime = _ALWAYS

    def readdressed(self, chat_id: int) -> "Letter":
        """The same to another chat, where the message that it would reply to has another id."""
        params = {key: value for key, value in self.params.items() if key != "reply_parameters"}
        return replace(self, chat_id=chat_id, params=params | {"chat_id": chat_id})


class Outbox:
    """Letters in the order in which they were decided."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw
        self.added: list[Letter] = []
        """What this transaction added; whoever runs it hands these on after the commit."""

    def add(
        self,
        chat_id: int,
        method: str,
        params: dict[str, Any],
        *,
        priority: Priority = Priority.REPLY,
        poll_id: int | None = None,
        message_name: str | None = None,
    ) -> None:
        written = orjson.dumps(params).decode()
        letter_id = self._raw.execute(
            "INSERT INTO outbox (chat_id, priority, method, params, poll_id, message_name, state)"
            " VALUES (?, ?, ?, ?, ?, ?, 'waiting')",
            (chat_id, priority, method, written, poll_id, message_name),
        ).lastrowid
        assert letter_id is not None
        letter = Letter(letter_id, chat_id, priority, method, params, poll_id, message_name)
        self.added.append(letter)

    def add_once(self, chat_id: int, method: str, params: dict[str, Any]) -> None:
        """Like `add`, unless the very same is under way already."""
        found = self._raw.execute(
            "SELECT 1 FROM outbox WHERE chat_id = ? AND method = ? AND params = ?",
            (chat_id, method, orjson.dumps(params).decode()),
        ).fetchone()
        if found is None:
            self.add(chat_id, method, params)

    def answers_waiting(self, chat_id: int) -> int:
        """How many messages wait for a chat that answer what was done there.

        One of unknown fate is none of them: it may wait for ever.
        """
        row = self._raw.execute(
            "SELECT count(*) FROM outbox WHERE chat_id = ? AND priority = ?"
            " AND state != 'doubtful' AND method LIKE 'send%'",
            (chat_id, Priority.REPLY),
        ).fetchone()
        return int(row[0])

    def waiting(self) -> list[Letter]:
        """All that waits to be sent, oldest first."""
        return self._letters("state = 'waiting'")

    def in_flight(self) -> list[Letter]:
        """What was being sent when the process ended, oldest first."""
        return self._letters("state = 'sending'")

    def claim(self, letter_ids: Iterable[int], now: datetime) -> set[int]:
        """Mark letters as being sent; those of them that were not taken back meanwhile.

        From now on a crash leaves it unknown whether Telegram has them.
        """
        rows = self._raw.execute(
            "UPDATE outbox SET state = 'sending', sent_at = ? WHERE state = 'waiting'"
            " AND id IN (SELECT value FROM json_each(?)) RETURNING id",
            (to_ms(now), orjson.dumps(list(letter_ids)).decode()),
        )
        return {letter_id for (letter_id,) in rows.fetchall()}

    def doubt(self, letter_id: int) -> None:
        """Telegram may have it or not; only a vote or a person can tell."""
        self._raw.execute("UPDATE outbox SET state = 'doubtful' WHERE id = ?", (letter_id,))

    def put_back(
        self, letter_id: int, *, doubted: bool = False, not_before: datetime = _ALWAYS
    ) -> None:
        """Send it (again), not before a moment; `doubted` counts an unknown fate."""
        self._raw.execute(
            "UPDATE outbox SET state = 'waiting', doubts = doubts + ?, not_before_at = ?"
            " WHERE id = ?",
            (doubted, to_ms(not_before), letter_id),
        )

    def remove(self, letter_id: int) -> None:
        self._raw.execute("DELETE FROM outbox WHERE id = ?", (letter_id,))

    def take_back(self, poll_id: int) -> None:
        """Don't send what waits for this poll."""
        self._raw.execute("DELETE FROM outbox WHERE poll_id = ? AND state = 'waiting'", (poll_id,))

    def give_up(self, poll_id: int) -> None:
        """No vote shall prove any more that this poll arrived, if that is in doubt."""
        self._raw.execute("DELETE FROM outbox WHERE poll_id = ? AND state = 'doubtful'", (poll_id,))

    def remove_edits(self, message_name: str) -> None:
        """Take back changes of a named message that wait: a later one says it all."""
        self._raw.execute(
            "DELETE FROM outbox WHERE message_name = ? AND method = 'editMessageText'"
            " AND state = 'waiting'",
            (message_name,),
        )

    def remove_chat(self, chat_id: int) -> None:
        """Take back all that waits to be sent to a chat.

        A question of unknown fate stays: a vote may still prove that it is there.
        """
        self._raw.execute("DELETE FROM outbox WHERE chat_id = ? AND state = 'waiting'", (chat_id,))

    def prune(self, now: datetime) -> None:
        """Give up questions of unknown fate that no vote has proved in a week."""
        self._raw.execute(
            "DELETE FROM outbox WHERE state = 'doubtful' AND poll_id IN"
            " (SELECT id FROM polls WHERE id = outbox.poll_id AND decided_at < ?)",
            (to_ms(now - DOUBTED),),
        )

    def move_chat(self, chat_id: int, new_chat_id: int) -> None:
        """What was meant for a chat is meant for another; see `Letter.readdressed`."""
        self._raw.execute(
            "UPDATE outbox SET chat_id = ?2, params = json_set("
            "json_remove(params, '$.reply_parameters'), '$.chat_id', ?2) WHERE chat_id = ?1",
            (chat_id, new_chat_id),
        )

    def _letters(self, condition: str) -> list[Letter]:
        rows = self._raw.execute(f"SELECT {_COLUMNS} FROM outbox WHERE {condition} ORDER BY id")
        return [
            Letter(
                id=letter_id,
                chat_id=chat_id,
                priority=Priority(priority),
                method=method,
                params=orjson.loads(params),
                poll_id=poll_id,
                message_name=message_name,
                doubts=doubts,
                not_before=from_ms(not_before_at),
            )
            for (
                letter_id,
                chat_id,
                priority,
                method,
                params,
                poll_id,
                message_name,
                doubts,
                not_before_at,
            ) in rows
        ]
