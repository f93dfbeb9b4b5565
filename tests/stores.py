"""Databases for tests of the storage floor, and what gets in their way."""

import resource
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

from bot.clock import SystemClock
from storage.database import Database, Sleeper
from storage.schema import migrate
from storage.store import Store

ROOT = Path(__file__).parents[1]


@contextmanager
def blank_store() -> Iterator[Store]:
    """The tables of a new database in memory, without thread or event loop."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as raw:
        migrate(raw)
        raw.execute("PRAGMA foreign_keys = ON")
        yield Store(raw)


@asynccontextmanager
async def opened(path: Path, clock: Sleeper | None = None) -> AsyncIterator[Database]:
    """The database at a path, closed at the end."""
    database = await Database.open(path, clock or SystemClock())
    try:
        yield database
    finally:
        await database.close()


@contextmanager
def files_end_at(size: int) -> Iterator[None]:
    """The machine refuses to let any file grow over so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def python(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Another process that runs this code here, ended at the latest with the block."""
    with subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def hears(process: subprocess.Popen[str]) -> str:
    """The next line that a process prints; '' when it has ended."""
    assert process.stdout is not None
    return process.stdout.readline().rstrip("\n")


_HOLD = """
import sqlite3, sys
raw = sqlite3.connect(sys.argv[1], isolation_level=None)
raw.execute(sys.argv[2])
print("held", flush=True)
sys.stdin.readline()
raw.execute("ROLLBACK")
raw.close()
"""


class Holder:
    """Another process that holds a database's lock."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def release(self) -> None:
        """Return when the lock is free."""
        self._process.communicate("\n")


@contextmanager
def held(path: Path, begin: str = "BEGIN IMMEDIATE") -> Iterator[Holder]:
    """The database, with its lock in another process's hands."""
    with python(_HOLD, path, begin) as process:
        assert hears(process) == "held"
        yield Holder(process)
