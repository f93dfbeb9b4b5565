"""Answers to pressed buttons: sent at once and once, never stored, lost if they can't be sent."""

import asyncio
import logging
from collections import deque
from typing import Any

from telegram.error import TelegramError

from bot.activity import Activity
from bot.metrics import Metrics
from bot.transport import BotApi
from bot.turn import Hint

HINTS_AT_ONCE = 50
"""How many pressed buttons are being answered at a time."""

HINTS_WAITING = 500
"""How many wait for that; of more the oldest get no answer, as Telegram would soon take none."""

METHOD = "answerCallbackQuery"

log = logging.getLogger(__name__)


class Hints:
    """Gives them, beside all that is said."""

    def __init__(self, api: BotApi, activity: Activity, metrics: Metrics) -> None:
        self._api = api
        self._activity = activity
        self._metrics = metrics
        self._waiting: deque[Hint] = deque()
        self._answering = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def give(self, hint: Hint) -> None:
        """Answer a pressed button, once and at once, unless very many are pressed."""
        self._waiting.append(hint)
        if self._answering < HINTS_AT_ONCE:
            self._answering += 1
            task = self._activity.start(self._answer_waiting())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif len(self._waiting) > HINTS_WAITING:
            self._waiting.popleft()
            self._metrics.sent(METHOD, "dropped")

    async def abandon(self) -> None:
        """Drop what is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _answer_waiting(self) -> None:
        try:
            while self._waiting:
                await self._answer(self._waiting.popleft())
        finally:
            # Here, as a task that is done still counts until the loop's next turn.
            self._answering -= 1

    async def _answer(self, hint: Hint) -> None:
        params: dict[str, Any] = {"callback_query_id": hint.callback_query_id}
        if hint.text:
            params |= {"text": hint.text, "show_alert": hint.alert}
        if hint.url:
            params["url"] = hint.url
        try:
            await self._api.call(METHOD, params)
        except TelegramError as error:
            self._metrics.sent(METHOD, "dropped")
            log.debug("A button press could not be answered: %s", error.message)
        else:
            self._metrics.sent(METHOD, "delivered")
