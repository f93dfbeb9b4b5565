"""The SQLite file: opening, migrating, and the one way to change it."""

import fcntl
import logging
import os
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from importlib import resources
from pathlib import Path
from typing import IO, Literal, Protocol, TypeVar

import aiosqlite

from storage.store import Store

APPLICATION_ID = 0x51544F52
"""What `PRAGMA application_id` says in a database of ours ("QTOR")."""

BUSY_TIMEOUT_MS = 200
"""How long SQLite itself waits for a lock. Short, because that wait can't be interrupted."""

LOCK_TIMEOUT_SECONDS = 5.0
"""How long those wait for a lock for whom nobody else waits: a start, and commands."""

RETRY_SECONDS = 0.1

TROUBLE_SECONDS = 1.0
"""The pause after trouble of the database, which is seldom over in a moment."""

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

T = TypeVar("T")

log = logging.getLogger(__name__)


class DatabaseError(Exception):
    """The database can't be used; the message says why and what to do."""


class Sleeper(Protocol):
    """The part of a clock that waiting for the database needs."""

    async def sleep(self, seconds: float) -> None: ...


def is_trouble(error: BaseException) -> bool:
    """Whether an error is the database's own (locked, full, damaged), no fault of a handler."""
    if isinstance(error, sqlite3.Error):
        return _primary_code(error) in _TROUBLE
    return isinstance(error, DatabaseError)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error tells that a file is damaged, or no database at all."""
    return _primary_code(error) in _DAMAGE


def _primary_code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


class _Connection(aiosqlite.Connection):
    """aiosqlite's connection and thread, with whole transactions as its unit of work.

    Each call to aiosqlite is a trip to its thread and back. A transaction of ten statements that
    makes one trip instead of ten is an order of magnitude cheaper, and nothing can come between
    its statements.
    """

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        result: T = await self._execute(work, self._conn)  # type: ignore[no-untyped-call]
        return result

    async def end(self) -> None:
        """Close what was opened, and return when the thread is gone."""
        try:
            await self.close()
        finally:
            self._thread.join()  # it was told to stop and has nothing else left to do


class Database:
    """An open database. Close it on every way out: its thread keeps the process alive."""

    def __init__(self, path: Path, connection: _Connection, lock: IO[str], clock: Sleeper) -> None:
        self._path = path
        self._connection = connection
        self._lock = lock
        self._clock = clock
        self.is_in_trouble = False
        """Whether somebody waits until it can be used again."""

    @classmethod
    async def open(cls, path: Path, clock: Sleeper) -> "Database":
        """Open the file, make it if it is missing (mode 0600), and migrate it.

        Raises DatabaseError when the file can't be written, is no SQLite file or another
        program's, is newer than this code, or is in use by another instance.
        """
        path = real(path)
        make_private(path)
        lock = take_lock(path)
        connection = _Connection(lambda: _connect(path), 64)
        try:
            try:
                await connection
                await connection.run(migrate)
                await connection.run(_prepare)
            except sqlite3.Error as error:
                raise DatabaseError(explain(path, error)) from error
        except BaseException:
            try:
                await connection.end()
            finally:
                lock.close()
            raise
        return cls(path, connection, lock, clock)

    async def transaction(self, work: Callable[[Store], T]) -> T:
        """Run `work` in one transaction: all of it is stored when this returns, or none of it.

        `work` is plain code that runs in the database's thread, one transaction at a time, so it
        can't wait for anything else and nothing can slip in between its statements. While another
        process holds the file, this waits. When the caller is cancelled, `work` may still be
        stored, and then all of it.

        Raises DatabaseError when the file is damaged, and sqlite3's errors for other trouble.
        """
        patience = 0
        while True:
            try:
                return await self._connection.run(lambda raw: _whole(raw, work))
            except sqlite3.Error as error:
                if is_damage(error):
                    raise DatabaseError(explain(self._path, error)) from error
                if _primary_code(error) != sqlite3.SQLITE_BUSY:
                    raise
                patience += 1
                if patience == 5:
                    log.warning("The database is locked by another process; waiting for it.")
                await self._clock.sleep(RETRY_SECONDS)

    async def insist(self, work: Callable[[Store], T]) -> T:
        """Like `transaction`, however long the database is in trouble: a full disk is waited out.

        `work` is run anew then, so it must change nothing but the store. One log line tells that
        the trouble began, one that it is over, whoever waits for it.
        """
        while True:
            try:
                result = await self.transaction(work)
            except sqlite3.Error as error:
                if not is_trouble(error):
                    raise
                if not self.is_in_trouble:
                    self.is_in_trouble = True
                    log.error("The database can't be used (%s); waiting until it can.", error)
                await self._clock.sleep(TROUBLE_SECONDS)
            else:
                if self.is_in_trouble:
                    self.is_in_trouble = False
                    log.info("The database can be used again.")
                return result

    async def scrub(self) -> bool:
        """Clear what was deleted out of the file and the log beside it; whether that is done.

        Takes the longer the larger the file is. It is not done while another process works with
        the database, or when it is in trouble: try again later.
        """
        try:
            done = await self._connection.run(_scrub)
        except sqlite3.Error as error:
            if not is_trouble(error):
                raise
            log.warning("The database could not be cleared of what was deleted: %s", error)
            return False
        if not done:
            log.warning("The database is in use elsewhere: what was deleted is not cleared yet.")
        return done

    async def close(self) -> None:
        """Close the file and end its thread, after what was begun."""
        try:
            await self._connection.end()
        finally:
            self._lock.close()


def real(path: Path) -> Path:
    """Where the file is: one lock for all its names, and nothing that SQLite reads as special."""
    return Path(os.path.realpath(path))


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(
        path,
        timeout=LOCK_TIMEOUT_SECONDS,
        isolation_level=None,  # transactions begin where we say
        check_same_thread=False,  # aiosqlite's thread is the only one that works with it
        cached_statements=256,
    )


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


def _prepare(raw: sqlite3.Connection) -> None:
    _set_up(raw)
    # While the file was opened nobody waited for us.
    raw.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    _try_to_write(raw)


def _try_to_write(raw: sqlite3.Connection) -> None:
    """Let a start fail, rather than everything that follows, where nothing can be written."""
    (version,) = raw.execute("PRAGMA user_version").fetchone()
    try:
        raw.execute(f"PRAGMA user_version = {version}")
    except sqlite3.OperationalError as error:
        if _primary_code(error) != sqlite3.SQLITE_BUSY:  # which passes
            raise


def _set_up(raw: sqlite3.Connection) -> None:
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("PRAGMA foreign_keys = ON")
    raw.execute("PRAGMA secure_delete = ON")  # what a learner had deleted is not left in the file


def _whole(raw: sqlite3.Connection, work: Callable[[Store], T]) -> T:
    raw.execute("BEGIN IMMEDIATE")
    try:
        result = work(Store(raw))
        raw.execute("COMMIT")
    except BaseException:
        if raw.in_transaction:
            raw.execute("ROLLBACK")
        raise
    return result


def _scrub(raw: sqlite3.Connection) -> bool:
    # A row that moves to another page leaves a copy behind, which secure_delete does not see.
    raw.execute("VACUUM")
    busy, *_ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


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


def read(path: Path, work: Callable[[Store], T]) -> T:
    """Run `work`, which changes nothing, on what is stored at one moment, also while a bot runs.

    Raises DatabaseError where there is no file, or one that this code can't read.
    """
    path = real(path)
    try:
        with closing(connect_beside(path, "ro")) as raw:
            raw.execute("BEGIN")
            _demand_newest(raw)
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
            _demand_newest(raw)
            _set_up(raw)
            return _whole(raw, work)
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


def _demand_newest(raw: sqlite3.Connection) -> None:
    newest = migrations()[-1][0]
    version = _known_version(raw, newest)
    if version < newest:
        raise DatabaseError(
            f"The database has version {version} and this program reads {newest}: "
            "run the bot once, which brings it up to date."
        )


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
