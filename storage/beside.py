"""What commands do with the database of a bot that may be running."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Literal, TypeVar

from storage.database import LOCK_TIMEOUT_SECONDS, set_up, whole
from storage.file import real
from storage.schema import demand_newest
from storage.store import Store
from storage.trouble import DatabaseError, explain

T = TypeVar("T")


def read(path: Path, work: Callable[[Store], T]) -> T:
    """Run `work`, which changes nothing, on what is stored at one moment, also while a bot runs.

    Raises DatabaseError where there is no file, or one that this code can't read.
    """
    path = real(path)
    try:
        with closing(connect_beside(path, "ro")) as raw:
            raw.execute("BEGIN")
            demand_newest(raw)
            return work(Store(raw))
    except sqlite3.Error as error:
        raise DatabaseError(explain(path, error)) from error


def change(path: Path, work: Callable[[Store], T]) -> T:
    """Run `work` in a transaction on what is stored, also while a bot runs, which is not told.

    Raises DatabaseError where there is no file, or one that this code can't change.
    """
    path = real(path)
    try:
        with closing(connect_beside(path, "rw")) as raw:
            demand_newest(raw)
            set_up(raw)
            return whole(raw, work)
    except sqlite3.Error as error:
        raise DatabaseError(explain(path, error)) from error


def connect_beside(path: Path, mode: Literal["ro", "rw"]) -> sqlite3.Connection:
    """Connect to the file of a bot, which may be running.

    Raises DatabaseError where there is no file, or one that can't be opened.
    """
    if not os.path.isfile(path):
        raise DatabaseError(
            f"There is no database {path}: run the bot first, or point DATABASE_PATH at its file."
        )
    try:
        return sqlite3.connect(
            f"{path.as_uri()}?mode={mode}",
            timeout=LOCK_TIMEOUT_SECONDS,
            isolation_level=None,
            uri=True,
        )
    except sqlite3.Error as error:
        raise DatabaseError(explain(path, error)) from error
