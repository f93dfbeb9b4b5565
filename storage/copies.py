"""Copies of the database: made and checked while a bot runs, put back while none does.

A copy is one file of mode 0600 that any SQLite can read. It holds what was stored at one moment,
and so also what learners have deleted since.
"""

import fcntl
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from storage.beside import connect_beside
from storage.file import make_private, real, take_lock
from storage.notes import Notes
from storage.schema import APPLICATION_ID, migrations, version_of
from storage.trouble import DatabaseError, explain, is_damage

PAGES_AT_ONCE = 1024
"""How many pages are copied before a signal is looked at."""

SKIPPED_IDS = 1_000_000
"""How many ids a restored database leaves out. Those given since the copy stand in old buttons."""

PART = ".quiz-tutor-part"
"""How the name of a copy ends that is not whole yet."""

_BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database. It would apply a stranger's log to a new file."""


@dataclass(frozen=True, slots=True)
class Copy:
    """What a copy holds."""

    size: int
    """Bytes."""
    answers: int
    learners: int


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back, and where that is which was in its place."""

    copy: Copy
    kept: Path | None


def back_up(path: Path, target: Path) -> Copy:
    """Copy the database to a new file. A bot that runs goes on working with it meanwhile.

    The file is there whole and checked, or not at all. Raises DatabaseError when there is no
    database of a bot's, when it is damaged, when the target exists, and when it can't be written.
    """
    path, target = real(path), Path(os.path.abspath(target))
    for taken in (target, *_beside(target)):
        if os.path.lexists(taken):
            raise DatabaseError(f"{taken} exists already: name a file that does not.")
    with closing(connect_beside(path, "ro")) as source:
        _demand_tables(source, path)
        with _part_of(target) as part:
            copy = _copy(source, path, part, target)
            _put(part, target)
    return copy


def restore(path: Path, source: Path, now: datetime) -> Restored:
    """Put a copy in the database's place. What was there is kept beside it, under a new name.

    A crash at any moment leaves the one or the other. To the bot the copy is like a database after
    a crash: what waited to be sent may have been sent since, so its fate is unknown. Updates that
    waited are handled (again), as what they led to is not in the copy. Ids that may have been given
    since the copy are never given again.

    Raises DatabaseError while a bot runs, and for a file that is no copy of this bot's database,
    is damaged, or is newer than this code.
    """
    path, source = real(path), real(source)
    with closing(_opened(source)) as raw, take_lock(path):
        if path.exists() and path.samefile(source):
            raise DatabaseError(f"{source} is the database itself: name a copy of it.")
        _demand_same_bot(raw, source, _fold(path))
        part = Path(f"{path}.part")
        part.unlink(missing_ok=True)  # left by a crash
        make_private(part)
        try:
            copy = _copy(raw, source, part, path, _leave_open_what_followed)
            kept = _keep(path, now)
            _put(part, path)
        finally:
            part.unlink(missing_ok=True)
    return Restored(copy, kept)


def _demand_tables(raw: sqlite3.Connection, path: Path) -> None:
    try:
        version = version_of(raw)
    except sqlite3.Error as error:
        raise DatabaseError(explain(path, error)) from error
    if not version:
        raise DatabaseError(
            f"The database {path} is empty: run the bot first, or point DATABASE_PATH at its file."
        )


def _opened(source: Path) -> sqlite3.Connection:
    """A connection to what is said to be a copy, which it is seen to be."""
    if not source.is_file():
        raise DatabaseError(f"There is no file {source}: name one that `quiz-tutor backup` made.")
    raw = connect_beside(source, "ro")
    try:
        _demand_copy(raw, source)
    except BaseException:
        raw.close()
        raise
    return raw


def _demand_copy(raw: sqlite3.Connection, source: Path) -> None:
    try:
        (owner,) = raw.execute("PRAGMA application_id").fetchone()
        (version,) = raw.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        raise DatabaseError(
            f"{source} can't be read ({error}): name a file that `quiz-tutor backup` made."
        ) from error
    if owner != APPLICATION_ID:
        raise DatabaseError(
            f"{source} is no copy of a bot's database: name a file that `quiz-tutor backup` made."
        )
    newest = migrations()[-1][0]
    if version > newest:
        raise DatabaseError(
            f"{source} has version {version} and this program knows {newest}: "
            "run the newer program, or name an older copy."
        )


@contextmanager
def _part_of(target: Path) -> Iterator[Path]:
    """A new file beside a target, for what is not yet whole; it is gone with the block.

    It is locked for as long as it is written, which tells it from what a crash has left.
    """
    _clear_parts(target.parent)
    try:
        number, part = _locked_part_of(target)
    except OSError as error:
        raise _unwritable(target, error.strerror) from error
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)
        os.close(number)


def _locked_part_of(target: Path) -> tuple[int, Path]:
    while True:
        number, name = tempfile.mkstemp(PART, f".{target.name}.", target.parent)
        with suppress(OSError):  # a file system without locks, where nothing is cleared either
            fcntl.flock(number, fcntl.LOCK_EX)
        if os.path.lexists(name):
            return number, Path(name)
        os.close(number)  # another backup took it for a crash's, just before it was locked


def _clear_parts(folder: Path) -> None:
    """Delete what earlier backups left in a folder, as far as this user may."""
    for part in folder.glob(f".*{PART}"):
        with suppress(OSError), part.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink()


def _copy(
    source: sqlite3.Connection,
    name: Path,
    part: Path,
    target: Path,
    prepare: Callable[[sqlite3.Connection], None] = lambda raw: None,
) -> Copy:
    """Copy what is stored at this moment to an empty file, and check what came of it."""
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as raw:
            raw.execute("PRAGMA journal_mode = OFF")  # a file that is of no use unless it is whole
            raw.execute("PRAGMA synchronous = OFF")
            # Within a transaction of our own the copying never has to begin anew.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            source.backup(raw, pages=PAGES_AT_ONCE)
            source.execute("ROLLBACK")
            raw.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
            prepare(raw)
            return _checked(raw, name, part)
    except sqlite3.Error as error:
        if is_damage(error):
            raise _damaged(name) from error
        raise _unwritable(target, str(error)) from error


def _checked(raw: sqlite3.Connection, name: Path, part: Path) -> Copy:
    if raw.execute("PRAGMA integrity_check(1)").fetchall() != [("ok",)]:
        raise _damaged(name)
    if raw.execute("PRAGMA foreign_key_check").fetchone():
        raise _damaged(name)
    (answers,) = raw.execute("SELECT count(*) FROM answers").fetchone()
    (learners,) = raw.execute("SELECT count(*) FROM learners WHERE id > 0").fetchone()
    return Copy(part.stat().st_size, answers, learners)


def _leave_open_what_followed(raw: sqlite3.Connection) -> None:
    """Leave open what happened since: which letters went out, and which ids were given."""
    raw.execute("UPDATE outbox SET state = 'sending' WHERE state = 'waiting'")
    tables = raw.execute("SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'")
    for (table,) in tables.fetchall():
        (last,) = raw.execute(
            "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = ?", (table,)
        ).fetchone()
        raw.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        raw.execute(
            "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last + SKIPPED_IDS)
        )


def _fold(path: Path) -> str | None:
    """Bring a database and the log beside it into one file; the id of its bot, if it tells."""
    if not path.exists():
        return None
    try:
        with closing(connect_beside(path, "rw")) as raw:
            version = version_of(raw)
            raw.execute("PRAGMA journal_mode = DELETE")
            return Notes(raw).get("bot") if version else None
    except sqlite3.Error as error:
        if is_damage(error):
            return None  # it is kept with its log beside it
        raise DatabaseError(explain(path, error)) from error


def _demand_same_bot(raw: sqlite3.Connection, source: Path, bot: str | None) -> None:
    try:
        owner = Notes(raw).get("bot")
    except sqlite3.Error as error:
        raise _damaged(source) from error
    if bot and owner and bot != owner:
        raise DatabaseError(
            f"{source} is a copy of another bot's database (id {owner}, the one here is {bot}): "
            "give each bot a DATABASE_PATH of its own."
        )


def _keep(path: Path, now: datetime) -> Path | None:
    """Give what is in a database's place a second name; None where nothing is."""
    kept = Path(f"{path}.{now:%Y%m%dT%H%M%SZ}")
    is_of_use = path.exists() and path.stat().st_size > 0
    try:
        if is_of_use:
            _take_other_names(path)
            _name_twice(path, kept)
        for old, new in zip(_beside(path), _beside(kept), strict=True):
            with suppress(FileNotFoundError):
                old.replace(new)
    except OSError as error:
        raise _unwritable(kept, error.strerror) from error
    return kept if is_of_use else None


def _take_other_names(path: Path) -> None:
    """A crash between naming twice and putting another file in the place leaves two names."""
    for other in path.parent.iterdir():
        if other.name.startswith(f"{path.name}.") and other.samefile(path):
            other.unlink()


def _name_twice(path: Path, other: Path) -> None:
    try:
        os.link(path, other)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        make_private(other)
        shutil.copyfile(path, other)
        _sync(other)


def _put(part: Path, target: Path) -> None:
    """Give a file its name, so that a power cut leaves all of it or nothing."""
    try:
        _sync(part)
        part.replace(target)
        _sync(target.parent)
    except OSError as error:
        raise _unwritable(target, error.strerror) from error


def _beside(path: Path) -> list[Path]:
    return [Path(f"{path}{suffix}") for suffix in _BESIDE]


def _damaged(path: Path) -> DatabaseError:
    return DatabaseError(f"{path} is damaged, so no copy of it is made: use an older copy.")


def _unwritable(path: Path, reason: str | None) -> DatabaseError:
    return DatabaseError(
        f"{path} can't be written ({reason}): "
        "see that its disk has space and that this user may write to its folder."
    )


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
