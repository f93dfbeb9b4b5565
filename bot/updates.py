"""Updates as Telegram sends them, made readable for python-telegram-bot."""

import json
from typing import Annotated, Any

import orjson
import telegram
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from storage.inbox import Arrival

ALLOWED = ("message", "callback_query", "poll", "poll_answer", "my_chat_member")
"""The kinds of updates that the bot asks for."""

DEEPEST = 100
"""Levels of lists and objects that are kept of an update; Telegram's own have about ten."""


_READ_UNDER_A_BUTTON = ("message_id", "date", "chat", "is_topic_message", "message_thread_id")


class UnreadableUpdateError(ValueError):
    """An update that python-telegram-bot can't read, or that holds what no update can."""


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
    return Arrival(update_id, _sender(raw), _write(raw))


def parse(raw: dict[str, Any], bot: telegram.Bot) -> telegram.Update:
    """The update that was stored. Changes what it is given. Raises UnreadableUpdateError."""
    try:
        _fill_in(raw)
        update = telegram.Update.de_json(raw, bot)
    except Exception as error:
        raise UnreadableUpdateError(
            f"python-telegram-bot can't read it ({type(error).__name__}: {error}); "
            f"it needs a server of Bot API {telegram.constants.BOT_API_VERSION} or newer."
        ) from error
    try:
        _Update.model_validate(raw)
    except ValidationError as error:
        (first, *_) = error.errors(include_url=False, include_context=False, include_input=False)
        place = ".".join(map(str, first["loc"]))
        raise UnreadableUpdateError(f"{place} is wrong: {first['msg']}.") from None
    assert update is not None
    return update


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


def _fill_in(raw: dict[str, Any]) -> None:
    """Add what python-telegram-bot 22.8 insists on and servers before Bot API 10.0 leave out.

    Polls are also freed of the single `correct_option_id`, which it has deprecated.
    """
    if isinstance(answer := raw.get("poll_answer"), dict):
        answer.setdefault("option_persistent_ids", [])
    if isinstance(poll := raw.get("poll"), dict):
        _fill_in_poll(poll)
    if isinstance(query := raw.get("callback_query"), dict):
        _slim(query)
    message = raw.get("message")
    while isinstance(message, dict):
        if isinstance(poll := message.get("poll"), dict):
            _fill_in_poll(poll)
        message = message.get("reply_to_message") or message.get("pinned_message")


def _slim(query: dict[str, Any]) -> None:
    """Leave of the message under a pressed button what the bot reads: where it is.

    The rest is our own text, buttons and quoted question, and to make python-telegram-bot's objects
    of them takes longer than to handle the press.
    """
    if isinstance(message := query.get("message"), dict):
        query["message"] = {name: message[name] for name in _READ_UNDER_A_BUTTON if name in message}


def _fill_in_poll(poll: dict[str, Any]) -> None:
    poll.setdefault("allows_revoting", False)
    poll.setdefault("members_only", False)
    if (single := poll.pop("correct_option_id", None)) is not None:
        poll.setdefault("correct_option_ids", [single])
    for position, option in enumerate(poll.get("options") or ()):
        if isinstance(option, dict):
            option.setdefault("persistent_id", str(position))


# What the bot reads of an update: python-telegram-bot looks at no types, and asks for some parts
# only by name.


class _Read(BaseModel):
    model_config = ConfigDict(strict=True)


_Id = Annotated[int, Field(gt=-(2**63), lt=2**63)]


class _User(_Read):
    # 0 and below stand for people without an account of their own.
    id: Annotated[int, Field(gt=0, lt=2**63)]
    is_bot: bool
    first_name: str
    last_name: str | None = None
    language_code: str | None = None


class _Chat(_Read):
    id: _Id
    type: str


class _Message(_Read):
    chat: _Chat
    sender: _User | None = Field(None, alias="from")
    sender_chat: _Chat | None = None
    text: str | None = None
    message_thread_id: _Id | None = None
    is_topic_message: bool | None = None
    migrate_to_chat_id: _Id | None = None


class _Press(_Read):
    id: str
    sender: _User = Field(alias="from")
    message: _Message | None = None
    data: str | None = None


class _Option(_Read):
    text: str


class _Poll(_Read):
    id: str
    question: str
    options: list[_Option]


class _Vote(_Read):
    poll_id: str
    user: _User | None = None
    option_ids: list[_Id]


class _Member(_Read):
    status: str


class _Membership(_Read):
    chat: _Chat
    new_chat_member: _Member


class _Update(_Read):
    message: _Message | None = None
    callback_query: _Press | None = None
    poll: _Poll | None = None
    poll_answer: _Vote | None = None
    my_chat_member: _Membership | None = None
