"""A light Bot API that costs as little as it can: what is measured before it is the bot.

The local Telegram of `bot.demo` checks all that Telegram checks, and so would be the slower of the
two processes. This one reads of a call only what people look at: the chat, the buttons, and what
a poll takes.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from urllib.parse import parse_qsl

import orjson
from aiohttp import web

TOKEN = "4242:local-token-of-the-benchmarks"

BATCH = 100
"""Updates that one getUpdates gives at most (Bot API, getUpdates)."""

BOT = {"id": 4242, "is_bot": True, "first_name": "Tutor", "username": "bench_tutor_bot"}

DATE = 1_772_442_000
"""When all messages were sent; nobody here looks at it."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What a chat was sent."""

    chat_id: int
    message: dict[str, Any]
    correct: tuple[int, ...]
    """The right options of a poll."""
    at: float
    """When the call had come in, by `perf_counter`."""

    @property
    def poll(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.message.get("poll")
        return found

    @property
    def presses(self) -> list[str]:
        """What its buttons carry, row by row."""
        markup = self.message.get("reply_markup") or {}
        rows = markup.get("inline_keyboard", ())
        return [data for row in rows for one in row if (data := one.get("callback_data"))]


@dataclass(slots=True)
class Stub:
    """Hands out updates, and tells `sent` of each message."""

    sent: Callable[[Sent], None]
    url: str = ""
    calls: int = 0
    """All but getUpdates."""
    updates: int = 0
    """That were handed out."""
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    """Somebody has asked for updates."""
    _kinds: frozenset[str] = frozenset()
    _waiting: deque[tuple[int, bytes]] = field(default_factory=deque)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _last_id: int = 0

    def update(self, kind: str, what: dict[str, Any]) -> None:
        """Something happened, which a bot is told that asks for this kind."""
        if kind in self._kinds:
            self._last_id += 1
            update = {"update_id": self._last_id, kind: what}
            self._waiting.append((self._last_id, orjson.dumps(update)))
            self._news.set()

    async def answer(self, request: web.BaseRequest) -> web.Response:
        """One call of the Bot API."""
        try:
            body = await request.read()
        except ConnectionError:  # the bot was ended in the middle of a call
            return web.Response()
        at = perf_counter()
        method = request.path.rpartition("/")[2]
        if method == "getUpdates":
            return _ok(await self._get_updates(_parameters(request, body)))
        self.calls += 1
        if method in ("sendMessage", "sendPoll"):
            sent = self._send(method, _parameters(request, body), at)
            self.sent(sent)
            return _ok(orjson.dumps(sent.message))
        return _ok(orjson.dumps(BOT) if method == "getMe" else b"true")

    async def _get_updates(self, parameters: dict[str, Any]) -> bytes:
        self._kinds = frozenset(_json(parameters.get("allowed_updates")) or ())
        offset = int(parameters.get("offset") or 0)
        self.asked.set()
        while self._waiting and self._waiting[0][0] < offset:
            self._waiting.popleft()
        if not self._waiting:
            self._news.clear()
            try:
                async with asyncio.timeout(float(parameters.get("timeout") or 0)):
                    await self._news.wait()
            except TimeoutError:
                return b"[]"
        batch = [self._waiting[i][1] for i in range(min(BATCH, len(self._waiting)))]
        self.updates += len(batch)
        return b"[" + b",".join(batch) + b"]"

    def _send(self, method: str, parameters: dict[str, Any], at: float) -> Sent:
        chat_id = int(parameters["chat_id"])
        message: dict[str, Any] = {
            "message_id": self.calls,
            "date": DATE,
            "from": BOT,
            "chat": chat(chat_id),
        }
        if markup := _json(parameters.get("reply_markup")):
            message["reply_markup"] = markup
        correct: tuple[int, ...] = ()
        if method == "sendMessage":
            message["text"] = parameters["text"]
        else:
            options = _json(parameters["options"])
            correct = tuple(_json(parameters.get("correct_option_ids")) or ())
            message["poll"] = _poll(str(self.calls), parameters["question"], options)
        return Sent(chat_id, message, correct, at)


def chat(chat_id: int) -> dict[str, Any]:
    """A chat as messages show it."""
    if chat_id < 0:
        return {"id": chat_id, "type": "supergroup", "title": "Group"}
    return {"id": chat_id, "type": "private", "first_name": "Ada"}


def person(person_id: int) -> dict[str, Any]:
    """A person as updates show them."""
    return {"id": person_id, "is_bot": False, "first_name": "Ada", "language_code": "en"}


def _poll(poll_id: str, question: str, options: list[Any]) -> dict[str, Any]:
    texts = [one["text"] if isinstance(one, dict) else one for one in options]
    return {
        "id": poll_id,
        "question": question,
        "options": [
            {"persistent_id": str(i), "text": text, "voter_count": 0}
            for i, text in enumerate(texts)
        ],
        "total_voter_count": 0,
        "is_closed": False,
        "is_anonymous": False,
        "type": "quiz",
        "allows_multiple_answers": False,
        "allows_revoting": False,
        "members_only": False,
    }


def _parameters(request: web.BaseRequest, body: bytes) -> dict[str, Any]:
    if request.content_type == "application/json":
        found: dict[str, Any] = orjson.loads(body)
        return found
    return dict(parse_qsl(body.decode(), keep_blank_values=True))


def _json(value: Any) -> Any:
    """A parameter that is no text: written as JSON in a form, itself in a body of JSON."""
    return orjson.loads(value) if isinstance(value, str) else value


def _ok(result: bytes) -> web.Response:
    return web.Response(
        body=b'{"ok":true,"result":' + result + b"}", content_type="application/json"
    )


@asynccontextmanager
async def serving(sent: Callable[[Sent], None]) -> AsyncIterator[Stub]:
    """A stub that listens on a port of its own."""
    stub = Stub(sent)
    runner = web.ServerRunner(web.Server(stub.answer), shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port, *_ = runner.addresses[0]
    stub.url = f"http://{host}:{port}"
    try:
        yield stub
    finally:
        await runner.cleanup()
