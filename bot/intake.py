"""From Telegram to the inbox, by long polling."""

import logging
from collections.abc import Callable
from datetime import timedelta

from telegram.error import Conflict, InvalidToken, TelegramError

from bot import backoff
from bot.clock import Clock
from bot.transport import BotApi
from bot.updates import ALLOWED, arrival
from storage.database import Database, is_trouble
from storage.inbox import Arrival

POLL_SECONDS = 30
"""How long Telegram holds a request that has nothing to give."""

ANSWER_SECONDS = POLL_SECONDS + 10.0

LEAST_SECONDS = 0.1
"""The least time from one empty answer to the next request."""

CATCH_UP = timedelta(seconds=10)
"""After a start, how long what is due waits at most for votes that were cast in time."""

log = logging.getLogger(__name__)


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
        self._offset = 0
        self._failures = 0
        self._complaint = ""
        self._began = clock.monotonic()
        self._is_caught_up = False
        self.backing_off = False
        """Whether it waits before it asks again, because Telegram could not be asked."""

    async def run(self) -> None:
        """Fetch until cancelled."""
        while True:
            asked_at = self._clock.monotonic()
            try:
                updates = await self._fetch()
            except TelegramError as error:
                self._note(error)
                self._check_patience()
                await self._back_off()
                continue
            self._note(None)
            was_caught_up = self._is_caught_up
            await self._store(updates)
            if was_caught_up and not updates and self._clock.monotonic() - asked_at < LEAST_SECONDS:
                # A server that does not hold requests would be asked without end.
                await self._wait(LEAST_SECONDS)

    async def _fetch(self) -> list[object]:
        # Until all that waited is here, don't let Telegram wait for more.
        seconds = POLL_SECONDS if self._is_caught_up else 0
        params = {"offset": self._offset, "timeout": seconds, "allowed_updates": list(ALLOWED)}
        updates = await self._api.call("getUpdates", params, answer_within=ANSWER_SECONDS)
        return updates if isinstance(updates, list) else []

    async def _store(self, updates: list[object]) -> None:
        arrivals = [found for raw in updates if (found := arrival(raw))]
        if len(arrivals) < len(updates):
            log.error("%d of the updates have no update_id.", len(updates) - len(arrivals))
        if arrivals:
            await self._insist(arrivals)
            self._offset = arrivals[-1].update_id + 1
            self._arrived()
        if not updates:
            self._catch_up()
        self._check_patience()

    async def _insist(self, arrivals: list[Arrival]) -> None:
        """Store updates, however long the database is in trouble."""
        while True:
            try:
                await self._database.transaction(
                    lambda store: store.inbox.add(arrivals, self._clock.now())
                )
            except Exception as error:
                if not is_trouble(error):
                    raise
                log.error("The database can't be written (%s); trying again.", error)
                await self._clock.sleep(backoff.FIRST_SECONDS)
            else:
                return

    def _check_patience(self) -> None:
        if self._clock.monotonic() - self._began >= CATCH_UP.total_seconds():
            self._catch_up()

    def _catch_up(self) -> None:
        if not self._is_caught_up:
            self._is_caught_up = True
            self._caught_up()

    def _note(self, error: TelegramError | None) -> None:
        """One log line a kind of trouble, and one when it is over."""
        complaint = _complaint(error) if error else ""
        if complaint and complaint != self._complaint:
            log.warning("%s; trying again.", complaint)
        elif self._complaint and not complaint:
            log.info("Updates come in again.")
        self._complaint = complaint
        self._failures = self._failures + 1 if error else 0

    async def _back_off(self) -> None:
        await self._wait(backoff.seconds_after(self._failures))

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
