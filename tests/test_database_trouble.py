"""Trouble of the database while it is in use: locks, full disks, damage, files that go missing."""

import asyncio
import logging
import resource
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.clock import SystemClock
from storage.database import Database
from storage.store import Store
from storage.trouble import DatabaseError
from tests.process import BotProcess, LiveLearner, served
from tests.stores import files_end_at, hears, held, opened, python

SECONDS_TO_END = 5.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bot.sqlite3"


class Waits:
    """A clock whose sleeps end at once; one of them sees something happen."""

    def __init__(self, at: int, act: Callable[[], None]) -> None:
        self.count = 0
        self._at = at
        self._act = act

    async def sleep(self, seconds: float) -> None:
        self.count += 1
        if self.count == self._at:
            self._act()
        await asyncio.sleep(0)


def put(store: Store) -> None:
    """Write something small and something large."""
    store.notes.put("count", str(int(store.notes.get("count") or 0) + 1))
    store.notes.put("large", "x" * 1_000_000)


def count(store: Store) -> str | None:
    return store.notes.get("count")


def damage(path: Path, table: str) -> None:
    """Overwrite the page at which a table begins: nothing is wrong until it is read."""
    with closing(sqlite3.connect(path)) as raw:
        (page,) = raw.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)
        ).fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)


def fill_disk_of(bot: BotProcess) -> Callable[[], object]:
    """Let no file of the bot's grow any more, until what comes back is called."""
    before = resource.prlimit(bot.id, resource.RLIMIT_FSIZE)
    resource.prlimit(bot.id, resource.RLIMIT_FSIZE, (1000, before[1]))
    return lambda: resource.prlimit(bot.id, resource.RLIMIT_FSIZE, before)


# Full disks


async def test_a_full_disk_is_waited_out_with_a_line_at_its_beginning_and_its_end(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with full_disk() as free:
        clock = Waits(50, free)
        async with opened(path, clock) as database:
            free.fill()
            await asyncio.gather(*(database.insist(put) for _ in range(3)))
            assert await database.transaction(count) == "3"
    assert clock.count >= 50
    assert [record.message for record in caplog.records] == [
        "The database can't be used (disk I/O error); waiting until it can.",
        "The database can be used again.",
    ]


async def test_who_stops_waiting_for_space_leaves_nothing(path: Path) -> None:
    waiting = asyncio.Event()
    with full_disk() as free:
        async with opened(path, Waits(1, waiting.set)) as database:
            free.fill()
            patient = asyncio.create_task(database.insist(put))
            await waiting.wait()
            patient.cancel()
            with pytest.raises(asyncio.CancelledError):
                await patient
            free()
            assert await database.transaction(count) is None


async def test_a_mistake_is_not_waited_out(path: Path) -> None:
    async with opened(path) as database:
        with pytest.raises(sqlite3.OperationalError):
            await database.insist(lambda store: store._raw.execute("SELECT nonsense"))


class Disk:
    """The room that files may take. Calling it frees all of it."""

    def __init__(self) -> None:
        self._limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, self._limits[1]))

    def __call__(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, self._limits)


@contextmanager
def full_disk() -> Iterator[Disk]:
    disk = Disk()
    try:
        yield disk
    finally:
        disk()


def test_a_disk_that_is_full_already_is_told_at_the_start(path: Path) -> None:
    async def start() -> None:
        await (await Database.open(path, SystemClock())).close()

    asyncio.run(start())
    with files_end_at(1000), pytest.raises(DatabaseError) as refused:
        asyncio.run(start())
    assert "see that its disk has space" in str(refused.value)
    asyncio.run(start())


# Damage


@pytest.mark.parametrize("patiently", [False, True])
async def test_damage_is_told_in_a_sentence_and_not_waited_out(path: Path, patiently: bool) -> None:
    async with opened(path) as database:
        await database.transaction(put)
    damage(path, "notes")
    async with opened(path) as database:
        run = database.insist if patiently else database.transaction
        with pytest.raises(DatabaseError) as found:
            await run(lambda store: store.notes.get("large"))
    assert str(found.value) == (
        f"The database {path} is damaged: restore a copy with `quiz-tutor restore FILE`."
    )


# Logs that got lost, or into the wrong place

_LEAVE_A_LOG = """
import asyncio, sys
from pathlib import Path
from bot.clock import SystemClock
from storage.database import Database

async def main():
    database = await Database.open(Path(sys.argv[1]), SystemClock())
    await database.transaction(lambda store: store.notes.put("count", sys.argv[2]))
    print("stored", flush=True)
    sys.stdin.readline()

asyncio.run(main())
"""


def crash(path: Path, value: str) -> None:
    """Store something, and crash, so that it stands in the log alone."""
    with python(_LEAVE_A_LOG, path, value) as process:
        assert hears(process) == "stored"
        process.kill()
        process.wait()


