"""Whether the bot works."""

import asyncio
import logging
from collections.abc import Callable

from bot.clock import Clock
from storage.database import Database
from storage.inbox import Backlog
from storage.trouble import is_trouble

DATABASE_SECONDS = 2.0
"""How long the database may take to answer."""

STARTING = "The bot is starting: Telegram has not answered yet."
DATABASE_SILENT = "The database does not answer."

Check = Callable[[], str | None]
"""A sentence on what is wrong with a part of the bot, if anything is."""

log = logging.getLogger(__name__)


class Health:
    """Asks the parts of the bot whether they work."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._asking: asyncio.Task[Backlog] | None = None
        self._checks: tuple[Check, ...] = (lambda: STARTING,)

    def watch(self, *checks: Check) -> None:
        """From now on the bot works, as long as these find nothing."""
        self._checks = checks

    async def troubles(self) -> list[str]:
        """Sentences on what is wrong; none when the bot works."""
        found = [sentence for check in self._checks if (sentence := check())]
        return found if await self.backlog() else [DATABASE_SILENT, *found]

    async def backlog(self) -> Backlog | None:
        """What waits in the inbox; None when the database does not say so in time."""
        # One question at a time: those that a stuck database never answers must not pile up.
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(
                self._database.transaction(lambda store: store.inbox.backlog())
            )
            # An answer that comes too late may be an error, which nobody hears any more.
            self._asking.add_done_callback(lambda asked: asked.cancelled() or asked.exception())
        try:
            async with self._clock.timeout(DATABASE_SECONDS):
                return await asyncio.shield(self._asking)
        except TimeoutError:
            return None
        except Exception as error:
            if not is_trouble(error):
                raise
            log.warning("The database can't be asked: %s", error)
            return None

    async def close(self) -> None:
        """Ask nothing more."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)
