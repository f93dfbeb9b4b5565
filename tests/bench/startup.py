"""How soon the bot is ready, and how long the quizzes of a bank take to read and check.

Ready is the first `getUpdates`, counted from the start of the process, which has one core and the
shipped bank. Reading and checking is compared with PyYAML's C loader, which only reads.
"""

import gc
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

import yaml

from quizzes.catalog import load
from tests.bench.banks import write_copies
from tests.bench.report import Report, machine, ratio, spread
from tests.bench.rivals import PRODUCT, reaches, start, stop
from tests.bench.stub import serving

RUNS, QUIZZES = 5, 1000
SMALL_RUNS, SMALL_QUIZZES = 1, 12

READY_SECONDS = 1.0
GOAL = 2.0
"""How many times as long as reading the files alone reading and checking them may take."""


async def bench(small: bool) -> list[Report]:
    """Time both."""
    runs, quizzes = (SMALL_RUNS, SMALL_QUIZZES) if small else (RUNS, QUIZZES)
    ready = [await _seconds_to_ready() for _ in range(runs)]
    return [
        Report(
            "From start to the first getUpdates, on one core",
            ("", "s", "goal"),
            [("run, new database", spread(ready, 2), f"at most {READY_SECONDS}")],
            (f"Median of {runs} runs (least to most).", machine()),
        ),
        _compare_reading(runs, quizzes),
    ]


async def _seconds_to_ready() -> float:
    with tempfile.TemporaryDirectory() as folder:
        async with serving(lambda _: None) as stub:
            cores = os.sched_getaffinity(0)
            os.sched_setaffinity(0, {min(cores)})  # the child inherits it
            began = perf_counter()
            process = await start(PRODUCT, stub, Path(folder))
            os.sched_setaffinity(0, cores)
            try:
                await reaches(stub.asked.is_set, process)
                return perf_counter() - began
            finally:
                await stop(process)


def _compare_reading(runs: int, quizzes: int) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        files = write_copies(Path(folder), quizzes)
        ours: list[float] = []
        theirs: list[float] = []
        for number in range(runs):
            both = [(ours, lambda: _check(folder)), (theirs, lambda: _read(files))]
            for times, work in both if number % 2 else reversed(both):
                times.append(_seconds(work))
        size = sum(file.stat().st_size for file in files) / 1e6
    title = f"A bank of {quizzes} quizzes in 4 languages: {len(files)} files, {size:.1f} MB"
    rows = [
        ("read and checked", spread(ours, 2), f"{ratio(ours, theirs):.2f}", f"at most {GOAL}"),
        ("PyYAML's C loader", spread(theirs, 2), "", ""),
    ]
    note = f"Medians of {runs} runs by turns (least to most), in one process."
    return Report(title, ("", "s", "ratio", "goal"), rows, (note, machine()))


def _check(bank: str) -> None:
    _, faults = load([bank])
    assert not faults, faults[0]


def _read(files: Sequence[Path]) -> None:
    for file in files:
        yaml.load(file.read_bytes(), yaml.CSafeLoader)


def _seconds(work: Callable[[], None]) -> float:
    gc.collect()
    began = perf_counter()
    work()
    return perf_counter() - began
