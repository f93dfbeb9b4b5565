"""From Telegram to the inbox, by long polling; and what is known of how updates come in."""

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Protocol

from telegram.error import Conflict, InvalidToken, TelegramError

from bot import backoff
from bot.clock import Clock
from bot.transport import BotApi
from bot.updates import ALLOWED, arrival
from storage.database import Database

POLL_SECONDS = 30
"""How long Telegram holds a request that has nothing to give."""

ANSWER_SECONDS = POLL_SECONDS + 10.0

LEAST_SECONDS = 0.1
"""The least time from one empty answer to the next request."""

SILENCE = timedelta(minutes=2)
"""How long nothing may be heard from Telegram before that counts as trouble."""

log = logging.getLogger(__name__)


class Intake(Protocol):
    """A way in which updates come from Telegram into the inbox."""

    @property
    def backing_off(self) -> bool:
        """Whether it waits before it asks again, because Telegram could not be asked."""
        ...

    def trouble(self) -> str | None:
        """Why no updates come in, where that has lasted."""
        ...

    async def run(self) -> None:
        """Take updates in until cancelled."""
        ...

    async def close(self) -> None:
        """Take nothing new, and finish what is under way."""
        ...


class Contact:
    """Whether updates come in: what the log tells of it, and how long it has been so."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._heard_at = clock.monotonic()
        self._complaint = ""
        self.failures = 0
        """How often it failed in a row."""

    def heard(self) -> None:
        """Telegram was heard, and nothing is wrong: one log line, if something was."""
        self._heard_at = self._clock.monotonic()
        if self._complaint:
            log.info("Updates come in again.")
        self._complaint = ""
        self.failures = 0

    def failed(self, complaint: str) -> None:
        """Updates can't come in: one log line a kind of trouble."""
        if complaint != self._complaint:
            log.warning("%s; trying again.", complaint)
        self._complaint = complaint
        self.failures += 1

    def trouble(self) -> str | None:
        """A sentence, where Telegram has not been heard for too long."""
        silence = self._clock.monotonic() - self._heard_at
        if silence <= SILENCE.total_seconds():
            return None
        return f"Telegram was not heard for {silence:.0f} s. {self._complaint}".strip()


class LongPolling:
    """Fetches updates and stores them before Telegram is told that they were received."""

    def __init__(
        self,
        database: Database,
        api: BotApi,
        clock: Clock,
        arrived: Callable[[], None],
        caught_up: Callable[[], None],
    ) -> None:
        """`arrived` is called when something was stored, `caught_up` when nothing more waits."""
        self._database = database
        self._api = api
        self._clock = clock
        self._arrived = arrived
        self._caught_up = caught_up
        self._contact = Contact(clock)
        self._offset = 0
        self._is_caught_up = False
        self._holds = True
        self.backing_off = False

    def trouble(self) -> str | None:
        return self._contact.trouble()

    async def close(self) -> None:
        # What was fetched and not stored is not confirmed: Telegram gives it again.
        return None

    async def run(self) -> None:
        while True:
            asked_at = self._clock.monotonic()
            try:
                updates = await self._fetch()
            except TelegramError as error:
                self._contact.failed(_complaint(error))
                # That an outage is over is seen at once; that another program is gone is not.
                self._holds = isinstance(error, Conflict)
                await self._wait(backoff.seconds_until_next(error, self._contact.failures))
                continue
            self._contact.heard()
            self._holds = True
            was_caught_up = self._is_caught_up
            stored = await self._store(updates)
            took = self._clock.monotonic() - asked_at
            if (was_caught_up or updates) and not stored and took < LEAST_SECONDS:
                # A server that holds no request, or gives no updates, would be asked without end.
                await self._wait(LEAST_SECONDS)

    async def _fetch(self) -> list[object]:
        # Until all that waited is here, don't let Telegram wait for more.
        seconds = POLL_SECONDS if self._is_caught_up and self._holds else 0
        params = {"offset": self._offset, "timeout": seconds, "allowed_updates": list(ALLOWED)}
        updates = await self._api.call("getUpdates", params, answer_within=ANSWER_SECONDS)
        return updates if isinstance(updates, list) else []

    async def _store(self, updates: list[object]) -> int:
        """Store what is an update; how many are."""
        arrivals = [found for raw in updates if (found := arrival(raw))]
        if len(arrivals) < len(updates):
            log.error("Fetched without an update_id: %d.", len(updates) - len(arrivals))
        if arrivals:
            now = self._clock.now()
            await self._database.insist(lambda store: store.receive(arrivals, now))
            self._offset = arrivals[-1].update_id + 1
            self._arrived()
        if not updates:
            self._catch_up()
        return len(arrivals)

    def _catch_up(self) -> None:
        if not self._is_caught_up:
            self._is_caught_up = True
            self._caught_up()

    async def _wait(self, seconds: float) -> None:
        self.backing_off = True
        try:
            await self._clock.sleep(seconds)
        finally:
            self.backing_off = False


def _complaint(error: TelegramError) -> str:
    match error:
        case Conflict():
            return "Another program fetches this bot's updates: stop it, or take another token"
        case InvalidToken():
            return "Telegram refuses the token: get a new one from @BotFather"
        case _:
            return f"Updates can't be fetched: {error.message}"