@pytest.mark.parametrize("content", [b"", b"no log at all", b"\xff" * 10_000])
async def test_a_log_that_is_none_is_not_applied(path: Path, content: bytes) -> None:
    async with opened(path) as database:
        await database.transaction(lambda store: store.notes.put("count", "mine"))
    Path(f"{path}-wal").write_bytes(content)
    async with opened(path) as database:
        assert await database.transaction(count) == "mine"


async def test_without_its_log_a_database_is_what_it_was_before(path: Path) -> None:
    async with opened(path) as database:
        await database.transaction(lambda store: store.notes.put("count", "old"))
    crash(path, "new")
    for name in ("-wal", "-shm"):
        Path(f"{path}{name}").unlink()
    async with opened(path) as database:
        assert await database.transaction(count) == "old"
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)


# The real process


@pytest.fixture
async def bot(tmp_path: Path) -> AsyncIterator[BotProcess]:
    """A process that can be started, and its Telegram."""
    async with served() as (telegram, url):
        process = BotProcess(telegram, url, tmp_path)
        try:
            yield process
        finally:
            await process.close()


@pytest.fixture
def learner(bot: BotProcess) -> LiveLearner:
    return LiveLearner(bot.telegram)


@pytest.fixture
def live_path(tmp_path: Path) -> Path:
    """Where the process has its database."""
    return tmp_path / "data" / "quiz-tutor.sqlite3"


_HOLD_FOR_SECONDS = """
import sqlite3, sys, time
raw = sqlite3.connect(sys.argv[1], isolation_level=None)
raw.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
"""


@pytest.mark.slow
async def test_while_another_program_holds_the_lock_nothing_is_lost(
    bot: BotProcess, learner: LiveLearner, live_path: Path
) -> None:
    await bot.start()
    learner.sends("/quiz capitals")
    offer = await learner.offered()
    with python(_HOLD_FOR_SECONDS, live_path, 5) as holder:
        assert hears(holder) == "held"
        learner.acts_on(offer)
        await bot.logs("The database is locked by another process; waiting for it.")
        await learner.hears("✅ Right")
    learner.sends("/stats")
    await learner.hears("Your progress")
    assert "Traceback" not in bot.log


@pytest.mark.slow
async def test_a_start_waits_a_while_for_a_lock(
    bot: BotProcess, learner: LiveLearner, live_path: Path
) -> None:
    await bot.start()
    await bot.kill()
    learner.sends("/help")
    with held(live_path) as holder:
        await bot.launch()
        await bot.logs("The database is locked by another process; waiting for it.")
        holder.release()
    await learner.hears("What I understand")


@pytest.mark.slow
async def test_a_disk_that_fills_up_stops_the_bot_until_there_is_room_and_loses_nothing(
    bot: BotProcess, learner: LiveLearner, live_path: Path
) -> None:
    await bot.start()
    learner.sends("/quiz capitals")
    offer = await learner.offered()

    make_room = fill_disk_of(bot)
    learner.acts_on(offer)
    await bot.logs("The database can't be")
    make_room()

    await learner.hears("✅ Right")
    assert (bot.log.count("ERROR"), "Traceback" in bot.log) == (1, False)
    with closing(sqlite3.connect(live_path)) as raw:
        assert raw.execute("SELECT count(*) FROM answers").fetchone() == (1,)
    assert (await bot.ends_by(signal.SIGTERM)).code == 0


@pytest.mark.slow
async def test_a_bot_whose_disk_is_full_ends_when_told_and_goes_on_later(
    bot: BotProcess, learner: LiveLearner
) -> None:
    await bot.start()
    learner.sends("/quiz capitals")
    offer = await learner.offered()
    fill_disk_of(bot)
    learner.acts_on(offer)
    await bot.logs("The database can't be")

    end = await bot.ends_by(signal.SIGTERM)
    await bot.start()

    assert (end.code, end.seconds < SECONDS_TO_END) == (0, True)
    await learner.hears("✅ Right")
    assert "Traceback" not in bot.log


@pytest.mark.slow
async def test_a_damaged_database_ends_the_bot_with_a_sentence(
    bot: BotProcess, learner: LiveLearner, live_path: Path
) -> None:
    await bot.start()
    learner.sends("/quiz capitals")
    await learner.offered()
    await bot.ends_by(signal.SIGTERM)
    damage(live_path, "polls")

    await bot.launch()
    learner.sends("/stop")  # which looks for the open question

    assert await bot.ends() == 2
    lines = bot.log.splitlines()
    assert lines[-1] == (
        f"The database {live_path} is damaged: restore a copy with `quiz-tutor restore FILE`."
    )
    assert "Traceback" not in bot.log
