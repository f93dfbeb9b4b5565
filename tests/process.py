"""The real command line in a process of its own, on the machine's clock.

async with served() as (telegram, url):
    bot = BotProcess(telegram, url, tmp_path)
    await bot.start()
    assert (await bot.ends_by(signal.SIGTERM)).code == 0
"""

import asyncio
import os
import random
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from bot.clock import SystemClock
from bot.demo.chats import Change, Message
from bot.demo.faults import Fault
from bot.demo.server import serve
from bot.demo.telegram import LocalTelegram

ROOT = Path(__file__).parent.parent
BANK = Path(__file__).parent / "banks" / "talk"
TOKEN = "4242:local-token-of-the-tests"

PICKS = frozenset({"Paris", "Sydney", "Brasília"})
"""What a live learner votes for in the bank's first quiz: two right answers and a wrong one."""

LIMIT = 30.0
"""Seconds that anything may take before a test gives up; nothing should come near it."""

_INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that has ended: its exit code, what it wrote, and how long it took."""

    code: int
    seconds: float
    stdout: str = ""
    stderr: str = ""


def environment(**settings: str) -> dict[str, str]:
    """These settings, and of our own environment only what any process needs."""
    kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return kept | {"PYTHONPATH": str(ROOT), "COLUMNS": "200"} | settings


async def spawn(*arguments: str, folder: Path, **settings: str) -> asyncio.subprocess.Process:
    """`quiz-tutor` with these arguments, in a working directory of its own."""
    return await _spawn(arguments, folder, settings, asyncio.subprocess.PIPE)


async def _spawn(
    arguments: Iterable[str], folder: Path, settings: Mapping[str, str], stderr: int
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments),
        cwd=folder,
        env=environment(**settings),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=stderr,
    )


async def command(*arguments: str, folder: Path, **settings: str) -> Ended:
    """Run `quiz-tutor` with these arguments until it ends."""
    began = monotonic()
    process = await spawn(*arguments, folder=folder, **settings)
    try:
        async with asyncio.timeout(LIMIT):
            stdout, stderr = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.communicate()
        raise
    assert process.returncode is not None
    return Ended(process.returncode, monotonic() - began, stdout.decode(), stderr.decode())


@asynccontextmanager
async def served() -> AsyncIterator[tuple[LocalTelegram, str]]:
    """A local Telegram that goes by the machine's clock, and the root of its Bot API."""
    telegram = LocalTelegram(SystemClock(), token=TOKEN, random=random.Random(7))
    async with serve(telegram) as server:
        yield telegram, server.url


class _Trigger(asyncio.Event):
    """Does something in the very moment in which it is set."""

    def __init__(self, then: Callable[[], None]) -> None:
        super().__init__()
        self._then = then

    def set(self) -> None:
        self._then()
        super().set()


