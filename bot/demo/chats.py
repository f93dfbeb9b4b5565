"""Who and what is in the local Telegram: people, chats, messages, pressed buttons."""

from dataclasses import dataclass, field
from typing import Any, Literal

from bot.demo.entities import EMPTY, Text
from bot.demo.files import File
from bot.demo.polls import Poll

ANONYMOUS_ADMIN_ID = 1087968824
CHANNEL_BOT_ID = 136817688
CALLBACK_SECONDS = 150
"""How long a pressed button can be answered, and how long its update is kept."""


@dataclass(slots=True, eq=False)
class Person:
    """Somebody who uses Telegram, or the bot itself."""

    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language_code: str | None = None
    is_bot: bool = False
    has_blocked_bot: bool = False

    @property
    def json(self) -> dict[str, Any]:
        """The person as the Bot API's User."""
        written: dict[str, Any] = {
            "id": self.id,
            "is_bot": self.is_bot,
            "first_name": self.first_name,
        }
        for name in ("last_name", "username", "language_code"):
            value = getattr(self, name)
            if value is not None:
                written[name] = value
        return written


_ANONYMOUS_ADMIN = Person(ANONYMOUS_ADMIN_ID, "Group", username="GroupAnonymousBot", is_bot=True)
_CHANNEL_BOT = Person(CHANNEL_BOT_ID, "Channel", username="Channel_Bot", is_bot=True)


def stand_in(chat: "Chat") -> Person:
    """The account that Telegram names where somebody acts as a group or as a channel."""
    return _CHANNEL_BOT if chat.kind == "channel" else _ANONYMOUS_ADMIN


@dataclass(slots=True, eq=False)
class Chat:
    """A conversation: with one person (its id is the person's), or of a group; or a channel."""

    id: int
    kind: Literal["private", "group", "supergroup", "channel"]
    person: Person | None = None
    title: str = ""
    is_forum: bool = False
    hears_everything: bool = False
    """In a group: the bot hears plain talk too, not only commands and replies to it."""
    topics: set[int] = field(default_factory=set)
    """In a forum: the topics that somebody has written in, without the General one."""
    closed_topics: set[int | None] = field(default_factory=set)
    """In a forum: where only administrators may write; None is the General topic."""
    statuses: dict[int, str] = field(default_factory=dict)
    """In a group: creator, administrator, member, restricted, left or kicked, by the person's
    id."""
    anonymous: set[int] = field(default_factory=set)
    """In a supergroup: the administrators who act in the group's name."""
    denied: frozenset[str] = frozenset()
    """In a group: the permissions that its members lack, such as `can_send_polls`."""
    denied_to: dict[int, frozenset[str]] = field(default_factory=dict)
    """In a group: the permissions that restricted members lack besides, by the person's id."""
    upgraded_to: int | None = None
    """In a basic group that has become a supergroup: the supergroup's id."""
    last_bot: Person | None = None
    """In a group: the bot that wrote last."""
    shown: dict[int, "Message"] = field(default_factory=dict)
    knows_bot: bool = False
    """In a private chat: the person has written to the bot, so that it may write too."""

    @property
    def messages(self) -> list["Message"]:
        """Everything that is shown in the chat, oldest first."""
        return list(self.shown.values())

    def message(self, message_id: int) -> "Message":
        """A message that is shown; raises KeyError when there is none."""
        if message_id not in self.shown:
            raise KeyError(f"There is no message {message_id} in chat {self.id}.")
        return self.shown[message_id]

    @property
    def json(self) -> dict[str, Any]:
        """The chat as the Bot API's Chat."""
        if self.person is not None:
            written = {
                name: value
                for name, value in self.person.json.items()
                if name in ("id", "first_name", "last_name", "username")
            }
            return written | {"type": "private"}
        written = {"id": self.id, "title": self.title, "type": self.kind}
        return written | ({"is_forum": True} if self.is_forum else {})


