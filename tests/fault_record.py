"""What happens in a local Telegram, written down from outside while it happens."""

import asyncio
import logging
import random
import sqlite3
import traceback
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.clock import Clock
from bot.demo.chats import Change, Message
from bot.demo.telegram import LocalTelegram
from bot.demo.updates import UpdateQueue

LATE_SECONDS = 0.5
"""How much later than what happened after it an update may come."""


class JumbledUpdates(UpdateQueue):
    """Updates in an order that differs from that of the events, as far as Telegram's may.

    It keeps order within a chat's messages, within a person's presses, within a poll; what comes
    late holds up what is behind it there, and nothing else.
    """

    def __init__(self, clock: Clock, dice: random.Random) -> None:
        super().__init__(clock, 1)
        self.late_share = 0.1
        """How many of the updates come late."""
        self.came: dict[int, Mapping[str, Any]] = {}
        """All updates that ever came, by id."""
        self._the_clock = clock
        self._dice = dice
        self._late: dict[object, list[tuple[str, Mapping[str, Any]]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, kind: str, content: Mapping[str, Any]) -> None:
        line = _line(kind, content)
        if line in self._late:
            self._late[line].append((kind, dict(content)))
        elif self._dice.random() < self.late_share:
            self._late[line] = [(kind, dict(content))]
            task = asyncio.create_task(self._come_late(line))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            self._come(kind, content)

    @property
    def holds_back(self) -> bool:
        """Whether something is yet to come late."""
        return bool(self._late)

    def give(self, update: Mapping[str, Any]) -> dict[str, Any]:
        given = super().give(update)
        self._keep(given)
        return given

    async def _come_late(self, line: object) -> None:
        await self._the_clock.sleep(self._dice.uniform(0.01, LATE_SECONDS))
        for kind, content in self._late.pop(line):
            self._come(kind, content)

    def _come(self, kind: str, content: Mapping[str, Any]) -> None:
        update_id = self.next_id
        super().add(kind, content)
        if self.next_id > update_id:
            assert self.last is not None
            self._keep(self.last)

    def _keep(self, update: Mapping[str, Any]) -> None:
        self.came.setdefault(int(update["update_id"]), update)


def _line(kind: str, content: Mapping[str, Any]) -> object:
    """What an update keeps its place among."""
    match kind:
        case "poll":
            return "poll", content["id"]
        case "poll_answer":
            return "poll", content["poll_id"]
        case "callback_query":
            return "presses", content["from"]["id"]
    return "chat", content["chat"]["id"]


@dataclass(frozen=True, slots=True)
class Shown:
    """A message of the bot's, as it appeared."""

    message: Message
    at: float
    """Seconds since 1970."""
    letters: tuple[tuple[int, int | None], ...]
    """What the outbox held as being sent to the chat in that moment: its id, and its poll's."""
    bot_ran: bool
    request: int
    """Which call of the Bot API it came by, counted from 0."""

    @property
    def poll_ids(self) -> tuple[int, ...]:
        """The polls among those letters, by the database's ids."""
        return tuple(poll_id for _, poll_id in self.letters if poll_id)

    def __str__(self) -> str:
        where, letters = self.message.chat.id, [letter_id for letter_id, _ in self.letters]
        return f"message {self.message.id} in {where} by call {self.request}, letters {letters}"


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote that Telegram took and hands over."""

    update_id: int
    learner_id: int
    poll_id: str
    """Telegram's."""
    picks: tuple[int, ...]
    stored_by: float
    """Seconds since 1970: when the bot said that it had it, which it may have had earlier."""


@dataclass(frozen=True, slots=True)
class Act:
    """What somebody wrote, or the data of the button that they pressed."""

    update_id: int
    learner_id: int
    chat_id: int
    thread_id: int | None
    text: str
    stored_by: float
    """As in a vote."""


class Record:
    """All that people did and saw, with what the database held while they saw it."""

    def __init__(self, telegram: LocalTelegram, updates: JumbledUpdates, database: Path) -> None:
        self.telegram = telegram
        self.shown: list[Shown] = []
        self.bot_runs = False
        """Set while the bot is up, so that what is sent must stand in its outbox."""
        self.crashes: list[int] = []
        """At which call of the Bot API the bot was crashed, each time."""
        self.arrivals = updates
        self._database = database
        self._raw: sqlite3.Connection | None = None
        telegram.on_change(self._note)

    def close(self) -> None:
        """Let the database go."""
        if self._raw is not None:
            self._raw.close()
            self._raw = None

    def votes(self) -> list[Vote]:
        """All votes, in the order in which they are handed over; withdrawn ones are none."""
        stored_by = self._storing()
        return [
            Vote(
                update_id,
                answer["user"]["id"],
                answer["poll_id"],
                tuple(answer["option_ids"]),
                stored_by(update_id),
            )
            for update_id, update in sorted(self.arrivals.came.items())
            if (answer := update.get("poll_answer")) and answer["option_ids"]
        ]

    def acts(self) -> list[Act]:
        """All that people did besides voting, in the order in which it is handed over."""
        acts, stored_by = [], self._storing()
        for update_id, update in sorted(self.arrivals.came.items()):
            did = update.get("callback_query") or update.get("message")
            if did and (text := did.get("data") or did.get("text")):
                place = did.get("message", did)
                chat_id, thread_id = place["chat"]["id"], place.get("message_thread_id")
                who, at = did["from"]["id"], stored_by(update_id)
                acts.append(Act(update_id, who, chat_id, thread_id, text, at))
        return acts

    def _storing(self) -> Callable[[int], float]:
        """By when an update was stored: then the bot asked for what comes after it."""
        offsets, moments = [0], [0.0]
        for request in self.telegram.calls("getUpdates"):
            offset = int(request.parameters.get("offset", 0))
            if offset > offsets[-1]:
                offsets.append(offset)
                moments.append(request.at.timestamp())
        moments.append(float("inf"))
        return lambda update_id: moments[bisect_right(offsets, update_id)]

    def _note(self, change: Change) -> None:
        message = change.message
        if change.kind != "message" or message is None or message.sender is not self.telegram.bot:
            return
        self.shown.append(
            Shown(
                message,
                self.telegram.clock.now().timestamp(),
                self._sending_to(message.chat.id),
                self.bot_runs,
                len(self.telegram.requests) - 1,
            )
        )

    def next_commit(self) -> Callable[[], bool]:
        """What tells, whenever it is called, whether the bot has changed the database since."""

        def version() -> int:
            (number,) = self._opened().execute("PRAGMA data_version").fetchone()
            return int(number)

        now = version()
        return lambda: version() != now

    def _sending_to(self, chat_id: int) -> tuple[tuple[int, int | None], ...]:
        rows = self._opened().execute(
            "SELECT id, poll_id FROM outbox WHERE chat_id = ? AND state = 'sending' ORDER BY id",
            (chat_id,),
        )
        return tuple(rows.fetchall())

    def _opened(self) -> sqlite3.Connection:
        if self._raw is None:
            self._raw = sqlite3.connect(f"file:{self._database}?mode=ro", uri=True)
        return self._raw


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            trace = "".join(traceback.format_exception(*record.exc_info))
            self.found.append(f"{record.getMessage()}\n{trace}")


@contextmanager
def logged() -> Iterator[list[str]]:
    """The tracebacks that the block logs."""
    handler = _Errors()
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield handler.found
    finally:
        root.removeHandler(handler)
