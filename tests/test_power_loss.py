"""A power cut at any moment of writing: what was committed by then is there, whole, and no more.

SQLite appends each transaction to its log; `synchronous = FULL` puts the log on the disk before a
commit returns. So whatever a power cut leaves is a beginning of the log: here it is cut off after
every frame and within frames, and each piece is opened as a start of the bot opens it.
"""

import shutil
import sqlite3
import struct
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conversation import talking
from tests.stores import opened

LOG_HEADER = 32
FRAME_HEADER = 24
"""Bytes before each page in the log (SQLite's file format, section 4.1)."""


@dataclass(frozen=True, slots=True)
class State:
    """What a database holds at one moment."""

    answers: int
    polls: int
    inbox: tuple[tuple[str, int], ...]
    """How many rows there are in each state."""
    outbox: tuple[tuple[int, str, str], ...]
    """What waits to be sent: id, method and state."""


def state(database: Path) -> State:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as raw:
        inbox = raw.execute("SELECT state, count(*) FROM inbox GROUP BY 1 ORDER BY 1").fetchall()
        outbox = raw.execute("SELECT id, method, state FROM outbox ORDER BY id").fetchall()
        (answers,) = raw.execute("SELECT count(*) FROM answers").fetchone()
        (polls,) = raw.execute("SELECT count(*) FROM polls").fetchone()
    return State(answers, polls, tuple(inbox), tuple(outbox))


@dataclass(frozen=True, slots=True)
class Played:
    """A database as it was at first, the log of what happened since, and its frames."""

    database: Path
    log: bytes
    frame_bytes: int
    commits: tuple[int, ...]
    """After how many frames a transaction was complete, each time."""

    def cut(self, folder: Path, length: int) -> Path:
        """A copy whose log ends after so many bytes, without the index that a reader rebuilds."""
        folder.mkdir()
        copy = folder / "bot.sqlite3"
        shutil.copy(self.database, copy)
        Path(f"{copy}-wal").write_bytes(self.log[:length])
        return copy

    def after(self, frames: int) -> int:
        """How many bytes of the log so many frames take."""
        return LOG_HEADER + frames * self.frame_bytes

    def complete(self, frames: int) -> int:
        """How many of the first frames belong to complete transactions."""
        return max((commit for commit in self.commits if commit <= frames), default=0)


@pytest.fixture
async def played(tmp_path: Path) -> Played:
    """What a learner's attempt leaves in the log, with the bot still running."""
    async with talking(tmp_path) as talk:
        database = talk.settings.database_path
        with closing(sqlite3.connect(database)) as raw:
            assert raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        start = shutil.copy(database, tmp_path / "start.sqlite3")
        ada = talk.learner()
        await ada.sends("/quiz capitals")
        for _ in range(2):
            await ada.votes_right()
            await ada.taps_first()
        await ada.votes_wrong()
        await ada.taps_first()
        log = Path(f"{database}-wal").read_bytes()
    return Played(Path(start), log, *_frames(log))


def _frames(log: bytes) -> tuple[int, tuple[int, ...]]:
    """A frame's size, and after how many frames a transaction was complete, each time."""
    (page_bytes,) = struct.unpack(">I", log[8:12])
    frame_bytes = FRAME_HEADER + page_bytes
    commits = []
    for number, offset in enumerate(range(LOG_HEADER, len(log), frame_bytes), 1):
        # Not 0 in the last frame of a transaction: the size of the database after it, in pages.
        (pages_after,) = struct.unpack(">I", log[offset + 4 : offset + 8])
        if pages_after:
            commits.append(number)
    return frame_bytes, tuple(commits)


async def states_after(played: Played, tmp_path: Path, lengths: Iterable[int]) -> list[State]:
    """What a start of the bot finds, the log being cut off after so many bytes, each time."""
    states = []
    for length in lengths:
        copy = played.cut(tmp_path / f"cut {length}", length)
        async with opened(copy):
            pass
        with closing(sqlite3.connect(copy)) as raw:
            assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
        states.append(state(copy))
    return states


@pytest.mark.slow
async def test_a_log_that_was_cut_off_anywhere_holds_the_transactions_before_that(
    played: Played, tmp_path: Path
) -> None:
    frames = (len(played.log) - LOG_HEADER) // played.frame_bytes
    assert len(played.commits) > 20
    whole = await states_after(played, tmp_path, map(played.after, [0, *played.commits]))
    committed = dict(zip([0, *played.commits], whole, strict=True))
    between = [frame for frame in range(frames + 1) if frame not in committed]
    torn = [(frame, played.after(frame) + cut) for frame in range(frames) for cut in (10, 24, 2000)]

    found = await states_after(played, tmp_path, map(played.after, between))
    assert found == [committed[played.complete(frame)] for frame in between]
    found = await states_after(played, tmp_path, (length for _, length in torn[::7]))
    assert found == [committed[played.complete(frame)] for frame, _ in torn[::7]]


@pytest.mark.slow
async def test_an_answer_is_never_there_without_its_reply_and_the_mark_that_it_was_handled(
    played: Played, tmp_path: Path
) -> None:
    states = await states_after(played, tmp_path, map(played.after, [0, *played.commits]))
    answers = [one.answers for one in states]
    assert answers == sorted(answers)
    assert set(answers) == {0, 1, 2, 3}
    for before, after in pairwise(states):
        if after.answers > before.answers:
            methods = [method for _, method, _ in after.outbox if method == "sendMessage"]
            assert methods == ["sendMessage"]
            handled = dict(after.inbox)["done"] - dict(before.inbox).get("done", 0)
            assert handled > 0
            assert dict(after.inbox).get("waiting", 0) < dict(before.inbox)["waiting"]
