"""The quiz tutor and the baselines beside it, each as a process before a light Bot API."""

import asyncio
import os
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from tests.bench.stub import TOKEN, Stub
from tests.process import environment

PRODUCT = "quiz tutor"
FLOOR = "aiohttp"

RIVALS = {
    PRODUCT: "quiz tutor: everything",
    "aiogram": "bare aiogram",
    "ptb": "stock python-telegram-bot",
    FLOOR: "bare aiohttp: the floor",
}
"""What each is called in tables. The baselines store nothing."""

CONSTANT = "Baselines store nothing, grade nothing and send the same two texts again and again."

SECONDS = 60.0
"""What a benchmark waits for must come within this time."""

T = TypeVar("T")


def installed() -> list[str]:
    """The rivals that can run here."""
    return [name for name in RIVALS if name != "aiogram" or find_spec("aiogram")]


async def alternate(
    runs: int, names: Sequence[str], measure: Callable[[str], Awaitable[T]]
) -> dict[str, list[T]]:
    """Measure rivals by turns, so that what else the machine does meets all alike."""
    found = defaultdict(list)
    for number in range(runs):
        for name in names if number % 2 else reversed(names):
            found[name].append(await measure(name))
    return found


@asynccontextmanager
async def running(
    name: str, stub: Stub, folder: Path, **settings: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A rival that has asked for updates. It ends with the block."""
    process = await start(name, stub, folder, **settings)
    try:
        await reaches(stub.asked.is_set, process)
        yield process
    finally:
        await stop(process)


async def start(name: str, stub: Stub, folder: Path, **settings: str) -> asyncio.subprocess.Process:
    """A rival's process, which has only just begun."""
    arguments = ["tests.bench.baselines", name, stub.url]
    if name == PRODUCT:
        arguments = ["bot", "run"]
        settings = {
            "BOT_TOKEN": TOKEN,
            "BOT_API_URL": stub.url,
            "DATABASE_PATH": str(folder / "bot.sqlite3"),
            "LOG_LEVEL": "WARNING",
        } | settings
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", *arguments),
        cwd=folder,
        env=environment(**settings),
        stdin=asyncio.subprocess.DEVNULL,
    )


async def stop(process: asyncio.subprocess.Process) -> None:
    """End a process as it is: the baselines would log what they leave undone."""
    if process.returncode is None:
        process.kill()
    await process.wait()


async def reaches(condition: Callable[[], bool], process: asyncio.subprocess.Process) -> None:
    """Wait until something is so, as long as the process lives."""
    async with asyncio.timeout(SECONDS):
        while not condition():
            assert process.returncode is None, "The bot has ended; what it wrote stands above."
            await asyncio.sleep(0.01)


def cpu_seconds(process: asyncio.subprocess.Process) -> float:
    """The time that a process has had of the cores so far (Linux)."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mib(process: asyncio.subprocess.Process) -> float:
    """The memory that a process holds now (Linux)."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024
