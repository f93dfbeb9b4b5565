"""Transactions: whole or not at all, whatever happens around them."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest

from storage.database import Database
from storage.inbox import Arrival
from storage.store import Store
from tests.clock import START
from tests.stores import hears, held, opened, python


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bot.sqlite3"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    async with opened(path) as database:
        yield database


class _MistakeError(Exception):
    pass


class _Waits:
    """A clock that counts how often somebody waits, and acts at one of those times."""

    def __init__(self, at: int, act: Callable[[], None]) -> None:
        self.count = 0
        self._at = at
        self._act = act

    async def sleep(self, seconds: float) -> None:
        self.count += 1
        if self.count == self._at:
            self._act()
        await asyncio.sleep(0)


def put(name: str) -> Callable[[Store], None]:
    return lambda store: store.notes.put(name, "1")


def put_and_fail(name: str) -> Callable[[Store], None]:
    def work(store: Store) -> None:
        store.notes.put(name, "1")
        raise _MistakeError

    return work


def count_up(store: Store) -> None:
    store.notes.put("count", str(int(store.notes.get("count") or 0) + 1))


def count(store: Store) -> str | None:
    return store.notes.get("count")


def noted(*names: str) -> Callable[[Store], list[str]]:
    """Which of these were put."""
    return lambda store: [name for name in names if store.notes.get(name)]


async def test_a_transaction_that_raises_leaves_nothing(database: Database) -> None:
    with pytest.raises(_MistakeError):
        await database.transaction(put_and_fail("a"))
    assert await database.transaction(noted("a")) == []


async def test_a_failing_transaction_takes_no_neighbour_with_it(database: Database) -> None:
    await asyncio.gather(
        database.transaction(put("before")),
        database.transaction(put_and_fail("failing")),
        database.transaction(put("after")),
        return_exceptions=True,
    )
    stored = await database.transaction(noted("before", "failing", "after"))
    assert stored == ["before", "after"]


async def test_twenty_at_once_count_to_twenty(database: Database) -> None:
    await asyncio.gather(*(database.transaction(count_up) for _ in range(20)))
    assert await database.transaction(count) == "20"


async def test_what_one_transaction_says_is_not_in_the_next(database: Database) -> None:
    await database.transaction(lambda store: store.outbox.add(1, "sendMessage", {"chat_id": 1}))
    assert await database.transaction(lambda store: store.outbox.added) == []


async def test_while_another_process_holds_the_lock_all_wait_and_none_fails(path: Path) -> None:
    async with opened(path):
        pass
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    with held(path) as holder:
        clock = _Waits(8, holder.release)
        async with opened(path, clock) as database:
            turning = asyncio.create_task(turn())
            await asyncio.gather(*(database.transaction(count_up) for _ in range(20)))
            turning.cancel()
            assert await database.transaction(count) == "20"
    assert clock.count >= 8
    # A loop that stood still whenever SQLite waits would have turned a few times a wait.
    assert turns > 1000


async def test_a_long_lock_is_logged_once(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with opened(path):
        pass
    with held(path) as holder:
        async with opened(path, _Waits(6, holder.release)) as database:
            await database.transaction(count_up)
    assert caplog.messages == ["The database is locked by another process; waiting for it."]


async def test_work_begins_only_when_the_lock_is_free(path: Path) -> None:
    async with opened(path):
        pass
    runs = 0

    def work(store: Store) -> None:
        nonlocal runs
        runs += 1
        count_up(store)

    with held(path) as holder:
        async with opened(path, _Waits(3, holder.release)) as database:
            await database.transaction(work)
    assert runs == 1


async def test_who_gives_up_waiting_for_a_lock_leaves_nothing_and_blocks_nobody(
    path: Path,
) -> None:
    async with opened(path):
        pass
    waiting = asyncio.Event()
    with held(path) as holder:
        async with opened(path, _Waits(1, waiting.set)) as database:
            patient = asyncio.create_task(database.transaction(put("given up")))
            await waiting.wait()
            patient.cancel()
            with pytest.raises(asyncio.CancelledError):
                await patient
            holder.release()
            await database.transaction(put("later"))
            assert await database.transaction(noted("given up", "later")) == ["later"]


async def test_who_is_cancelled_in_the_middle_leaves_a_whole_transaction(
    database: Database,
) -> None:
    loop = asyncio.get_running_loop()
    begun, go_on = asyncio.Event(), threading.Event()

    def work(store: Store) -> None:
        store.notes.put("first", "1")
        loop.call_soon_threadsafe(begun.set)
        go_on.wait()
        store.notes.put("second", "1")

    caller = asyncio.create_task(database.transaction(work))
    await begun.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    go_on.set()
    assert await database.transaction(noted("first", "second")) == ["first", "second"]


async def test_closing_lets_what_was_begun_be_stored(path: Path) -> None:
    async with opened(path) as database:
        begun = [asyncio.create_task(database.transaction(count_up)) for _ in range(20)]
        await asyncio.sleep(0)  # every task has handed in its work
    await asyncio.gather(*begun)
    async with opened(path) as database:
        assert await database.transaction(count) == "20"


def test_a_savepoint_undoes_its_block_alone(store: Store) -> None:
    store.notes.put("before", "1")
    with pytest.raises(_MistakeError), store.savepoint():
        put_and_fail("within")(store)
    with store.savepoint():
        store.notes.put("after", "1")
    assert noted("before", "within", "after")(store) == ["before", "after"]


def test_a_savepoint_takes_back_what_its_block_said(store: Store) -> None:
    store.outbox.add(1, "sendMessage", {"text": "before"})

    def fail() -> None:
        with store.savepoint():
            store.outbox.add(1, "sendMessage", {"text": "within"})
            raise _MistakeError

    with pytest.raises(_MistakeError):
        fail()
    assert [letter.params for letter in store.outbox.added] == [{"text": "before"}]
    assert store.outbox.waiting() == store.outbox.added


def test_a_savepoint_takes_back_that_rows_may_be_tried_again(store: Store) -> None:
    store.inbox.add([Arrival(1, 1, "{}")], START)
    (row,) = store.inbox.waiting(1)
    store.inbox.defer(row.id)

    def fail() -> None:
        with store.savepoint():
            store.inbox.release()
            raise _MistakeError

    with pytest.raises(_MistakeError):
        fail()
    assert (store.inbox.waiting(1), store.inbox.has_released) == ([], False)


def test_a_savepoint_within_another_is_undone_alone(store: Store) -> None:
    with store.savepoint():
        store.notes.put("outer", "1")
        with pytest.raises(_MistakeError), store.savepoint():
            put_and_fail("inner")(store)
    assert noted("outer", "inner")(store) == ["outer"]


def test_when_sqlite_ended_the_transaction_a_savepoint_raises_what_ended_it(store: Store) -> None:
    def fail() -> None:
        with store.savepoint():
            store._raw.execute("ROLLBACK")  # as SQLite does by itself on a full disk
            raise _MistakeError

    store._raw.execute("BEGIN")
    with pytest.raises(_MistakeError):
        fail()
    assert not store._raw.in_transaction


_COUNT = """
import asyncio, sys
from pathlib import Path
from bot.clock import SystemClock
from storage.database import Database