class BotProcess:
    """`quiz-tutor run`, which can be killed and started again on the same database."""

    def __init__(self, telegram: LocalTelegram, url: str, folder: Path, **settings: str) -> None:
        self.telegram = telegram
        self.log = ""
        """What all processes so far wrote."""
        self._folder = folder
        self._settings = {
            "BOT_TOKEN": TOKEN,
            "BOT_API_URL": url,
            "QUIZZES_PATH": str(BANK),
            "MESSAGES_PER_SECOND": "0",
        } | settings
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._has_written = asyncio.Event()

    async def start(self, until: str = "getUpdates") -> None:
        """Start, and return at the first call of a method of the Bot API."""
        calling = self.telegram.faults.delay(until, 0).reached
        await self.launch()
        await self.reaches(calling)

    async def launch(self) -> None:
        """Start, and return at once."""
        assert self._process is None, "The bot is running already."
        self._process = await _spawn(
            ["run"], self._folder, self._settings, stderr=asyncio.subprocess.STDOUT
        )
        self._reading = asyncio.create_task(self._read(self._process))

    async def reaches(self, moment: asyncio.Event) -> None:
        """Wait for something that the process brings about."""
        assert self._reading is not None
        waiting = asyncio.create_task(moment.wait())
        await asyncio.wait(
            [waiting, self._reading], timeout=LIMIT, return_when=asyncio.FIRST_COMPLETED
        )
        waiting.cancel()
        assert moment.is_set(), f"The bot did not get there. Its log:\n{self.log}"

    async def logs(self, text: str) -> None:
        """Wait until the log holds a text."""
        while text not in self.log:
            self._has_written.clear()
            await self.reaches(self._has_written)

    async def ends_by(
        self, signal_number: signal.Signals, then: Callable[[], None] = lambda: None
    ) -> Ended:
        """Send a signal, do something at once, and wait for the end."""
        began = monotonic()
        self._running.send_signal(signal_number)
        then()
        code = await self.ends()
        return Ended(code, monotonic() - began)

    @property
    def id(self) -> int:
        """The process's id."""
        return self._running.pid

    async def kill(self) -> None:
        """End the process as it is."""
        await self.ends_by(signal.SIGKILL)

    def dies_at(self, fault: Fault) -> None:
        """Let the process be killed by the call that meets a fault, before anything follows."""
        fault.reached = _Trigger(self._running.kill)

    async def dies(self) -> None:
        """Wait for the death that was arranged."""
        assert await self.ends() == -signal.SIGKILL, self.log

    async def close(self) -> None:
        """Leave no process behind."""
        if self._process is not None:
            await self.kill()

    async def ends(self) -> int:
        """Wait for the end; its exit code."""
        assert self._reading is not None
        async with asyncio.timeout(LIMIT):
            code = await self._running.wait()
            await self._reading
        self._process = None
        return code

    @property
    def _running(self) -> asyncio.subprocess.Process:
        assert self._process is not None, "The bot is not running."
        return self._process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            self.log += line.decode()
            self._has_written.set()


class LiveLearner:
    """A person who does what the chat offers next, and votes for their PICKS."""

    def __init__(self, telegram: LocalTelegram) -> None:
        self._telegram = telegram
        self._person = telegram.add_person("Ada", language_code="en")
        self._done: set[int] = set()
        self._news = asyncio.Event()
        telegram.on_change(self._note)
        self.id = self._person.id

    def sends(self, text: str) -> None:
        """Write to the bot."""
        self._telegram.send(self._person, self.id, text)

    async def offered(self) -> Message:
        """The newest question or message with buttons, once there is one to act on."""
        return await self._finds(self._open_offer)

    def acts_on(self, message: Message) -> None:
        """Vote in a question, or press a message's first button."""
        self._done.add(message.id)
        if message.poll is None:
            assert message.keyboard is not None
            data = message.keyboard[0][0]["callback_data"]
            self._telegram.tap(self._person, self.id, message.id, data)
        else:
            options = [option["text"] for option in message.json["poll"]["options"]]
            picks = [position for position, text in enumerate(options) if text in PICKS]
            self._telegram.vote(self._person, self.id, message.id, picks)

    async def hears(self, beginning: str) -> Message:
        """The newest message whose text begins so, once there is one."""
        return await self._finds(
            lambda: next((m for m in self._shown() if m.text.startswith(beginning)), None)
        )

    def _open_offer(self) -> Message | None:
        """What can be acted on, unless what is newest has been dealt with."""
        for message in self._shown():
            if message.id in self._done:
                return None
            if message.poll is not None or message.keyboard:
                return message
        return None

    async def _finds(self, look: Callable[[], Message | None]) -> Message:
        """Look again after each change in the chat until something is found."""
        try:
            async with asyncio.timeout(LIMIT):
                while (found := look()) is None:
                    self._news.clear()
                    await self._news.wait()
                return found
        except TimeoutError:
            seen = [message.text or "[poll]" for message in reversed(self._shown())]
            raise AssertionError(f"The learner waits in vain, having seen {seen}.") from None

    def _shown(self) -> list[Message]:
        """What the bot has sent, newest first."""
        shown = reversed(self._telegram.chat(self.id).messages)
        return [message for message in shown if message.sender is self._telegram.bot]

    def _note(self, change: Change) -> None:
        if change.chat_id == self.id:
            self._news.set()
