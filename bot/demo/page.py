"""The demo's chat page: learners on this machine talk to the bot in a browser."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from aiohttp import WSCloseCode, WSMsgType, web

from bot.demo.chats import CallbackQuery, Change, Chat, Message, Person
from bot.demo.files import File
from bot.demo.polls import VoteRefusedError
from bot.demo.profile import in_language
from bot.demo.roles import INSIDE
from bot.demo.telegram import LocalTelegram

LANGUAGES = ("en", "ro", "uk", "ru", "de", "es", "fr", "pt-br")
"""The client languages that the page offers, besides those that the learners have."""

_FILES = Path(__file__).with_name("page")
_CONTENT_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}

_SECONDS_TO_PART = 1.0
"""How long a stopping server waits for a tab to confirm that it heard of it."""

_PNG = b"\x89PNG\r\n\x1a\n"

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def add_routes(
    app: web.Application, telegram: LocalTelegram, *, bot_name: str, learners: Sequence[Person]
) -> None:
    """Serve the chat page at `/`, for these learners of `telegram`; at least one is needed.

    Only a browser on this machine is served: a request under another host name or from
    another site's page gets a 403.
    """
    page = _Page(telegram, bot_name, learners)
    telegram.on_change(page.tell_change)
    app.router.add_get("/", _only_from_here(_file("index.html")))
    app.router.add_get("/page/socket", _only_from_here(page.talk))
    app.router.add_get("/page/files/{id}", _only_from_here(page.give_file))
    for path in sorted(_FILES.iterdir()):
        if path.suffix in _CONTENT_TYPES:
            app.router.add_get(f"/page/{path.name}", _only_from_here(_file(path.name)))
    app.on_shutdown.append(page.close)


def _only_from_here(handler: _Handler) -> _Handler:
    # Any site's page may send requests to this machine, by a name of its own that leads here
    # or across origins. Host and Origin tell, since a page cannot forge them.
    async def guarded(request: web.Request) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if not _is_here(f"http://{request.host}", request):
            raise web.HTTPForbidden(text="This page is served to this machine alone.")
        if origin is not None and not _is_here(origin, request):
            raise web.HTTPForbidden(text="This page does not talk to other sites.")
        return await handler(request)

    return guarded


def _is_here(origin: str, request: web.Request) -> bool:
    assert request.transport is not None
    port = request.transport.get_extra_info("sockname")[1]
    with contextlib.suppress(ValueError):
        parts = urlsplit(origin)
        return (
            parts.scheme == "http"
            and parts.hostname in ("127.0.0.1", "localhost")
            and (parts.port or 80) == port
        )
    return False


def _file(name: str) -> _Handler:
    path = _FILES / name

    async def respond(request: web.Request) -> web.StreamResponse:
        # Not every browser counts a WebSocket among what 'self' allows.
        policy = (
            f"default-src 'self'; connect-src 'self' ws://{request.host}; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'; object-src 'none'"
        )
        content_type = f"{_CONTENT_TYPES[path.suffix]}; charset=utf-8"
        return web.FileResponse(path, headers=_headers(content_type, policy))

    return respond


def _headers(content_type: str, policy: str) -> dict[str, str]:
    return {
        "Cache-Control": "no-store",
        "Content-Security-Policy": policy,
        "Content-Type": content_type,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


def _content_type(file: File) -> str:
    # Telegram calls every photo a JPEG, but here the bytes stay as they were sent.
    is_png = file.kind == "photo" and file.content.startswith(_PNG)
    return "image/png" if is_png else file.mime_type


class _Tab:
    """One browser tab. What it is told waits in line, so that nobody waits for a slow tab."""

    def __init__(self) -> None:
        self.line: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.taps: list[CallbackQuery] = []

    def tell(self, kind: str, **values: Any) -> None:
        self.line.put_nowait({"kind": kind, **values})


class _Page:
    """What the open tabs see, and what is done in them."""

    def __init__(self, telegram: LocalTelegram, bot_name: str, learners: Sequence[Person]) -> None:
        self._telegram = telegram
        self._bot_name = bot_name
        self._learners = {learner.id: learner for learner in learners}
        self._tabs: dict[web.WebSocketResponse, _Tab] = {}

    async def talk(self, request: web.Request) -> web.StreamResponse:
        """Tell a tab everything, then each change, and do what it asks."""
        socket = web.WebSocketResponse(heartbeat=30, timeout=_SECONDS_TO_PART)
        await socket.prepare(request)
        tab = self._tabs[socket] = _Tab()
        tab.tell("state", **self._state())
        sending = asyncio.create_task(_send_all(tab, socket))
        try:
            async for received in socket:
                if received.type is WSMsgType.TEXT:
                    self._do(tab, json.loads(received.data))
        finally:
            del self._tabs[socket]
            sending.cancel()
        return socket

    async def give_file(self, request: web.Request) -> web.StreamResponse:
        """A photo to be shown, or a document to be saved, by any of its ids."""
        file = self._telegram.files.get(request.match_info["id"])
        if file is None:
            raise web.HTTPNotFound
        # Whatever the bot sent, it may not act as a page of this server.
        headers = _headers(_content_type(file), "default-src 'none'; sandbox")
        if file.kind == "document":
            headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(file.name)}"
        return web.Response(body=file.content, headers=headers)

    async def close(self, _: web.Application) -> None:
        """End the tabs' connections, which would keep the server from stopping."""
        partings = [socket.close(code=WSCloseCode.GOING_AWAY) for socket in self._tabs]
        await asyncio.gather(*partings)

    def tell_change(self, change: Change) -> None:
        """Pass on what has changed to every tab."""
        for tab in self._tabs.values():
            self._tell_change(tab, change)

    def _tell_change(self, tab: _Tab, change: Change) -> None:
        match change:
            case Change("message" | "edited" | "poll", message=Message() as message):
                introduced = self._introduced_chat(message.chat)
                tab.tell("message", chat=introduced, message=_shown(message))
            case Change("deleted", message=Message() as message):
                tab.tell("deleted", chat=message.chat.id, message=message.id)
            case Change("callback", callback=CallbackQuery() as tapped) if tapped in tab.taps:
                tab.taps.remove(tapped)
                _tell_answer(tab, tapped)
            case Change("action"):
                tab.tell("action", chat=change.chat_id, action=change.action)
            case Change("profile"):
                tab.tell("learners", learners=self._introduced_learners())

    def _do(self, tab: _Tab, asked: dict[str, Any]) -> None:
        try:
            learner = self._learners[asked["learner"]]
            chat = int(asked["chat"])
            match asked:
                case {"do": "send", "text": str(text)}:
                    self._telegram.send(learner, chat, text)
                case {"do": "vote", "message": int(message), "options": [*options]}:
                    self._telegram.vote(learner, chat, message, options)
                case {"do": "retract", "message": int(message)}:
                    self._telegram.retract(learner, chat, message)
                case {"do": "tap", "message": int(message), "data": str(data)}:
                    tab.taps.append(self._telegram.tap(learner, chat, message, data))
                case {"do": "language", "code": str(code)}:
                    self._telegram.set_language(learner, code or None)
                case {"do": "look"}:
                    tab.tell("profile", **self._profile(learner, chat))
        except (VoteRefusedError, PermissionError) as refusal:
            tab.tell("refusal", text=str(refusal))
        except KeyError:
            tab.tell("refusal", text="This is no longer here.")

    def _profile(self, learner: Person, chat_id: int) -> dict[str, Any]:
        """What the bot tells about itself, as this learner sees it in this chat."""
        profile = self._telegram.profile
        language = (learner.language_code or "")[:2].lower()
        return {
            "learner": learner.id,
            "chat": chat_id,
            "name": in_language(profile.names, language, self._bot_name),
            "description": in_language(profile.descriptions, language),
            "commands": self._telegram.commands(learner, chat_id),
        }

    def _introduced_learners(self) -> list[dict[str, Any]]:
        return [
            {
                "id": learner.id,
                "name": " ".join(filter(None, (learner.first_name, learner.last_name))),
                "language": learner.language_code,
            }
            for learner in self._learners.values()
        ]

    def _state(self) -> dict[str, Any]:
        spoken = [learner.language_code for learner in self._learners.values()]
        return {
            "now": self._telegram.clock.now().timestamp(),
            "bot": {"name": self._bot_name, "username": self._telegram.bot.username},
            "languages": list(dict.fromkeys(filter(None, [*spoken, *LANGUAGES]))),
            "learners": self._introduced_learners(),
            "chats": [self._opened(chat) for chat in self._telegram.chats.values()],
        }

    def _introduced_chat(self, chat: Chat) -> dict[str, Any]:
        if chat.person is not None:
            members = [chat.person.id]
        else:
            inside = (person_id for person_id, status in chat.statuses.items() if status in INSIDE)
            members = [person_id for person_id in inside if person_id in self._learners]
        return {"id": chat.id, "type": chat.kind, "title": chat.title, "members": members}

    def _opened(self, chat: Chat) -> dict[str, Any]:
        messages = [_shown(message) for message in chat.messages]
        return self._introduced_chat(chat) | {"messages": messages}


async def _send_all(tab: _Tab, socket: web.WebSocketResponse) -> None:
    # A tab that was closed meanwhile has nobody to tell.
    with contextlib.suppress(ConnectionError):
        while True:
            await socket.send_json(await tab.line.get())


def _shown(message: Message) -> dict[str, Any]:
    """The message as the Bot API writes it, and who voted for what in its poll."""
    return message.json | {"votes": message.poll.votes if message.poll else {}}


def _tell_answer(tab: _Tab, tapped: CallbackQuery) -> None:
    if tapped.answer is not None:
        tab.tell(
            "answer",
            tap={
                "learner": tapped.person.id,
                "chat": tapped.message.chat.id,
                "message": tapped.message.id,
                "data": tapped.data,
            },
            text=tapped.answer.text,
            alert=tapped.answer.show_alert,
            url=tapped.answer.url,
        )
