"""The version of a database's tables, and the steps that lead to the newest one."""

import re
import sqlite3
from importlib import resources

from storage.trouble import DatabaseError

APPLICATION_ID = 0x51544F52
"""What `PRAGMA application_id` says in a database of ours ("QTOR")."""


def migrations() -> list[tuple[int, str]]:
    """The steps of the schema as (version, SQL), in order."""
    steps = []
    for file in resources.files("storage.migrations").iterdir():
        if found := re.fullmatch(r"(\d{4})_\w+\.sql", file.name):
            steps.append((int(found[1]), file.read_text("utf-8")))
    return sorted(steps)


def migrate(raw: sqlite3.Connection, steps: list[tuple[int, str]] | None = None) -> None:
    """Bring the schema to the newest version, a step a transaction.

    Must run before `foreign_keys` is switched on: within a transaction SQLite ignores the switch.
    """
    steps = migrations() if steps is None else steps
    version = _known_version(raw, steps[-1][0])
    raw.execute("PRAGMA journal_mode = WAL")
    for number, script in steps:
        if number > version:
            try:
                # Each on lines of its own: a script may end in a comment or lack its semicolon.
                raw.executescript(
                    f"BEGIN IMMEDIATE;\n{script}\n;\n"
                    f"PRAGMA application_id = {APPLICATION_ID};\n"
                    f"PRAGMA user_version = {number};\nCOMMIT;"
                )
            except BaseException:
                if raw.in_transaction:
                    raw.execute("ROLLBACK")
                raise


def demand_newest(raw: sqlite3.Connection) -> None:
    """See that a database is the bot's and up to date. Raises DatabaseError."""
    newest = migrations()[-1][0]
    version = _known_version(raw, newest)
    if version < newest:
        raise DatabaseError(
            f"The database has version {version} and this program reads {newest}: "
            "run the bot once, which brings it up to date."
        )


def version_of(raw: sqlite3.Connection) -> int:
    """The schema's version; 0 in a file without tables.

    Raises DatabaseError for another program's file.
    """
    (version,) = raw.execute("PRAGMA user_version").fetchone()
    (owner,) = raw.execute("PRAGMA application_id").fetchone()
    (tables,) = raw.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if owner != APPLICATION_ID and (tables or version or owner):
        raise DatabaseError(
            "The database belongs to another program: point DATABASE_PATH at a file of the bot's."
        )
    return int(version)


def _known_version(raw: sqlite3.Connection, newest: int) -> int:
    """The schema's version. Raises DatabaseError for one that is too new, too."""
    version = version_of(raw)
    if version > newest:
        raise DatabaseError(
            f"The database has version {version} and this program knows {newest}: "
            "run the newer program, or restore an older copy."
        )
    return version
