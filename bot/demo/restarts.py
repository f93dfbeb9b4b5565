"""The bot of the demo, which people can restart, kill and start again while they talk to it."""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from bot.app import App, build
from bot.clock import Clock
from bot.settings import Settings
from quizzes.catalog import Catalog


class RestartableBot:
    """One bot on one database, through several lives."""

    def __init__(
        self, settings: Settings, clock: Clock, catalog: Catalog, changed: Callable[[], None]
    ) -> None:
        """`changed` is called whenever `state` is another one."""
        self.state: Literal["starting", "running", "off"] = "starting"
        self._settings = settings
        self._clock = clock
        self._catalog = catalog
        self._changed = changed
        self._shall_live = True
        self._shall_crash = False
        self._order = asyncio.Event()

    def restart(self) -> None:
        """Stop the bot in good order and start it again."""
        self._shall_live = True
        self._order.set()

    def kill(self) -> None:
        """Drop the bot in the middle of whatever it does, and leave it dead."""
        self._shall_live = False
        self._shall_crash = True
        self._order.set()

    def play(self, catalog: Catalog) -> None:
        """Ask from these quizzes from now on; the bot restarts for it unless it is off."""
        self._catalog = catalog
        self._order.set()

    async def run(self, stopping: asyncio.Event) -> None:
        """Live, life after life, until `stopping` is set. Raises what breaks the bot."""
        leaving = asyncio.create_task(self._order_at(stopping))
        try:
            while not stopping.is_set():
                self._order.clear()
                self._shall_crash = False
                if self._shall_live:
                    await self._live()
                else:
                    self._tell("off")
                    await self._order.wait()
        finally:
            leaving.cancel()

    async def _order_at(self, stopping: asyncio.Event) -> None:
        await stopping.wait()
        self._order.set()

    async def _live(self) -> None:
        """One life, until the next order."""
        self._tell("starting")
        app = await self._build()
        if app is None:
            return
        self._tell("running")
        try:
            await app.run(self._order)
        finally:
            await (app.abandon() if self._shall_crash else app.stop())

    async def _build(self) -> App | None:
        """The started bot; None when an order came before it had started."""
        building = asyncio.create_task(
            build(self._settings, self._catalog, self._clock, random.Random())
        )
        order = asyncio.create_task(self._order.wait())
        await asyncio.wait([building, order], return_when=asyncio.FIRST_COMPLETED)
        order.cancel()
        if building.done():
            return building.result()
        building.cancel()
        with suppress(asyncio.CancelledError):
            await building
        return None

    def _tell(self, state: Literal["starting", "running", "off"]) -> None:
        self.state = state
        self._changed()
