"""What can be wrong with a database, and the sentence that says what to do about it."""

import sqlite3
from pathlib import Path

# SQLite's primary result codes for a file that no waiting mends.
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

# SQLite's primary result codes that speak of the file or the machine, not of our statements.
_TROUBLE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOTADB,
}


class DatabaseError(Exception):
    """The database can't be used; the message says why and what to do."""


def is_trouble(error: BaseException) -> bool:
    """Whether an error is the database's own (locked, full, damaged), no fault of a handler."""
    if isinstance(error, sqlite3.Error):
        return _primary_code(error) in _TROUBLE
    return isinstance(error, DatabaseError)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error tells that a file is damaged, or no database at all."""
    return _primary_code(error) in _DAMAGE


def is_locked(error: sqlite3.Error) -> bool:
    """Whether an error tells that another process holds the file."""
    return _primary_code(error) == sqlite3.SQLITE_BUSY


def explain(path: Path, error: sqlite3.Error) -> str:
    """A sentence for whoever has to do something about a database that can't be used."""
    match _primary_code(error):
        case sqlite3.SQLITE_NOTADB:
            return f"{path} is no SQLite file: point DATABASE_PATH at the bot's file or a new one."
        case sqlite3.SQLITE_CORRUPT:
            return f"The database {path} is damaged: restore a copy with `quiz-tutor restore FILE`."
        case sqlite3.SQLITE_BUSY:
            return f"The database {path} is locked by another program: end that program first."
        case sqlite3.SQLITE_FULL:
            return f"The database {path} can't grow, as its disk is full: free some space."
    return (
        f"The database {path} can't be used ({error}): "
        "see that its disk has space and that this user may write to the file and its folder."
    )


def _primary_code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
