"""The fault machine: people play while Telegram fails and the bot is killed, by the dice.

    python -m tests.fault_machine                    200 runs in-process, 20 with the real process
    python -m tests.fault_machine --seed 17          one of them again, and all that is wrong
    python -m tests.fault_machine --process-seed 3

A run in-process goes by a clock of its own and is abandoned at any await; a run with the real
command is ended by `kill -9`. What must hold after each run stands in tests/invariants.py. A seed
brings the same run again in-process, up to when the machine's threads get their turn.
"""

import argparse
import asyncio
import multiprocessing
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from rich.console import Console
from rich.table import Table

from tests.fault_runs import Result, run_in_process, run_with_process
from tests.invariants import Verdict

KINDS_OF_WRONG = {
    "lost": "votes lost",
    "doubled": "votes counted twice",
    "stuck": "chats stuck",
    "twice": "questions repeated without cause",
    "order": "messages out of order",
    "numbers": "wrong numbers told or stored",
    "unmarked": "sent unmarked",
    "refused": "calls that Telegram refused",
    "damaged": "databases damaged",
    "traceback": "tracebacks logged",
    "hung": "runs that hung or broke",
}


@dataclass(frozen=True, slots=True)
class Seed:
    """Names a run."""

    number: int
    with_process: bool = False

    def __str__(self) -> str:
        option = "--process-seed" if self.with_process else "--seed"
        return f"python -m tests.fault_machine {option} {self.number}"


def run(seed: Seed) -> Result:
    """Make one run; what breaks it becomes a part of the result."""
    play = run_with_process if seed.with_process else run_in_process
    try:
        with tempfile.TemporaryDirectory() as folder:
            return asyncio.run(play(seed.number, Path(folder)))
    except Exception as error:
        return Result(Verdict(wrong=[("hung", f"{type(error).__name__}: {error}")]))


def run_all(seeds: Iterable[Seed], jobs: int) -> Iterator[tuple[Seed, Result]]:
    """Make many runs, several at a time, each with whatever came out first."""
    listed = list(seeds)
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=spawning) as pool:
        yield from zip(listed, pool.map(run, listed), strict=True)


def report(results: list[tuple[Seed, Result]], seconds: float) -> Table:
    """All runs in a table."""
    wrong = Counter(kind for _, result in results for kind, _ in result.verdict.wrong)
    met: Counter[str] = sum((result.faults for _, result in results), Counter())
    verdicts = [result.verdict for _, result in results]
    kills = sum(result.crashes for seed, result in results if seed.with_process)
    crashes = sum(result.crashes for _, result in results) - kills
    table = Table(show_header=False)
    table.add_column(justify="right")
    table.add_column(overflow="fold")
    processes = sum(seed.with_process for seed, _ in results)
    table.add_row(f"{len(results):,}", f"runs, {processes} of them with the real process")
    table.add_row(f"{crashes + kills:,}", f"crashes, {kills} of them by kill -9")
    kinds = ", ".join(f"{number} × {kind}" for kind, number in met.most_common())
    table.add_row(f"{met.total():,}", f"faults met: {kinds}")
    table.add_row(f"{sum(result.updates for _, result in results):,}", "updates")
    table.add_row(f"{sum(one.votes for one in verdicts):,}", "votes handed over, repeats included")
    must, counted = sum(one.must for one in verdicts), sum(one.counted for one in verdicts)
    table.add_row(f"{counted:,}", f"votes counted ({must:,} that must be, the rest races)")
    table.add_row(f"{sum(one.unanswered for one in verdicts):,}", "sends of unknown fate")
    table.add_row(
        f"{sum(one.asked_again for one in verdicts):,}",
        "questions shown again, for that or on demand",
    )
    good = [what for kind, what in KINDS_OF_WRONG.items() if not wrong[kind]]
    table.add_row("0", ", ".join(good))
    for kind, number in wrong.items():
        table.add_row(f"[bold red]{number}", KINDS_OF_WRONG[kind])
    table.add_row(f"{seconds:.0f} s", "wall time")
    return table


def complaint(seed: Seed, result: Result) -> str:
    """What is wrong, below the line that makes the run again; "" where nothing is."""
    lines = [f"    {kind}: {how[:2000]}" for kind, how in result.verdict.wrong]
    return "\n".join([str(seed), *lines]) if lines else ""


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs the bot amid trouble.")
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--process-seeds", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, help="only this run in-process")
    parser.add_argument("--process-seed", type=int, help="only this run with the real process")
    chosen = parser.parse_args()
    seeds = [Seed(number) for number in range(chosen.seeds)]
    seeds += [Seed(number, with_process=True) for number in range(chosen.process_seeds)]
    if chosen.seed is not None:
        seeds = [Seed(chosen.seed)]
    elif chosen.process_seed is not None:
        seeds = [Seed(chosen.process_seed, with_process=True)]
    began = monotonic()
    console, results = Console(width=100), []
    for seed, result in run_all(seeds, chosen.jobs):
        results.append((seed, result))
        if wrong := complaint(seed, result):
            console.print(wrong, markup=False, highlight=False)
    console.print(report(results, monotonic() - began))
    sys.exit(any(result.verdict.wrong for _, result in results))


if __name__ == "__main__":
    main()