def count_up(store):
    number = int(store.notes.get("count") or 0) + 1
    store.notes.put("count", str(number))
    store.notes.put("filling", "x" * 100_000)
    store.notes.put("same count", str(number))
    return number

async def main():
    database = await Database.open(Path(sys.argv[1]), SystemClock())
    while True:
        print(await database.transaction(count_up), flush=True)

asyncio.run(main())
"""

_STOP_INSIDE = """
import asyncio, sys
from pathlib import Path
from bot.clock import SystemClock
from storage.database import Database

def write(store):
    store.notes.put("count", "2")
    store.notes.put("filling", "x" * 10_000_000)
    print("inside", flush=True)
    sys.stdin.readline()

async def main():
    database = await Database.open(Path(sys.argv[1]), SystemClock())
    await database.transaction(lambda store: store.notes.put("count", "1"))
    await database.transaction(write)

asyncio.run(main())
"""


def integrity(path: Path) -> str:
    with closing(sqlite3.connect(path)) as raw:
        (verdict,) = raw.execute("PRAGMA integrity_check").fetchone()
    return str(verdict)


async def test_what_was_stored_survives_a_kill(path: Path) -> None:
    with python(_COUNT, path) as process:
        for _ in range(20):
            assert hears(process)
        process.kill()
        promised = 20
        while number := hears(process):
            promised = int(number)
    async with opened(path) as database:
        stored = int(await database.transaction(count) or 0)
        same = int(await database.transaction(lambda store: store.notes.get("same count")) or 0)
    # The last one may have been stored without our hearing of it.
    assert stored in (promised, promised + 1)
    assert same == stored
    assert integrity(path) == "ok"


async def test_a_kill_within_a_transaction_leaves_nothing_of_it(path: Path) -> None:
    with python(_STOP_INSIDE, path) as process:
        assert hears(process) == "inside"
        process.kill()
        process.wait()
    async with opened(path) as database:
        assert await database.transaction(count) == "1"
        assert await database.transaction(noted("filling")) == []
    assert integrity(path) == "ok"
