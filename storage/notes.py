"""Single values that the bot keeps for itself."""

import sqlite3


class Notes:
    """A value by name: whose database this is, what the bot told Telegram last."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def get(self, name: str) -> str | None:
        row = self._raw.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def put(self, name: str, value: str) -> None:
        self._raw.execute(
            "INSERT INTO notes (name, value) VALUES (?, ?)"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, value),
        )

    def forget(self, name: str) -> None:
        self._raw.execute("DELETE FROM notes WHERE name = ?", (name,))