@dataclass(slots=True, eq=False)
class Message:
    """One message as it stands now."""

    chat: Chat
    id: int
    sender: Person
    sent_at: int
    """Seconds since 1970, as in all of the Bot API."""
    content: Text = EMPTY
    poll: Poll | None = None
    file: File | None = None
    """A photo or a document; the text is then its caption."""
    keyboard: list[list[dict[str, Any]]] | None = None
    """The rows of inline buttons under the message, as the bot sent them."""
    service: dict[str, Any] | None = None
    """In a service message: the fields that say what has happened."""
    written_as: Chat | None = None
    """The group or the channel in whose name the sender wrote."""
    reply_to: "Message | None" = None
    thread_id: int | None = None
    edited_at: int | None = None
    forwarded_from: "Message | None" = None
    is_protected: bool = False

    @property
    def text(self) -> str:
        """The text or the caption without markup; empty in a poll."""
        return self.content.plain

    @property
    def entities(self) -> list[dict[str, Any]]:
        """What stands out in the text; offset and length in UTF-16 units."""
        return list(self.content.entities)

    @property
    def buttons(self) -> list[str]:
        """The captions of the inline buttons, row by row."""
        return [button["text"] for row in self.keyboard or [] for button in row]

    @property
    def json(self) -> dict[str, Any]:
        """The message as the Bot API's Message."""
        written = self._json_without_reply()
        if self.reply_to is not None:
            written["reply_to_message"] = self.reply_to._json_without_reply()
        return written

    def _json_without_reply(self) -> dict[str, Any]:
        signed = self.sender if self.written_as is None else stand_in(self.written_as)
        written: dict[str, Any] = {
            "message_id": self.id,
            "from": signed.json,
            "chat": self.chat.json,
            "date": self.sent_at,
        }
        if self.written_as is not None:
            written["sender_chat"] = self.written_as.json
        if self.thread_id is not None:
            written |= {"message_thread_id": self.thread_id, "is_topic_message": True}
        if self.edited_at is not None:
            written["edit_date"] = self.edited_at
        if self.forwarded_from is not None:
            written["forward_origin"] = {
                "type": "user",
                "sender_user": self.forwarded_from.sender.json,
                "date": self.forwarded_from.sent_at,
            }
        if self.is_protected:
            written["has_protected_content"] = True
        if self.service is not None:
            written |= self.service
        elif self.poll is not None:
            written["poll"] = self.poll.full_json
        elif self.file is not None:
            written |= self.file.json | self._content_json("caption", "caption_entities")
        else:
            written |= {"text": ""} | self._content_json("text", "entities")
        if self.keyboard:
            written["reply_markup"] = {"inline_keyboard": self.keyboard}
        return written

    def _content_json(self, text: str, entities: str) -> dict[str, Any]:
        written: dict[str, Any] = {text: self.content.plain} if self.content.plain else {}
        return written | ({entities: self.entities} if self.content.entities else {})


@dataclass(frozen=True, slots=True)
class CallbackAnswer:
    """What a person sees after pressing a button: a short notice, an alert, or a page."""

    text: str
    show_alert: bool
    url: str


@dataclass(slots=True, eq=False)
class CallbackQuery:
    """A pressed button that waits for the bot's answer."""

    id: str
    person: Person
    message: Message
    data: str
    pressed_at: float
    """In the clock's monotonic seconds."""
    answer: CallbackAnswer | None = None

    @property
    def json(self) -> dict[str, Any]:
        """The press as the Bot API's CallbackQuery."""
        return {
            "id": self.id,
            "from": self.person.json,
            "message": self.message.json,
            "chat_instance": str(self.message.chat.id),
            "data": self.data,
        }


@dataclass(frozen=True, slots=True)
class Change:
    """Something that people can see has changed."""

    kind: Literal["message", "edited", "deleted", "poll", "callback", "action", "profile"]
    """A new message; an edited or deleted one; a poll's votes or its end; a press that was
    answered; the bot is "typing"; the bot's commands, name or description, or the language of a
    person's app."""
    chat_id: int | None = None
    message: Message | None = None
    callback: CallbackQuery | None = None
