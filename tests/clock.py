"""A clock that stands still until a test moves it."""

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


async def _nothing() -> None:
    return None


class ManualClock:
    """Time moves only by `advance`, and stops at every moment that something waits for."""

    def __init__(self, start: datetime = START) -> None:
        self._start = start
        self._passed = 0.0
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._ids = itertools.count()
        self.settle: Callable[[], Awaitable[None]] = _nothing
        """Awaited at each stop of `advance`: returns when all that was woken has been done."""

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._passed)

    def monotonic(self) -> float:
        return self._passed

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        woken = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self._passed + seconds, next(self._ids), woken))
        await woken

    @asynccontextmanager
    async def timeout(self, seconds: float) -> AsyncIterator[None]:
        async with asyncio.timeout(None) as limit:

            async def expire() -> None:
                await self.sleep(seconds)
                limit.reschedule(asyncio.get_running_loop().time())

            task = asyncio.create_task(expire())
            try:
                yield
            finally:
                task.cancel()

    async def advance(self, seconds: float) -> None:
        """Let so many seconds pass, waking in turn what waits for a moment on the way."""
        await self.settle()
        end = self._passed + seconds
        while self._waiting and self._waiting[0][0] <= end:
            moment, _, woken = heapq.heappop(self._waiting)
            if woken.done():
                continue
            self._passed = max(self._passed, moment)
            woken.set_result(None)
            await self.settle()
        self._passed = end
        await self.settle()
