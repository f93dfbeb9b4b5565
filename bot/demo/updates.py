"""The queue of updates that getUpdates hands out, or that the webhook posts."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from telegram.constants import UpdateType

from bot.clock import Clock
from bot.demo.chats import CALLBACK_SECONDS
from bot.demo.refusals import RefusedError

UPDATE_SECONDS = 24 * 3600
"""How long an update is kept for a bot that does not fetch it."""

NOT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
KINDS = frozenset(kind.value for kind in UpdateType)
SECOND_POLLER = (
    "Conflict: terminated by other getUpdates request; "
    "make sure that only one bot instance is running"
)


@dataclass(slots=True, eq=False)
class Waiting:
    """An update that the bot has not confirmed."""

    update: dict[str, Any]
    expires_at: float
    is_out_of_turn: bool = False
    """Its id has been used before: it is handed out once, whatever the offset is."""
    was_fetched: bool = False

    @property
    def id(self) -> int:
        return int(self.update["update_id"])


class UpdateQueue:
    """Updates wait here until the bot confirms them with a higher offset."""

    def __init__(self, clock: Clock, first_id: int) -> None:
        self._clock = clock
        self._waiting: list[Waiting] = []
        self._allowed = KINDS - NOT_BY_DEFAULT
        self._pollers: set[asyncio.Future[None]] = set()
        self._quiet = asyncio.Event()
        self._closed = False
        self._endings = 0
        self._ended_by = ""
        self._are_posted = False
        self.on_arrival: Callable[[], None] = _nothing
        """Called whenever an update has come."""
        self.last: dict[str, Any] | None = None
        """The newest update, confirmed or not."""
        self.next_id = first_id
        """Set it lower to act as Telegram does after a silent week: ids begin anew."""

    def allow(self, kinds: Iterable[str]) -> None:
        """Keep only these kinds from now on; none, or only unknown ones, means the default."""
        self._allowed = KINDS & set(kinds) or KINDS - NOT_BY_DEFAULT

    @property
    def allowed(self) -> frozenset[str]:
        """The kinds of updates that the bot asked for."""
        return frozenset(self._allowed)

    def add(self, kind: str, content: Mapping[str, Any]) -> None:
        """Queue what has happened, unless the bot has not asked for this kind."""
        if kind not in self._allowed:
            return
        update = {"update_id": self.next_id, kind: dict(content)}
        self.next_id += 1
        seconds = CALLBACK_SECONDS if kind == "callback_query" else UPDATE_SECONDS
        self._append(Waiting(update, self._clock.monotonic() + seconds))

    def give(self, update: Mapping[str, Any]) -> dict[str, Any]:
        """Queue any update as it is, with the next id where it has none of its own."""
        filled = dict(update)
        update_id = int(filled.setdefault("update_id", self.next_id))
        is_out_of_turn = update_id < self.next_id
        self.next_id = max(self.next_id, update_id + 1)
        expires_at = self._clock.monotonic() + UPDATE_SECONDS
        self._append(Waiting(filled, expires_at, is_out_of_turn))
        return filled

    def repeat_last(self) -> dict[str, Any]:
        """Queue the newest update a second time, under the same id."""
        if self.last is None:
            raise LookupError("There was no update yet that could be repeated.")
        return self.give(self.last)

    @property
    def waiting(self) -> list[Waiting]:
        """What the bot has not confirmed and whose time has not run out."""
        now = self._clock.monotonic()
        self._waiting = [waiting for waiting in self._waiting if waiting.expires_at > now]
        self._tell_whether_quiet()
        return self._waiting

    def hand_over(self, *, to_webhook: bool) -> None:
        """Let a webhook take the updates, so that no getUpdates call needs to wait for them."""
        self._are_posted = to_webhook
        self._tell_whether_quiet()

    def confirm(self, waiting: Waiting) -> None:
        """Take an update off the queue, if it still is there."""
        self._waiting = [other for other in self._waiting if other is not waiting]
        self._tell_whether_quiet()

    @property
    def unconfirmed(self) -> list[dict[str, Any]]:
        """What the bot has not confirmed yet."""
        return [waiting.update for waiting in self._waiting]

    def take(self, offset: int, limit: int) -> list[dict[str, Any]]:
        """Confirm what is below the offset and return what comes next, without removing it.

        A negative offset keeps only so many of the newest; one beyond the end confirms nothing.
        """
        alive = self.waiting
        if offset < 0:
            self._waiting = alive[offset:]
        else:
            self._waiting = [
                waiting for waiting in alive if not self._is_confirmed(waiting, offset)
            ]
        self._tell_whether_quiet()
        fetched = sorted(self._waiting, key=lambda waiting: waiting.id)[:limit]
        for waiting in fetched:
            waiting.was_fetched = True
        return [waiting.update for waiting in fetched]

    async def fetch(self, offset: int, limit: int, seconds: int) -> list[dict[str, Any]]:
        """Like take, but wait so long for an update where there is none.

        A call that comes meanwhile ends this one with a 409.
        """
        self.end_fetching(SECOND_POLLER)
        endings = self._endings
        found = self.take(offset, limit)
        if found or seconds == 0 or self._closed:
            return found
        with suppress(TimeoutError):
            async with self._clock.timeout(seconds):
                # The clock counts from here on, before anyone may take the bot for idle.
                await asyncio.sleep(0)
                if endings != self._endings:
                    raise RefusedError(409, self._ended_by)
                if not self._waiting and not self._closed:
                    await self._arrival()
        return self.take(offset, limit)

    def end_fetching(self, reason: str) -> None:
        """End the call that waits, or is about to, with a 409."""
        self._endings += 1
        self._ended_by = reason
        for woken in self._pollers:
            if not woken.done():
                woken.set_exception(RefusedError(409, reason))

    def forget(self) -> None:
        """Drop everything that waits."""
        self._waiting.clear()
        self._tell_whether_quiet()

    @property
    def is_quiet(self) -> bool:
        """Whether everything is confirmed, and a getUpdates call or a webhook waits for more."""
        is_awaited = self._are_posted or any(not woken.done() for woken in self._pollers)
        return not self._waiting and is_awaited

    async def quiet(self) -> None:
        """Return when it is so."""
        while not self.is_quiet:
            await self._quiet.wait()

    def close(self) -> None:
        """End the waiting calls; later ones do not wait."""
        self._closed = True
        self._wake()

    def open(self) -> None:
        """Let calls wait again."""
        self._closed = False

    async def _arrival(self) -> None:
        woken = asyncio.get_running_loop().create_future()
        self._pollers.add(woken)
        self._tell_whether_quiet()
        try:
            await woken
        finally:
            self._pollers.discard(woken)
            self._tell_whether_quiet()

    def _append(self, waiting: Waiting) -> None:
        self._waiting.append(waiting)
        self.last = waiting.update
        self._tell_whether_quiet()
        self._wake()
        self.on_arrival()

    def _wake(self) -> None:
        for woken in self._pollers:
            if not woken.done():
                woken.set_result(None)

    def _is_confirmed(self, waiting: Waiting, offset: int) -> bool:
        if waiting.is_out_of_turn:
            return waiting.was_fetched and waiting.id < offset
        return waiting.id < offset <= self.next_id

    def _tell_whether_quiet(self) -> None:
        if self.is_quiet:
            self._quiet.set()
        else:
            self._quiet.clear()


def _nothing() -> None:
    return None
