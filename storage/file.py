"""The database as a file: under one name, read by nobody else, in use by one bot."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from storage.trouble import DatabaseError


def real(path: Path) -> Path:
    """Where the file is: one lock for all its names, and nothing that SQLite reads as special."""
    return Path(os.path.realpath(path))


def take_lock(path: Path) -> IO[str]:
    """Hold a lock beside the database for as long as the process lives, or until it is closed.

    Raises DatabaseError when another instance has it, or when its folder can't be written.
    """
    try:
        _make_folder(path)
        lock = open(os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600), "w")  # noqa: SIM115
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise
    except BlockingIOError as error:
        raise DatabaseError(
            f"Another instance is running on the database {path}: "
            "stop it first, or give this one a DATABASE_PATH of its own."
        ) from error
    except OSError as error:
        raise _unwritable(path, error) from error
    return lock


def make_private(path: Path) -> None:
    """Make the file before SQLite does, so that it is never readable by others."""
    try:
        _make_folder(path)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise _unwritable(path, error) from error


def _make_folder(path: Path) -> None:
    with suppress(FileExistsError):
        path.parent.mkdir(parents=True)


def _unwritable(path: Path, error: OSError) -> DatabaseError:
    return DatabaseError(
        f"The database {path} can't be written ({error.strerror}): "
        "point DATABASE_PATH at a file in a folder that this user may write to."
    )
