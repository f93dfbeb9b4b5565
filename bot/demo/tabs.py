"""The tabs in which the chat page is open: what they are told, and what is done in them."""

import asyncio
import contextlib
import json
from collections.abc import Sequence
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from bot.demo.backstage import Backstage
from bot.demo.chats import CallbackQuery, Change, Chat, Message, Person
from bot.demo.polls import VoteRefusedError
from bot.demo.profile import in_language, language_of
from bot.demo.roles import INSIDE
from bot.demo.telegram import LocalTelegram

LANGUAGES = ("en", "ro", "uk", "ru", "de", "es", "fr", "pt-br")
"""The client languages that the page offers, besides those that the learners have."""

_SECONDS_TO_PART = 1.0
"""How long a stopping server waits for a tab to confirm that it heard of it."""


class _Tab:
    """One browser tab. What it is told waits in line, so that nobody waits for a slow tab."""

    def __init__(self) -> None:
        self.line: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.taps: list[CallbackQuery] = []

    def tell(self, kind: str, **values: Any) -> None:
        self.line.put_nowait({"kind": kind, **values})


class Tabs:
    """All open tabs. Each shows every learner's chats, and one acts as any of them."""

    def __init__(
        self,
        telegram: LocalTelegram,
        bot_name: str,
        learners: Sequence[Person],
        backstage: Backstage | None,
    ) -> None:
        self._telegram = telegram
        self._bot_name = bot_name
        self._learners = {learner.id: learner for learner in learners}
        self._backstage = backstage
        self._tabs: dict[web.WebSocketResponse, _Tab] = {}
        telegram.on_change(self._tell_change)
        if backstage is not None:
            backstage.on_change(lambda told: self._tell(**told))

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

    async def close(self, _: web.Application) -> None:
        """End the tabs' connections, which would keep the server from stopping."""
        partings = [socket.close(code=WSCloseCode.GOING_AWAY) for socket in self._tabs]
        await asyncio.gather(*partings)

    def _tell(self, kind: str, **values: Any) -> None:
        for tab in self._tabs.values():
            tab.tell(kind, **values)

    def _tell_change(self, change: Change) -> None:
        match change:
            case Change("message" | "edited" | "poll", message=Message() as message):
                introduced = self._introduced_chat(message.chat)
                self._tell("message", chat=introduced, message=_shown(message))
            case Change("deleted", message=Message() as message):
                self._tell("deleted", chat=message.chat.id, message=message.id)
            case Change("callback", callback=CallbackQuery() as tapped):
                for tab in self._tabs.values():
                    if tapped in tab.taps:
                        tab.taps.remove(tapped)
                        _tell_answer(tab, tapped)
            case Change("action"):
                self._tell("action", chat=change.chat_id)
            case Change("profile"):
                self._tell("learners", learners=self._introduced_learners())

    def _do(self, tab: _Tab, asked: dict[str, Any]) -> None:
        try:
            learner = self._learners[asked["learner"]]
            had_blocked = learner.has_blocked_bot
            self._act(tab, learner, int(asked["chat"]), asked)
            if learner.has_blocked_bot != had_blocked:
                self._tell("learners", learners=self._introduced_learners())
        except (VoteRefusedError, PermissionError) as refusal:
            tab.tell("refusal", text=str(refusal))
        except KeyError:
            tab.tell("refusal", text="This is no longer here.")

    def _act(self, tab: _Tab, learner: Person, chat: int, asked: dict[str, Any]) -> None:
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
            case {"do": "block"}:
                self._telegram.block(learner)
            case {"do": "unblock"}:
                self._telegram.unblock(learner)
            case {"do": "look"}:
                tab.tell("profile", **self._profile(learner, chat))
            case _ if self._backstage is not None:
                self._backstage.do(asked)

    def _profile(self, learner: Person, chat_id: int) -> dict[str, Any]:
        """What the bot tells about itself, as this learner sees it in this chat."""
        profile = self._telegram.profile
        language = language_of(learner)
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
                "blocked": learner.has_blocked_bot,
            }
            for learner in self._learners.values()
        ]

    def _state(self) -> dict[str, Any]:
        spoken = [learner.language_code for learner in self._learners.values()]
        backstage = self._backstage
        return {
            "now": self._telegram.clock.now().timestamp(),
            "bot": {"name": self._bot_name, "username": self._telegram.bot.username},
            "languages": list(dict.fromkeys(filter(None, [*spoken, *LANGUAGES]))),
            "learners": self._introduced_learners(),
            "chats": [self._opened(chat) for chat in self._telegram.chats.values()],
            "backstage": backstage and backstage.state | {"calls": backstage.calls},
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
