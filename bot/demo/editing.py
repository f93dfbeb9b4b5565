"""The methods that change what stands in a chat, and that answer pressed buttons."""

import re
from typing import Any

from bot.demo.chats import CALLBACK_SECONDS, CallbackAnswer, Change, Message
from bot.demo.entities import Text, tidy
from bot.demo.keyboards import Rows, check_buttons, read_keyboard
from bot.demo.parameters import Parameters
from bot.demo.refusals import bad_request
from bot.demo.roles import is_administrator
from bot.demo.sending import CAPTION_TOO_LONG, MAX_CAPTION, MAX_TEXT, formatted
from bot.demo.targets import find_message
from bot.demo.telegram import LocalTelegram

MAX_ALERT = 200
_OWN_LINK = r"(?:https?://)?t(?:elegram)?\.me/{}\?start=[\w-]{{0,64}}"
SECONDS_TO_DELETE = 48 * 3600
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly "
    "the same as a current content and reply markup of the message"
)


def edit_message_text(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """editMessageText. A keyboard that is not sent again is taken away."""
    if not parameters.text("text"):
        raise bad_request("message text is empty")
    raw = formatted(parameters, "text")
    keyboard = read_keyboard(parameters, inline_only=True)
    message = _own_message(telegram, parameters)
    if message.poll is not None or message.file is not None:
        raise bad_request("there is no text in the message to edit")
    content = tidy(raw)
    if not content.plain:
        raise bad_request("text must be non-empty")
    if len(content.plain) > MAX_TEXT:
        raise bad_request("MESSAGE_TOO_LONG")
    return _edit(telegram, message, content, keyboard)


def edit_message_caption(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """editMessageCaption. An empty caption takes it away."""
    raw = formatted(parameters, "caption", entities="caption_entities")
    keyboard = read_keyboard(parameters, inline_only=True)
    message = _own_message(telegram, parameters)
    if message.file is None:
        raise bad_request("there is no caption in the message to edit")
    content = tidy(raw)
    if len(content.plain) > MAX_CAPTION:
        raise bad_request(CAPTION_TOO_LONG)
    return _edit(telegram, message, content, keyboard)


def edit_message_reply_markup(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """editMessageReplyMarkup."""
    keyboard = read_keyboard(parameters, inline_only=True)
    message = _own_message(telegram, parameters)
    return _edit(telegram, message, message.content, keyboard)


def delete_message(telegram: LocalTelegram, parameters: Parameters) -> bool:
    """deleteMessage."""
    if not parameters.text("chat_id"):
        raise bad_request("chat identifier is not specified")
    if parameters.integer("message_id") == 0:
        raise bad_request("message identifier is not specified")
    message = find_message(telegram, parameters, "to delete")
    chat = message.chat
    is_admin = is_administrator(chat, telegram.bot)
    if message.sender is not telegram.bot and chat.kind != "private" and not is_admin:
        raise bad_request("message can't be deleted")
    if telegram.now - message.sent_at > SECONDS_TO_DELETE and not is_admin:
        raise bad_request("message can't be deleted for everyone")
    del chat.shown[message.id]
    telegram.tell(Change("deleted", chat.id, message))
    return True


def stop_poll(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """stopPoll."""
    keyboard = read_keyboard(parameters, inline_only=True)
    message = find_message(telegram, parameters, "with poll to stop")
    if message.poll is None:
        raise bad_request("message is not a poll")
    if message.poll.is_closed or message.sender is not telegram.bot:
        raise bad_request("poll can't be stopped")
    check_buttons(keyboard)
    message.keyboard = keyboard
    telegram.stop_poll(message)
    return message.poll.full_json


def answer_callback_query(telegram: LocalTelegram, parameters: Parameters) -> bool:
    """answerCallbackQuery. A second answer replaces the first; `url` may only start the bot."""
    query = telegram.callbacks.get(parameters.text("callback_query_id"))
    age = telegram.clock.monotonic() - query.pressed_at if query is not None else 0
    if query is None or age > CALLBACK_SECONDS:
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    text = parameters.text("text")
    if len(text) > MAX_ALERT:
        raise bad_request("MESSAGE_TOO_LONG")
    url = parameters.text("url")
    if url and not re.fullmatch(_OWN_LINK.format(telegram.bot.username), url, re.IGNORECASE):
        raise bad_request("URL_INVALID")
    answer = CallbackAnswer(text, parameters.boolean("show_alert"), url)
    telegram.answer_callback(query, answer)
    return True


def _own_message(telegram: LocalTelegram, parameters: Parameters) -> Message:
    if not parameters.text("chat_id") or parameters.integer("message_id") == 0:
        raise bad_request("message identifier is not specified")
    message = find_message(telegram, parameters, "to edit")
    if message.sender is not telegram.bot or message.forwarded_from is not None:
        raise bad_request("message can't be edited")
    return message


def _edit(
    telegram: LocalTelegram, message: Message, content: Text, keyboard: Rows | None
) -> dict[str, Any]:
    check_buttons(keyboard)
    if (content, keyboard) == (message.content, message.keyboard):
        raise bad_request(NOT_MODIFIED)
    if content != message.content:
        message.edited_at = telegram.now
    message.content, message.keyboard = content, keyboard
    telegram.tell(Change("edited", message.chat.id, message))
    return message.json
