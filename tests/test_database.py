"""Opening the database: what is made, what is refused, and in which words."""

import asyncio
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.clock import SystemClock
from storage.database import Database
from storage.schema import APPLICATION_ID, migrations
from storage.store import Store
from storage.trouble import DatabaseError, is_trouble
from tests.stores import files_end_at, held, opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "bot.sqlite3"


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = threading.enumerate()
    yield
    # Threads of earlier tests may end meanwhile; none may be new.
    assert set(threading.enumerate()) <= set(before)


async def refuses(path: Path) -> str:
    """The sentence with which a database is refused."""
    with pytest.raises(DatabaseError) as refused:
        await Database.open(path, SystemClock())
    return str(refused.value)


def refusal(path: Path) -> str:
    """The same, in an event loop of its own."""
    return asyncio.run(refuses(path))


def made(path: Path) -> None:
    """Make a database by opening it, and close it."""

    async def make() -> None:
        async with opened(path):
            pass

    asyncio.run(make())


def test_a_missing_file_and_its_folder_are_made(path: Path) -> None:
    made(path)
    assert path.is_file()


async def test_no_file_of_the_database_is_readable_by_others(path: Path) -> None:
    umask = os.umask(0)
    try:
        async with opened(path) as database:
            await database.transaction(lambda store: store.notes.put("a", "1"))
            modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    finally:
        os.umask(umask)
    assert modes == {
        "bot.sqlite3": 0o600,
        "bot.sqlite3.lock": 0o600,
        "bot.sqlite3-shm": 0o600,
        "bot.sqlite3-wal": 0o600,
    }


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "wal"),
        ("foreign_keys", 1),
        ("secure_delete", 1),
        ("synchronous", 2),  # FULL
        ("busy_timeout", 200),
        ("application_id", APPLICATION_ID),
        ("user_version", migrations()[-1][0]),
    ],
)
async def test_the_connection_is_set_up(path: Path, pragma: str, value: object) -> None:
    def ask(store: Store) -> object:
        # Settings of this very connection; no other can tell them.
        return store._raw.execute(f"PRAGMA {pragma}").fetchone()[0]

    async with opened(path) as database:
        assert await database.transaction(ask) == value


async def test_what_was_stored_is_there_when_it_is_opened_again(path: Path) -> None:
    async with opened(path) as database:
        await database.transaction(lambda store: store.notes.put("a", "1"))
    async with opened(path) as database:
        assert await database.transaction(lambda store: store.notes.get("a")) == "1"


def test_a_name_that_sqlite_takes_as_memory_is_a_file_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made(Path(":memory:"))
    assert (tmp_path / ":memory:").stat().st_size > 0


def test_an_empty_file_is_taken(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    made(path)
    assert path.stat().st_size > 0


async def test_closing_twice_is_harmless(path: Path) -> None:
    async with opened(path) as database:
        await database.close()


async def test_a_second_instance_is_refused_until_the_first_is_closed(path: Path) -> None:
    async with opened(path):
        assert await refuses(path) == (
            f"Another instance is running on the database {path}: "
            "stop it first, or give this one a DATABASE_PATH of its own."
        )
    async with opened(path):
        pass


async def test_a_second_instance_is_refused_under_any_name_of_the_file(path: Path) -> None:
    async with opened(path):
        (path.parent / "other").symlink_to(path)
        assert "Another instance is running" in await refuses(path.parent / "other")


@pytest.mark.parametrize("content", [b"hello", b"What is not SQLite.\n" * 500])
def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    assert refusal(path) == (
        f"{path} is no SQLite file: point DATABASE_PATH at the bot's file or a new one."
    )
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE photos (id INTEGER)",
        "PRAGMA user_version = 3",
        "PRAGMA application_id = 77",
        # Geopackage, a format of others, with a version that we could take for ours.
        "PRAGMA application_id = 0x47504B47; PRAGMA user_version = 1; CREATE TABLE notes (name)",
    ],
)
def test_another_programs_database_is_refused_and_left_alone(path: Path, script: str) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(script)
    content = path.read_bytes()
    assert refusal(path) == (
        "The database belongs to another program: point DATABASE_PATH at a file of the bot's."
    )
    assert path.read_bytes() == content


def test_a_newer_database_is_refused_and_left_alone(path: Path) -> None:
    made(path)
    newest = migrations()[-1][0]
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA user_version = {newest + 1}")
    content = path.read_bytes()
    assert refusal(path) == (
        f"The database has version {newest + 1} and this program knows {newest}: "
        "run the newer program, or restore an older copy."
    )
    assert path.read_bytes() == content


def test_a_damaged_database_is_refused(path: Path) -> None:
    made(path)
    with path.open("r+b") as file:
        file.seek(100)  # behind the header of the file, where the schema's page begins
        file.write(b"\xff" * 3000)
    assert refusal(path) == (
        f"The database {path} is damaged: restore a copy with `quiz-tutor restore FILE`."
    )


@pytest.mark.parametrize("below", ["bot.sqlite3", "folder/bot.sqlite3"])
def test_a_path_below_a_file_is_refused(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / below
    assert refusal(path) == (
        f"The database {path} can't be written (Not a directory): "
        "point DATABASE_PATH at a file in a folder that this user may write to."
    )


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == (
        f"The database {tmp_path} can't be written (Is a directory): "
        "point DATABASE_PATH at a file in a folder that this user may write to."
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("protected", ["", "bot.sqlite3"])
def test_a_protected_file_or_folder_is_refused(path: Path, protected: str) -> None:
    made(path)
    (path.parent / "bot.sqlite3.lock").unlink()
    target = path.parent / protected
    mode = target.stat().st_mode
    target.chmod(mode & ~0o222)
    sentence = refusal(path)
    target.chmod(mode)
    assert sentence == (
        f"The database {path} can't be written (Permission denied): "
        "point DATABASE_PATH at a file in a folder that this user may write to."
    )


def test_a_disk_without_space_is_named_and_a_later_start_succeeds(path: Path) -> None:
    with files_end_at(8192):
        assert refusal(path) == (
            f"The database {path} can't be used (disk I/O error): "
            "see that its disk has space and that this user may write to the file and its folder."
        )
    made(path)


@pytest.mark.slow
def test_a_database_that_another_program_keeps_locked_is_refused(path: Path) -> None:
    path.parent.mkdir()
    with held(path, "BEGIN EXCLUSIVE"):
        assert refusal(path) == (
            f"The database {path} is locked by another program: end that program first."
        )


async def test_a_disk_that_fills_up_loses_nothing_and_blocks_nothing(path: Path) -> None:
    def write(store: Store) -> None:
        store.notes.put("small", "1")
        store.notes.put("large", "x" * 1_000_000)

    async with opened(path) as database:
        with files_end_at(100_000), pytest.raises(sqlite3.OperationalError) as full:
            await database.transaction(write)
        assert is_trouble(full.value)
        assert await database.transaction(lambda store: store.notes.get("small")) is None
        await database.transaction(write)
        assert await database.transaction(lambda store: store.notes.get("small")) == "1"


@pytest.mark.parametrize(
    "script",
    ["INSERT INTO a VALUES (1); INSERT INTO a VALUES (1)", "SELECT nonsense", "INSERT INTO b"],
)
def test_a_mistake_in_a_statement_is_no_trouble_of_the_database(script: str) -> None:
    with closing(sqlite3.connect(":memory:")) as raw:
        raw.execute("CREATE TABLE a (id INTEGER PRIMARY KEY)")
        with pytest.raises(sqlite3.Error) as mistake:
            raw.executescript(script)
    assert not is_trouble(mistake.value)
