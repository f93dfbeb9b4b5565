"""sendMessage and sendChatAction, and what all methods share that put a message into a chat."""

from dataclasses import dataclass
from typing import Any

from telegram.constants import ChatAction

from bot.demo.chats import Change, Chat, Message
from bot.demo.entities import EMPTY, Text, read_entities, read_text, tidy
from bot.demo.files import File
from bot.demo.keyboards import Rows, check_buttons, read_keyboard
from bot.demo.parameters import Parameters
from bot.demo.polls import Poll
from bot.demo.refusals import bad_request
from bot.demo.targets import (
    check_open,
    check_reachable,
    check_right,
    find_chat,
    find_reply,
    find_thread,
)
from bot.demo.telegram import LocalTelegram

MAX_TEXT = 4096
MAX_CAPTION = 1024
CAPTION_TOO_LONG = "message caption is too long"

ACTIONS = frozenset(action.value for action in ChatAction) | {
    "cancel",
    "record_audio",
    "upload_audio",
    "pick_up_location",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message goes, and the buttons under it."""

    chat: Chat
    thread_id: int | None
    reply_to: Message | None
    keyboard: Rows | None
    is_protected: bool


def find_place(telegram: LocalTelegram, parameters: Parameters) -> Place:
    """Where a request wants its message; what is checked before the message itself."""
    keyboard = read_keyboard(parameters)
    chat = find_chat(telegram, parameters.text("chat_id"))
    thread_id = find_thread(chat, parameters)
    reply_to = find_reply(chat, parameters)
    if thread_id is None and reply_to is not None:
        thread_id = reply_to.thread_id
    return Place(
        chat,
        thread_id,
        reply_to,
        keyboard,
        parameters.boolean("protect_content"),
    )


def check_place(telegram: LocalTelegram, place: Place, what: str) -> None:
    """What is checked after the message itself: whether the bot may send `what` there."""
    check_right(telegram, place.chat, what)
    check_buttons(place.keyboard)
    check_reachable(place.chat)
    check_open(telegram, place.chat, place.thread_id)


def post(
    telegram: LocalTelegram,
    place: Place,
    *,
    content: Text = EMPTY,
    poll: Poll | None = None,
    file: File | None = None,
) -> dict[str, Any]:
    """Show the bot's message after all checks; what is refused is not counted as sent."""
    telegram.flood.admit(place.chat)
    message = telegram.post(
        place.chat,
        telegram.bot,
        content=content,
        poll=poll,
        file=file,
        keyboard=place.keyboard,
        reply_to=place.reply_to,
        thread_id=place.thread_id,
        is_protected=place.is_protected,
    )
    return message.json


def send_message(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """sendMessage."""
    if not parameters.text("text"):
        raise bad_request("message text is empty")
    raw = formatted(parameters, "text")
    place = find_place(telegram, parameters)
    content = tidy(raw)
    if not content.plain:
        raise bad_request("text must be non-empty")
    if len(content.plain) > MAX_TEXT:
        raise bad_request("message is too long")
    check_place(telegram, place, "text messages")
    return post(telegram, place, content=content)


def send_chat_action(telegram: LocalTelegram, parameters: Parameters) -> bool:
    """sendChatAction."""
    action = parameters.text("action").lower()
    chat = find_chat(telegram, parameters.text("chat_id"))
    find_thread(chat, parameters)
    if action not in ACTIONS:
        raise bad_request("wrong parameter action in request")
    check_reachable(chat)
    telegram.tell(Change("action", chat.id))
    return True


def formatted(parameters: Parameters, name: str, prefix: str = "", *, entities: str = "") -> Text:
    """A text parameter with its parse mode or its entities."""
    return read_text(
        parameters.text(name),
        parameters.text(f"{prefix}parse_mode"),
        read_entities(parameters.text(entities or f"{prefix}entities")),
    )
