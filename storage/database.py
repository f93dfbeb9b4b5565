"""The bot's database: opening it, and the one way to change it."""

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import IO, Protocol, TypeVar

import aiosqlite

from storage.file import make_private, real, take_lock
from storage.schema import migrate
from storage.store import Store
from storage.trouble import DatabaseError, explain, is_damage, is_locked, is_trouble

BUSY_TIMEOUT_MS = 200
"""How long SQLite itself waits for a lock. Short, because that wait can't be interrupted."""

LOCK_TIMEOUT_SECONDS = 5.0
"""How long those wait for a lock for whom nobody else waits: a start, and commands."""

RETRY_SECONDS = 0.1

TROUBLE_SECONDS = 1.0
"""The pause after trouble of the database, which is seldom over in a moment."""

T = TypeVar("T")

log = logging.getLogger(__name__)


class Sleeper(Protocol):
    """The part of a clock that waiting for the database needs."""

    async def sleep(self, seconds: float) -> None: ...


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
                return await self._connection.run(lambda raw: whole(raw, work))
            except sqlite3.Error as error:
                if is_damage(error):
                    raise DatabaseError(explain(self._path, error)) from error
                if not is_locked(error):
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


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(
        path,
        timeout=LOCK_TIMEOUT_SECONDS,
        isolation_level=None,  # transactions begin where we say
        check_same_thread=False,  # aiosqlite's thread is the only one that works with it
        cached_statements=256,
    )


def _prepare(raw: sqlite3.Connection) -> None:
    set_up(raw)
    # While the file was opened nobody waited for us.
    raw.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    _try_to_write(raw)


def _try_to_write(raw: sqlite3.Connection) -> None:
    """Let a start fail, rather than everything that follows, where nothing can be written."""
    (version,) = raw.execute("PRAGMA user_version").fetchone()
    try:
        raw.execute(f"PRAGMA user_version = {version}")
    except sqlite3.OperationalError as error:
        if not is_locked(error):  # which passes
            raise


def set_up(raw: sqlite3.Connection) -> None:
    """Let a connection change what is stored as carefully as it must be changed."""
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("PRAGMA foreign_keys = ON")
    raw.execute("PRAGMA secure_delete = ON")  # what a learner had deleted is not left in the file


def whole(raw: sqlite3.Connection, work: Callable[[Store], T]) -> T:
    """Run `work` in a transaction of its own: what it changed is stored, or nothing of it."""
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
