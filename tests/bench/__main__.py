"""All benchmarks by one command.

    python -m tests.bench                        all of them, in about half an hour
    python -m tests.bench throughput latency     some
    python -m tests.bench --small                shows that they run, in less than a minute
    python -m tests.bench --json FILE            writes what they found to a file, too

They need Linux. Two processes work in each, the bot and what stands for Telegram; give them two
idle cores. Baselines whose library is missing are left out: `pip install '.[bench]'` has them.
"""

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

import orjson
from rich.console import Console

from tests.bench import deadlines, fairness, growth, latency, memory, startup, throughput

BENCHES = {
    "throughput": throughput.bench,
    "latency": latency.bench,
    "fairness": fairness.bench,
    "deadlines": deadlines.bench,
    "growth": growth.bench,
    "startup": startup.bench,
    "memory": memory.bench,
}

WIDTH = 120


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description="What the bot takes: time, memory, room."
    )
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(BENCHES)}")
    parser.add_argument("--small", action="store_true", help="only show that they run")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what they found to it")
    chosen = parser.parse_args(arguments)
    if unknown := sorted(set(chosen.names) - set(BENCHES)):
        parser.error(f"there is no {unknown[0]!r}, only {', '.join(BENCHES)}")
    console = Console(width=WIDTH)
    found = {}
    for name in chosen.names or BENCHES:
        reports = asyncio.run(BENCHES[name](chosen.small))
        for report in reports:
            report.show(console)
        found[name] = [report.as_json() for report in reports]
    if chosen.json:
        chosen.json.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))


if __name__ == "__main__":
    main()
