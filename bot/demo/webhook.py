"""The webhook: updates that are posted to the bot instead of being fetched by it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import aiohttp

from bot.clock import Clock
from bot.demo.updates import UpdateQueue, Waiting

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
SECONDS_TO_ANSWER = 60
FIRST_DELAY = 1
LAST_DELAY = 60
MAX_ASKED_DELAY = 3600


@dataclass(frozen=True, slots=True)
class Hook:
    """Where updates go, and how."""

    url: str
    secret: str
    max_connections: int


class Webhook:
    """Posts updates, in order within a line: a chat, a person's presses, or a poll.

    What the bot does not answer with a 2xx is posted again until it does, a second later at first,
    then after twice as long each time; nothing is dropped before its time. What an answer says is
    not looked at.
    """

    def __init__(
        self, clock: Clock, updates: UpdateQueue, write: Callable[[dict[str, Any]], Any]
    ) -> None:
        """`write` makes of an update what is posted."""
        self._clock = clock
        self._updates = updates
        self._write = write
        self._session: aiohttp.ClientSession | None = None
        self._lines: dict[object, asyncio.Task[None]] = {}
        self._connections = asyncio.Semaphore()
        self._resting = 0
        self._rests = asyncio.Event()
        self._is_open = True
        self.hook: Hook | None = None
        self.last_error: tuple[int, str] | None = None
        """When an update was last refused, in seconds since 1970, and how."""
        updates.on_arrival = self._look

    @property
    def is_backing_off(self) -> bool:
        """Whether every line that has something to post waits before it tries again."""
        return 0 < self._resting == len(self._lines)

    async def backs_off(self) -> None:
        """Return when it is so."""
        await self._rests.wait()

    async def set(self, hook: Hook | None) -> None:
        """Post to this hook from now on; None lets the bot fetch its updates again."""
        await self.close()
        self.hook, self.last_error = hook, None
        self._updates.hand_over(to_webhook=hook is not None)
        if hook is not None:
            self._connections = asyncio.Semaphore(hook.max_connections)
        self.open()

    def open(self) -> None:
        """Go on posting after a close."""
        self._is_open = True
        self._look()

    async def close(self) -> None:
        """Stop posting; what is not answered yet is posted again later."""
        self._is_open = False
        lines = list(self._lines.values())
        for line in lines:
            line.cancel()
        await asyncio.gather(*lines, return_exceptions=True)
        self._lines.clear()
        self._tell_whether_resting()
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _look(self) -> None:
        """Begin to post what no line has under way."""
        if self.hook is None or not self._is_open:
            return
        for waiting in self._updates.waiting:
            name = _line(waiting.update)
            if name not in self._lines:
                self._lines[name] = asyncio.get_running_loop().create_task(
                    self._post_line(self.hook, name)
                )
        self._tell_whether_resting()

    async def _post_line(self, hook: Hook, name: object) -> None:
        delay = FIRST_DELAY
        while waiting := self._first(name):
            asked = await self._post(hook, waiting.update)
            if asked is None:
                self._updates.confirm(waiting)
                delay = FIRST_DELAY
                continue
            await self._rest(max(asked, delay))
            delay = min(2 * delay, LAST_DELAY)
        # At once, or an update that comes now would find a line that no longer looks.
        del self._lines[name]
        self._tell_whether_resting()

    async def _rest(self, seconds: float) -> None:
        self._resting += 1
        self._tell_whether_resting()
        try:
            await self._clock.sleep(seconds)
        finally:
            self._resting -= 1
            self._tell_whether_resting()

    def _first(self, name: object) -> Waiting | None:
        waiting = self._updates.waiting
        return next((one for one in waiting if _line(one.update) == name), None)

    async def _post(self, hook: Hook, update: dict[str, Any]) -> int | None:
        """Post an update: None when it was taken, else how long the bot asks to wait."""
        self._session = self._session or aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=None)
        )
        headers = {SECRET_HEADER: hook.secret} if hook.secret else {}
        try:
            async with (
                self._connections,
                self._clock.timeout(SECONDS_TO_ANSWER),
                self._session.post(
                    hook.url, json=self._write(update), headers=headers, allow_redirects=False
                ) as response,
            ):
                if response.status // 100 == 2:
                    return None
                reason = f"{response.status} {response.reason}"
                self._note(f"Wrong response from the webhook: {reason}")
                asked = response.headers.get("Retry-After", "")
                return min(int(asked), MAX_ASKED_DELAY) if asked.isdecimal() else 0
        except TimeoutError:
            self._note("Read timeout expired")
        except aiohttp.ClientConnectorError:
            self._note("Connection refused")
        except aiohttp.ClientError:
            self._note("Connection closed")
        return 0

    def _tell_whether_resting(self) -> None:
        if self.is_backing_off:
            self._rests.set()
        else:
            self._rests.clear()

    def _note(self, error: str) -> None:
        self.last_error = int(self._clock.now().timestamp()), error


def _line(update: dict[str, Any]) -> object:
    """What an update must stay in order with: others of its chat, person or poll."""
    for kind, content in update.items():
        match kind, content:
            case "poll", {"id": poll_id}:
                return "poll", poll_id
            case "poll_answer", {"poll_id": poll_id}:
                return "poll", poll_id
            case "callback_query", {"from": {"id": person_id}}:
                return "person", person_id
            case _, {"chat": {"id": chat_id}}:
                return "chat", chat_id
    return "alone", update["update_id"]
