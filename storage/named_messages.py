"""Messages that are edited or replied to later, by a name of ours."""

import sqlite3


class NamedMessages:
    """Where a message with a name stands, once Telegram has it."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def put(self, name: str, chat_id: int, message_id: int) -> None:
        self._raw.execute(
            "INSERT OR REPLACE INTO named_messages (name, chat_id, message_id) VALUES (?, ?, ?)",
            (name, chat_id, message_id),
        )

    def message_id(self, name: str) -> int | None:
        row = self._raw.execute(
            "SELECT message_id FROM named_messages WHERE name = ?", (name,)
        ).fetchone()
        return None if row is None else int(row[0])

    def forget_chat(self, chat_id: int) -> None:
        """A chat's message ids mean nothing any more: it became a supergroup."""
        self._raw.execute("DELETE FROM named_messages WHERE chat_id = ?", (chat_id,))

    def forget(self, name: str) -> None:
        self._raw.execute("DELETE FROM named_messages WHERE name = ?", (name,))
