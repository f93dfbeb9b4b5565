"""An author's own quizzes in the demo: checked first, and read again whenever they are saved."""

import asyncio
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.clock import Clock
from quizzes.catalog import Catalog, Fault, load

LOOK_SECONDS = 0.5
"""How often the files are looked at."""

_Marks = dict[str, tuple[int, int, int, int]]
"""By path: what changes with a file that is saved, replaced, or put back."""


@dataclass(frozen=True, slots=True)
class Edition:
    """Quizzes as they stood on disk at one moment."""

    catalog: Catalog
    faults: tuple[Fault, ...]
    """Warnings too."""

    @property
    def broken(self) -> tuple[Fault, ...]:
        """The faults that keep it from being played; warnings do not."""
        return tuple(fault for fault in self.faults if fault.severity == "fault")


def read(path: str) -> Edition:
    """What is there now: a bank, a quiz's folder or a file. Never raises for what it finds."""
    catalog, faults = load([path])
    return Edition(catalog, tuple(faults))


def printable(text: str) -> str:
    """A text that holds a file's name, with escapes for what of it is no UTF-8."""
    return text.encode(errors="backslashreplace").decode()


class Watch:
    """Finds out whether an author has saved something."""

    def __init__(self, path: str, edition: Edition) -> None:
        self._path = path
        self._edition = edition
        self._seen: _Marks | None = None
        self._read_at: _Marks | None = None

    def look(self) -> Edition | None:
        """A new edition; None while there is none.

        Files are read when they have stood still since the last look, so that a save of several
        files, or of one in several steps, makes one edition.
        """
        marks = _marks(self._path)
        stood_still, self._seen = marks == self._seen, marks
        if not stood_still or marks == self._read_at:
            return None
        self._read_at = marks
        found = read(self._path)
        if found == self._edition:
            return None
        self._edition = found
        return found


async def follow(watch: Watch, clock: Clock, publish: Callable[[Edition], None]) -> None:
    """Publish each new edition, for as long as this runs."""
    while True:
        await clock.sleep(LOOK_SECONDS)
        edition = await asyncio.to_thread(watch.look)
        if edition is not None:
            publish(edition)


def _marks(path: str) -> _Marks:
    found: _Marks = {}
    for file in _files(path):
        try:
            stat = os.stat(file)
        except OSError:
            continue  # gone between two looks, or a link that leads nowhere
        found[file] = (stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    return found


def _files(path: str) -> Iterator[str]:
    """Whatever may belong to the quizzes: of a bank two levels deep, of a file its neighbours."""
    if not os.path.isdir(path):
        yield from _entries(os.path.dirname(path) or os.curdir)
        return
    for entry in _entries(path):
        yield entry
        if os.path.isdir(entry):
            yield from _entries(entry)


def _entries(folder: str) -> list[str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in names if not name.startswith(".")]
