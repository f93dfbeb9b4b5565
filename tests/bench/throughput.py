"""Answers a second, when more people act than a bot can serve.

Learners go through a shipped quiz, and 200 votes and presses wait for the bot at any time. Every
answer is the same for all rivals: a vote is explained, the press of a button is answered and
brings the next question.
"""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.bench.crowd import Crowd
from tests.bench.report import Report, machine, ratio, spread
from tests.bench.rivals import (
    CONSTANT,
    PRODUCT,
    RIVALS,
    alternate,
    cpu_seconds,
    installed,
    reaches,
    running,
)
from tests.bench.stub import serving

RUNS, AT_ONCE, SECONDS = 5, 200, 6.0
SMALL_RUNS, SMALL_AT_ONCE, SMALL_SECONDS = 1, 10, 1.0

LEARNERS_EACH = 2
"""Learners for each that may wait for the bot."""

GOALS = {"aiogram": 1.0, "ptb": 4.0}
"""How many times as many answers as a baseline's the product is to give."""


@dataclass(frozen=True, slots=True)
class Run:
    """One rival for some seconds; all but the first are figures an answer."""

    per_second: float
    cpu_ms: float
    calls: float
    updates: float


async def bench(small: bool) -> list[Report]:
    """Compare all rivals."""
    runs = SMALL_RUNS if small else RUNS
    at_once, seconds = (SMALL_AT_ONCE, SMALL_SECONDS) if small else (AT_ONCE, SECONDS)
    found = await alternate(runs, installed(), lambda name: measure(name, at_once, seconds))
    title = f"Answers a second, with {at_once} votes and presses waiting"
    columns = ("", "answers/s", "tutor to this", "goal", "CPU ms", "calls", "updates")
    notes = (
        f"Medians of {runs} runs of {seconds:g} s by turns (least to most); CPU, calls and updates "
        "are for one answer.",
        "The quiz tutor also asks for `poll` updates, of which one comes with each vote.",
        CONSTANT,
        machine(),
    )
    rows = [_row(name, found.get(name, []), found[PRODUCT]) for name in RIVALS]
    return [Report(title, columns, rows, notes)]


async def measure(name: str, at_once: int, seconds: float) -> Run:
    """Let one rival work for some seconds, once all have arrived."""
    crowd = Crowd(LEARNERS_EACH * at_once, command="/quiz gradient-clipping", at_once=at_once)
    with tempfile.TemporaryDirectory() as folder:
        async with (
            serving(crowd.note) as stub,
            running(name, stub, Path(folder), MESSAGES_PER_SECOND="0") as process,
        ):
            crowd.begin(stub)
            await reaches(lambda: crowd.answered >= at_once, process)
            answered, calls, updates = crowd.answered, stub.calls, stub.updates
            cpu, began = cpu_seconds(process), perf_counter()
            await asyncio.sleep(seconds)
            taken = perf_counter() - began
            answers = crowd.answered - answered
            return Run(
                answers / taken,
                (cpu_seconds(process) - cpu) * 1000 / answers,
                (stub.calls - calls) / answers,
                (stub.updates - updates) / answers,
            )


def _row(name: str, runs: Sequence[Run], product: Sequence[Run]) -> tuple[str, ...]:
    if not runs:
        return (RIVALS[name], "not installed", "", "", "", "", "")
    rates = [run.per_second for run in runs]
    share = ratio([run.per_second for run in product], rates)
    return (
        RIVALS[name],
        spread(rates, 0),
        "" if name == PRODUCT else f"{share:.2f}",
        f"at least {GOALS[name]:.1f}" if name in GOALS else "",
        f"{median(run.cpu_ms for run in runs):.2f}",
        f"{median(run.calls for run in runs):.1f}",
        f"{median(run.updates for run in runs):.1f}",
    )
