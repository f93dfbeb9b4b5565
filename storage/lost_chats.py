"""Chats that Telegram refuses to let us write to, until they write to us again."""

import sqlite3
from collections.abc import Iterable
from datetime import datetime

import orjson

from storage.times import to_ms


class LostChats:
    """Chats that blocked the bot, removed it or are gone."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def add(self, chat_id: int, reason: str, now: datetime) -> None:
        self._raw.execute(
            "INSERT OR REPLACE INTO lost_chats (id, reason, lost_at) VALUES (?, ?, ?)",
            (chat_id, reason, to_ms(now)),
        )

    def remove(self, chat_id: int) -> None:
        self._raw.execute("DELETE FROM lost_chats WHERE id = ?", (chat_id,))

    def among(self, chat_ids: Iterable[int]) -> set[int]:
        """Those of the chats that are lost."""
        rows = self._raw.execute(
            "SELECT id FROM lost_chats WHERE id IN (SELECT value FROM json_each(?))",
            (orjson.dumps(list(chat_ids)).decode(),),
        )
        return {chat_id for (chat_id,) in rows}

    def __contains__(self, chat_id: int) -> bool:
        row = self._raw.execute("SELECT 1 FROM lost_chats WHERE id = ?", (chat_id,)).fetchone()
        return row is not None
