"""What the bot asks of the local Telegram and what comes of it, for people who watch."""

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from aiohttp import web

from bot.demo.server import CHAT_ID
from bot.demo.targets import named_chat
from bot.demo.telegram import LocalTelegram

MOST_CALLS = 60
"""How many calls are kept; older ones are forgotten."""

LATE_SECONDS = 1.0
"""An answer that took so long is called late."""

_ROUTINE = ("getupdates", "getmy", "setmy", "deletemy")
"""How methods begin that say nothing of a conversation: shown only where something went wrong."""

Outcome = Literal["done", "late", "refused", "lost"]

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the Bot API, when it was over."""

    at: float
    """In Unix seconds."""
    method: str
    chat: str
    """The name of the person or the group that it was for; empty where it named none."""
    outcome: Outcome
    detail: str
    """What a person should read of it."""

    @property
    def json(self) -> dict[str, Any]:
        """The call as the page gets it."""
        return asdict(self)


class CallLog:
    """The latest calls, oldest first; `tell` hears of each."""

    def __init__(self, telegram: LocalTelegram, tell: Callable[[Call], None]) -> None:
        self.calls: deque[Call] = deque(maxlen=MOST_CALLS)
        self._telegram = telegram
        self._tell = tell

    @web.middleware
    async def watch(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """A middleware: note what comes of a request if it is a call of the Bot API."""
        named = request.match_info.get("call")
        if named is None:
            return await handler(request)
        method = named.partition("/")[2]
        began = self._telegram.clock.monotonic()
        try:
            response = await handler(request)
        except asyncio.CancelledError:
            seconds = self._telegram.clock.monotonic() - began
            self._note(request, method, "lost", f"the bot hung up after {seconds:.1f} s")
            raise
        outcome, detail = self._outcome(request, response, began)
        self._note(request, method, outcome, detail)
        return response

    def _outcome(
        self, request: web.Request, response: web.StreamResponse, began: float
    ) -> tuple[Outcome, str]:
        if request.transport is None or request.transport.is_closing():
            return "lost", "carried out, but the answer was lost"
        if response.status != 200:
            return "refused", _refusal(response)
        seconds = self._telegram.clock.monotonic() - began
        if seconds >= LATE_SECONDS:
            return "late", f"carried out, answered after {seconds:.1f} s"
        return "done", "done"

    def _note(self, request: web.Request, method: str, outcome: Outcome, detail: str) -> None:
        if method.lower() == "getupdates" and outcome != "refused":
            return  # it waits for long, and hanging up is how it ends
        if outcome == "done" and method.lower().startswith(_ROUTINE):
            return
        now = self._telegram.clock.now().timestamp()
        call = Call(now, method, self._name(request.get(CHAT_ID, "")), outcome, detail)
        self.calls.append(call)
        self._tell(call)

    def _name(self, chat_id: str) -> str:
        chat = named_chat(self._telegram, chat_id)
        if chat is None:
            return ""
        return chat.person.first_name if chat.person else chat.title


def _refusal(response: web.StreamResponse) -> str:
    """A refusal's code and words; what is no JSON does not come from the Bot API itself."""
    if not isinstance(response, web.Response) or response.content_type != "application/json":
        return f"{response.status} {response.reason}"
    return f"{response.status} {json.loads(response.text or '{}').get('description', '')}"
