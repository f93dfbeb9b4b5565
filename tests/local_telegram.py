"""A local Telegram that is being served, and a bot's bare hands to call it with."""

import json
import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp

from bot.demo.flood import FloodLimits
from bot.demo.server import serve
from bot.demo.telegram import LocalTelegram
from tests.clock import ManualClock

TOKEN = "4242:local"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back over HTTP."""

    status: int
    body: dict[str, Any]
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Bench:
    """The engine, the clock that it goes by, and the HTTP client of its bot."""

    telegram: LocalTelegram
    clock: ManualClock
    http: aiohttp.ClientSession
    url: str

    async def ask(self, method: str, **parameters: Any) -> Answer:
        """Call a method with form fields, nested values as JSON, as most bots do."""
        fields = {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in parameters.items()
        }
        async with self.http.post(f"{self.url}/bot{TOKEN}/{method}", data=fields) as response:
            return Answer(response.status, await response.json(), response.headers)

    async def call(self, method: str, **parameters: Any) -> Any:
        """The result of a call that succeeds."""
        answer = await self.ask(method, **parameters)
        assert answer.status == 200, answer.body
        return answer.body["result"]

    async def refusal(self, method: str, **parameters: Any) -> tuple[int, str]:
        """The status and the sentence of a call that is refused."""
        answer = await self.ask(method, **parameters)
        assert answer.body.get("error_code") == answer.status, answer.body
        return answer.status, answer.body["description"]

    async def updates(self, offset: int = 0, **parameters: Any) -> list[dict[str, Any]]:
        """What getUpdates gives."""
        found: list[dict[str, Any]] = await self.call("getUpdates", offset=offset, **parameters)
        return found

    async def quiz(self, chat_id: int, **changed: Any) -> dict[str, Any]:
        """The message of a quiz poll with three options, the second one right."""
        fields = {
            "question": "2 + 2?",
            "options": ["3", "4", "5"],
            "type": "quiz",
            "correct_option_ids": [1],
            "is_anonymous": False,
        }
        sent: dict[str, Any] = await self.call("sendPoll", chat_id=chat_id, **(fields | changed))
        return sent


@asynccontextmanager
async def serving(
    *,
    flood: FloodLimits | None = None,
    first_update_id: int = 1,
    local_webhooks: bool = False,
) -> AsyncIterator[Bench]:
    """A bench on a clock that stands still."""
    clock = ManualClock()
    telegram = LocalTelegram(
        clock,
        token=TOKEN,
        random=random.Random(7),
        flood=flood,
        first_update_id=first_update_id,
        local_webhooks=local_webhooks,
    )
    async with aiohttp.ClientSession() as http, serve(telegram) as server:
        yield Bench(telegram, clock, http, server.url)
