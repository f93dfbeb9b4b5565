"""Updates as Telegram sends them, and what the bot reads of them."""

import json
from datetime import UTC, datetime
from typing import Annotated, Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from telegram.constants import MessageAttachmentType

from storage.inbox import Arrival
from storage.polls import Sighting

ALLOWED = ("message", "callback_query", "poll", "poll_answer", "my_chat_member")
"""The kinds of updates that the bot asks for."""

DEEPEST = 100
"""Levels of lists and objects that are kept of an update; Telegram's own have about ten."""

CONTENT = frozenset(MessageAttachmentType) - {MessageAttachmentType.SUCCESSFUL_PAYMENT}
"""What a message holds that somebody sent, when it is no text."""


class UnreadableUpdateError(ValueError):
    """An update without what the bot needs of it, or with what no update can hold."""


# What the bot reads of updates (Bot API, "Available types"), and nothing else of them:
# python-telegram-bot's own classes take forty times as long to build, insist on fields that older
# servers leave out, and look at no types.

_Id = Annotated[int, Field(gt=-(2**63), lt=2**63)]
_Moment = Annotated[int, Field(ge=0, lt=253_402_300_800)]  # to the end of the year 9999


class _Read(BaseModel):
    # Built when the first update comes, not while the bot starts.
    model_config = ConfigDict(strict=True, defer_build=True)


class User(_Read):
    """A person, or a bot."""

    # 0 and below stand for people without an account of their own.
    id: Annotated[int, Field(gt=0, lt=2**63)]
    is_bot: bool
    first_name: str
    last_name: str | None = None
    language_code: str | None = None


class Chat(_Read):
    """Where something happened."""

    id: _Id
    type: str


class Place(_Read):
    """A chat, and the topic in it."""

    chat: Chat
    message_thread_id: _Id | None = None
    is_topic_message: bool | None = None

    @property
    def thread_id(self) -> int | None:
        """The topic; None outside of one."""
        return self.message_thread_id if self.is_topic_message else None


class Message(Place):
    """What somebody wrote or sent, or what Telegram tells of a chat."""

    model_config = ConfigDict(extra="allow")

    date: _Moment
    sender: User | None = Field(None, alias="from")
    sender_chat: Chat | None = None
    text: str | None = None
    migrate_to_chat_id: _Id | None = None

    @property
    def sent_at(self) -> datetime:
        return datetime.fromtimestamp(self.date, UTC)

    @property
    def says_something(self) -> bool:
        """Whether somebody wrote or sent it; else Telegram tells of a pinned message or so."""
        return self.text is not None or any(map(self.holds, CONTENT))

    def holds(self, kind: str) -> bool:
        """Whether it has content of a kind: a photo, a poll."""
        return bool(self.model_extra and self.model_extra.get(kind))


class CallbackQuery(_Read):
    """A pressed button."""

    id: str
    sender: User = Field(alias="from")
    message: Place | None = None
    """Where the button is; nothing else of the message is read."""
    data: str | None = None


class PollOption(_Read):
    """One of a poll's choices."""

    text: str


class Poll(_Read):
    """What became of a poll."""

    id: str
    question: str
    options: list[PollOption]
    is_closed: bool = False
    # Of a closed poll Telegram tells neither.
    open_period: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    close_date: _Moment | None = None

    @property
    def sighting(self) -> Sighting:
        """What tells it from other polls, where nobody knows it yet."""
        texts = tuple(option.text for option in self.options)
        if self.is_closed:
            return Sighting(self.question, texts)
        if self.open_period is None or self.close_date is None:
            return Sighting(self.question, texts, open_seconds=0)
        opened_at = datetime.fromtimestamp(self.close_date - self.open_period, UTC)
        return Sighting(self.question, texts, self.open_period, opened_at)


class PollAnswer(_Read):
    """A vote."""

    poll_id: str
    user: User | None = None
    voter_chat: Chat | None = None
    option_ids: list[_Id]


class ChatMember(_Read):
    """What somebody is in a chat."""

    status: str


class ChatMemberUpdated(_Read):
    """What the bot is in a chat from now on."""

    chat: Chat
    new_chat_member: ChatMember


class Update(_Read):
    """One of these."""

    message: Message | None = None
    callback_query: CallbackQuery | None = None
    poll: Poll | None = None
    poll_answer: PollAnswer | None = None
    my_chat_member: ChatMemberUpdated | None = None

    @property
    def user(self) -> User | None:
        """Who did it, where the bot answers people."""
        if self.poll_answer:
            return self.poll_answer.user
        did = self.message or self.callback_query
        return did.sender if did else None

    @property
    def chat(self) -> Chat | None:
        """Where; None for votes, which don't tell."""
        pressed = self.callback_query.message if self.callback_query else None
        place = self.message or pressed or self.my_chat_member
        return place.chat if place else None


def read_json(payload: bytes) -> Any:
    """What a server sent, also where it escapes half a character. Raises ValueError."""
    try:
        return orjson.loads(payload)
    except ValueError:
        # One such character must not make everything unreadable that came with it.
        try:
            return json.loads(payload)
        except RecursionError:
            raise ValueError("It is nested too deep.") from None


def arrival(raw: object) -> Arrival | None:
    """A raw update, ready to be stored; None for what is no update at all."""
    if not isinstance(raw, dict) or type(update_id := raw.get("update_id")) is not int:
        return None
    if not 0 <= update_id < 2**63:
        return None
    return Arrival(update_id, _sender(raw), _write(raw), _poll_id(raw))


def parse(raw: dict[str, Any]) -> Update:
    """The update that was stored. Raises UnreadableUpdateError."""
    try:
        return Update.model_validate(raw)
    except ValidationError as error:
        (first, *_) = error.errors(include_url=False, include_context=False, include_input=False)
        place = ".".join(map(str, first["loc"]))
        raise UnreadableUpdateError(f"{place} is wrong: {first['msg']}.") from None


def kind_of(raw: dict[str, Any]) -> str | None:
    """Which of the ALLOWED kinds a raw update is."""
    return next((kind for kind in ALLOWED if raw.get(kind) is not None), None)


def _sender(raw: dict[str, Any]) -> int | None:
    """The id of the person an update comes from."""
    for kind, name in (("message", "from"), ("callback_query", "from"), ("poll_answer", "user")):
        event = raw.get(kind)
        person = event.get(name) if isinstance(event, dict) else None
        sender = person.get("id") if isinstance(person, dict) else None
        if type(sender) is int and abs(sender) < 2**63:
            return sender
    return None


def _poll_id(raw: dict[str, Any]) -> str | None:
    """The poll whose state an update tells, where it tells nothing else."""
    match raw:
        case {"poll": {"id": str(poll_id)}} if raw.keys() == {"update_id", "poll"}:
            return poll_id.encode(errors="replace").decode()
    return None


def _write(raw: dict[str, Any]) -> str:
    try:
        return orjson.dumps(raw).decode()
    except TypeError:
        return orjson.dumps(_mended(raw, DEEPEST)).decode()


def _mended(value: Any, levels: int) -> Any:
    """The same without what can't be stored: half characters, huge numbers, endless nesting."""
    match value:
        case str():
            return value.encode(errors="replace").decode()
        case int() if abs(value) >= 2**63:
            return None
        case list() | dict() if levels == 0:
            return None
        case list():
            return [_mended(one, levels - 1) for one in value]
        case dict():
            return {_mended(name, 0): _mended(one, levels - 1) for name, one in value.items()}
    return value
