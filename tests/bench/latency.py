"""How soon a vote is explained while answers come steadily.

Twelve people a second vote, evenly spaced, and between two votes somebody presses on: 24 messages
a second, which is what Telegram's limits leave to a bot. The limits are on. The floor's time is
what the light Bot API and the connection take by themselves.
"""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.bench.banks import write_long_quiz
from tests.bench.crowd import Crowd
from tests.bench.report import Report, at_share, machine, spread
from tests.bench.rivals import (
    CONSTANT,
    FLOOR,
    PRODUCT,
    RIVALS,
    alternate,
    installed,
    reaches,
    running,
)
from tests.bench.stub import serving

LEARNERS, ARRIVALS_PER_SECOND = 60, 10.0
ANSWERS_PER_SECOND = 12.0
RUNS, SECONDS = 5, 15.0
SMALL_RUNS, SMALL_LEARNERS, SMALL_SECONDS = 1, 24, 0.5
SMALL_RIVALS = (PRODUCT, FLOOR)

GOALS_MS = (15, 60)
"""For p50 and p99, above the floor."""


@dataclass(frozen=True, slots=True)
class Run:
    """One rival for some seconds."""

    p50_ms: float
    p99_ms: float
    answers: int


async def bench(small: bool) -> list[Report]:
    """Compare all rivals."""
    runs = SMALL_RUNS if small else RUNS
    learners, seconds = (SMALL_LEARNERS, SMALL_SECONDS) if small else (LEARNERS, SECONDS)
    found = await alternate(
        runs, SMALL_RIVALS if small else installed(), lambda name: _measure(name, learners, seconds)
    )
    title = "From vote to explanation, at 12 answers (24 messages) a second"
    columns = ("", "p50 ms", "p99 ms", "above the floor", "goal", "answers")
    notes = (
        f"Medians of {runs} runs of {seconds:g} s by turns (least to most).",
        CONSTANT,
        machine(),
    )
    rows = [_row(name, found.get(name, []), found[FLOOR]) for name in RIVALS]
    return [Report(title, columns, rows, notes)]


async def _measure(name: str, learners: int, seconds: float) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        quiz_id = write_long_quiz(Path(folder) / "bank")
        crowd = Crowd(learners, command=f"/quiz {quiz_id}")
        async with (
            serving(crowd.note) as stub,
            running(name, stub, Path(folder), QUIZZES_PATH=f"{folder}/bank") as process,
        ):
            crowd.begin(stub)
            await crowd.arrive_steadily(ARRIVALS_PER_SECOND)
            await reaches(lambda: crowd.asked == learners, process)
            going = asyncio.create_task(crowd.steadily(ANSWERS_PER_SECOND))
            await asyncio.sleep(1.0)
            crowd.latencies.clear()
            await asyncio.sleep(seconds)
            going.cancel()
    times = [1000 * latency for latency in crowd.latencies]
    return Run(at_share(times, 0.5), at_share(times, 0.99), len(times))


def _row(name: str, runs: Sequence[Run], floor: Sequence[Run]) -> tuple[str, ...]:
    if not runs:
        return (RIVALS[name], "not measured", "", "", "", "")
    p50 = median(a.p50_ms - b.p50_ms for a, b in zip(runs, floor, strict=True))
    p99 = median(a.p99_ms - b.p99_ms for a, b in zip(runs, floor, strict=True))
    return (
        RIVALS[name],
        spread([run.p50_ms for run in runs]),
        spread([run.p99_ms for run in runs]),
        "" if name == FLOOR else f"{p50:.1f} and {p99:.1f}",
        f"at most {GOALS_MS[0]} and {GOALS_MS[1]}" if name == PRODUCT else "",
        str(sum(run.answers for run in runs)),
    )
