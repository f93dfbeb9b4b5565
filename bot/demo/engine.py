"""What the local Telegram is made of: its parts, its messages, and who is told of them."""

import asyncio
import itertools
import random as randomness
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from bot.clock import Clock
from bot.demo.chats import CallbackAnswer, CallbackQuery, Change, Chat, Message, Person
from bot.demo.entities import EMPTY, Text
from bot.demo.faults import Faults
from bot.demo.files import File
from bot.demo.flood import FloodGuard, FloodLimits
from bot.demo.older_server import without
from bot.demo.polls import Poll
from bot.demo.profile import Profile
from bot.demo.roles import is_administrator, is_inside
from bot.demo.updates import UpdateQueue
from bot.demo.webhook import Webhook

FIRST_PERSON_ID = 1001


@dataclass(slots=True, eq=False)
class Request:
    """One call of the Bot API, as it came and as it was answered."""

    method: str
    parameters: dict[str, Any]
    at: datetime
    response: dict[str, Any] | None = None
    """What was answered (`ok`, `result` or `error_code` ...); None when nothing was."""


class Engine:
    """What the Bot API's methods and the people's acts work with."""

    def __init__(
        self,
        clock: Clock,
        *,
        token: str,
        random: randomness.Random,
        username: str = "quiz_tutor_bot",
        name: str = "Quiz tutor",
        flood: FloodLimits | None = None,
        first_update_id: int = 1,
        local_webhooks: bool = False,
    ) -> None:
        """`local_webhooks` allows webhooks over plain HTTP and on any port of 127.0.0.1, which
        Telegram refuses."""
        self.clock = clock
        self.token = token
        self.random = random
        self.bot = Person(int(token.partition(":")[0]), name, username=username, is_bot=True)
        self.profile = Profile()
        self.faults = Faults()
        self.flood = FloodGuard(clock, flood)
        self.updates = UpdateQueue(clock, first_update_id)
        self.webhook = Webhook(clock, self.updates, lambda update: without(update, self.left_out))
        self.local_webhooks = local_webhooks
        self.requests: list[Request] = []
        """Every call of the Bot API, in the order in which they came."""
        self.held = 0
        """How many answers wait for a delay to pass or for a release."""
        self.callbacks: dict[str, CallbackQuery] = {}
        self.poll_updates: Literal["before answers", "after answers", "never"] = "before answers"
        """Where `poll` updates stand among the `poll_answer` updates of the same vote."""
        self.left_out: frozenset[str] = frozenset()
        """Fields that updates and replies lack, as those of an older Bot API server do."""
        self.files: dict[str, File] = {}
        """All that was uploaded, by each of its ids."""
        self.people: dict[int, Person] = {}
        self.chats: dict[int, Chat] = {}
        self.person_ids = itertools.count(FIRST_PERSON_ID)
        self.group_ids = itertools.count(1)
        self._message_ids = itertools.count(1)
        self._supergroup_message_ids: dict[int, itertools.count[int]] = {}
        self._poll_messages: dict[str, list[Message]] = {}
        self._listeners: list[Callable[[Change], None]] = []
        self._closing_polls: set[asyncio.Task[None]] = set()

    @property
    def now(self) -> int:
        """Seconds since 1970."""
        return int(self.clock.now().timestamp())

    def chat(self, chat_id: int) -> Chat:
        """The chat with this id; a private chat has the id of its person."""
        if chat_id not in self.chats:
            raise KeyError(f"There is no chat {chat_id}.")
        return self.chats[chat_id]

    def post(
        self,
        chat: Chat,
        sender: Person,
        *,
        content: Text = EMPTY,
        poll: Poll | None = None,
        file: File | None = None,
        keyboard: list[list[dict[str, Any]]] | None = None,
        service: dict[str, Any] | None = None,
        written_as: Chat | None = None,
        reply_to: Message | None = None,
        thread_id: int | None = None,
        forwarded_from: Message | None = None,
        is_protected: bool = False,
    ) -> Message:
        """Show a new message in a chat."""
        message = Message(
            chat=chat,
            id=self._next_message_id(chat),
            sender=sender,
            sent_at=self.now,
            content=content,
            poll=poll,
            file=file,
            keyboard=keyboard,
            service=service,
            written_as=written_as,
            reply_to=reply_to,
            thread_id=thread_id,
            forwarded_from=forwarded_from,
            is_protected=is_protected,
        )
        chat.shown[message.id] = message
        if sender.is_bot:
            chat.last_bot = sender
        if poll is not None:
            self._poll_messages.setdefault(poll.id, []).append(message)
            if poll.close_date is not None and forwarded_from is None:
                self._announce_end(poll)
        self.tell(Change("message", chat.id, message))
        return message

    def keep(self, file: File) -> File:
        """Keep a file that can be sent again by its ids."""
        self.files |= dict.fromkeys(file.ids, file)
        return file

    def let_hear(self, message: Message, kind: str = "message") -> None:
        """Give the bot an update of a message that somebody else wrote, if it gets to hear it."""
        if self._is_heard(message):
            self.updates.add(kind, message.json)

    def stop_poll(self, message: Message) -> None:
        """End a poll now; the bot gets a `poll` update as well."""
        if message.poll is not None:
            message.poll.is_stopped = True
            self.tell_poll(message.poll)
            self.updates.add("poll", message.poll.json)

    def answer_callback(self, query: CallbackQuery, answer: CallbackAnswer) -> None:
        """Show a person what their press brought."""
        query.answer = answer
        self.tell(Change("callback", query.message.chat.id, query.message, query))

    def on_change(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Call the listener after every visible change; returns what stops that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, change: Change) -> None:
        """Tell everyone who listens."""
        for listener in tuple(self._listeners):
            listener(change)

    def tell_poll(self, poll: Poll) -> None:
        """Tell everyone who listens of a poll's votes or its end, wherever it is still shown."""
        for message in self._poll_messages[poll.id]:
            if message.id in message.chat.shown:
                self.tell(Change("poll", message.chat.id, message))

    def _is_heard(self, message: Message) -> bool:
        """Whether the bot gets it: in groups only some, by privacy mode.

        A command without `@` is heard unless another bot wrote last. Telegram promises that to
        the last bot alone; here the only bot that has not written yet hears it too.
        """
        chat = message.chat
        if message.sender.is_bot:
            return False
        if chat.kind == "private":
            return True
        if not is_inside(chat, self.bot):
            return False
        if message.service or chat.hears_everything or is_administrator(chat, self.bot):
            return True
        if message.reply_to is not None and message.reply_to.sender is self.bot:
            return True
        command = message.text.split(maxsplit=1)[0] if message.text else ""
        if not command.startswith("/"):
            return False
        addressee = command.partition("@")[2]
        if not addressee:
            return chat.last_bot in (None, self.bot)
        return addressee.lower() == str(self.bot.username).lower()

    def _next_message_id(self, chat: Chat) -> int:
        """Supergroups count on their own; all other chats share one counter."""
        if chat.kind != "supergroup":
            return next(self._message_ids)
        return next(self._supergroup_message_ids.setdefault(chat.id, itertools.count(1)))

    def _announce_end(self, poll: Poll) -> None:
        """Show the end when its time comes. The bot gets no update: Telegram sends none."""

        async def wait() -> None:
            end = poll.close_date or self.clock.now()
            await self.clock.sleep((end - self.clock.now()).total_seconds())
            if not poll.is_stopped:
                self.tell_poll(poll)

        task = asyncio.get_running_loop().create_task(wait())
        self._closing_polls.add(task)
        task.add_done_callback(self._closing_polls.discard)
