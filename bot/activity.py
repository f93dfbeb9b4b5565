"""Knowing when there is nothing left to do but wait."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

_SHORTEST_SECONDS = 0.001
"""Moments are stored in milliseconds: a shorter wait would ring before its moment has come."""


class Activity:
    """Counts what is under way in the whole bot."""

    def __init__(self) -> None:
        self.count = 0

    def begin(self) -> None:
        self.count += 1

    def end(self) -> None:
        self.count -= 1

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside all else; it is under way from this very moment."""
        self.begin()
        task = asyncio.create_task(work)
        task.add_done_callback(lambda _: self.end())
        return task


class Bell:
    """Wakes a loop. From the ring until the loop waits for the next one, something is under way."""

    def __init__(self, activity: Activity) -> None:
        self._activity = activity
        self._rung = asyncio.Event()
        self._answering = False

    def ring(self) -> None:
        """Wake the loop, now or as soon as it waits again."""
        if not self._rung.is_set():
            self._activity.begin()
            self._rung.set()

    async def wait(self) -> None:
        """Say that all is done that the last ring asked for, and wait for the next."""
        if self._answering:
            self._answering = False
            self._activity.end()
        await self._rung.wait()
        self._rung.clear()
        self._answering = True


class Alarm:
    """Rings a bell at a moment; setting it anew replaces the moment."""

    def __init__(self, bell: Bell, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._bell = bell
        self._sleep = sleep
        self._task: asyncio.Task[None] | None = None

    def set(self, seconds: float | None) -> None:
        """Ring in so many seconds; None: not at all."""
        self.cancel()
        if seconds is not None:
            self._task = asyncio.create_task(self._ring_in(max(seconds, _SHORTEST_SECONDS)))

    def cancel(self) -> None:
        if self._task:
            self._task.cancel()
            self._task = None

    async def _ring_in(self, seconds: float) -> None:
        await self._sleep(seconds)
        self._bell.ring()
