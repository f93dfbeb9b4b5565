"""Which chat and which message a request means, and whether the bot may write there."""

from bot.demo.chats import Chat, Message
from bot.demo.parameters import Parameters
from bot.demo.refusals import RefusedError, bad_request, forbidden
from bot.demo.roles import is_administrator, may
from bot.demo.telegram import LocalTelegram

RIGHTS = {
    "text messages": "can_send_messages",
    "polls": "can_send_polls",
    "photos": "can_send_photos",
    "documents": "can_send_documents",
}
"""What Telegram calls the things that it denies, and the permissions for them."""


def find_chat(telegram: LocalTelegram, chat_id: str) -> Chat:
    """A chat that the bot knows of and has not left."""
    if not chat_id:
        raise bad_request("chat_id is empty")
    chat = named_chat(telegram, chat_id)
    if chat is None:
        raise bad_request("chat not found")
    if chat.person is not None:
        if not chat.knows_bot and not _has_met(telegram, chat.id):
            raise bad_request("chat not found")
        return chat
    status = chat.statuses.get(telegram.bot.id, "left")
    if chat.upgraded_to is not None:
        raise RefusedError(
            400,
            "Bad Request: group chat was upgraded to a supergroup chat",
            {"migrate_to_chat_id": chat.upgraded_to},
        )
    if status == "kicked":
        raise forbidden(f"bot was kicked from the {chat.kind} chat")
    if status == "left":
        raise forbidden(f"bot is not a member of the {chat.kind} chat")
    return chat


def named_chat(telegram: LocalTelegram, chat_id: str) -> Chat | None:
    """The chat of this id, known to the bot or not; no chat goes by a name here."""
    is_number = chat_id.removeprefix("-").isdecimal()
    return telegram.chats.get(int(chat_id)) if is_number else None


def check_reachable(chat: Chat) -> None:
    """What only Telegram's own servers know: whether a person wants to hear from the bot."""
    if chat.person is None:
        return
    if chat.person.has_blocked_bot:
        raise forbidden("bot was blocked by the user")
    if not chat.knows_bot:
        raise forbidden("bot can't initiate conversation with a user")


def check_right(telegram: LocalTelegram, chat: Chat, what: str) -> None:
    """Whether the bot may send texts, polls ... to a group; `what` is a key of RIGHTS."""
    if chat.person is None and not may(chat, telegram.bot, RIGHTS[what]):
        raise bad_request(f"not enough rights to send {what} to the chat")


def check_open(telegram: LocalTelegram, chat: Chat, thread_id: int | None) -> None:
    """Whether the bot may write in a topic; only Telegram's own servers know."""
    if thread_id in chat.closed_topics and not is_administrator(chat, telegram.bot):
        raise bad_request("TOPIC_CLOSED")


def find_thread(chat: Chat, parameters: Parameters) -> int | None:
    """The topic to write in; the General topic has no number."""
    thread_id = parameters.integer("message_thread_id")
    if thread_id == 0:
        return None
    if thread_id not in chat.topics:
        raise bad_request("message thread not found")
    return thread_id


def find_message(telegram: LocalTelegram, parameters: Parameters, purpose: str) -> Message:
    """The message to edit, delete ...; `purpose` is how Telegram's refusal goes on."""
    chat = find_chat(telegram, parameters.text("chat_id"))
    message = chat.shown.get(parameters.integer("message_id"))
    if message is None:
        raise bad_request(f"message {purpose} not found")
    return message


def find_reply(chat: Chat, parameters: Parameters) -> Message | None:
    """The message that is replied to; None without one, or where it may be missing."""
    message_id, may_be_missing = _reply_parameters(parameters)
    if message_id == 0:
        return None
    message = chat.shown.get(message_id)
    if message is None and not may_be_missing:
        raise bad_request("message to be replied not found")
    return message


def _reply_parameters(parameters: Parameters) -> tuple[int, bool]:
    if not parameters.text("reply_parameters"):
        may_be_missing = parameters.boolean("allow_sending_without_reply")
        return parameters.integer("reply_to_message_id"), may_be_missing
    try:
        reply = parameters.json("reply_parameters")
    except ValueError:
        raise bad_request("can't parse reply parameters JSON object") from None
    if not isinstance(reply, dict):
        raise bad_request("object expected as reply parameters")
    message_id = reply.get("message_id", 0)
    if not str(message_id).isdecimal():
        raise bad_request('Field "message_id" must be a valid Number')
    return int(message_id), reply.get("allow_sending_without_reply") is True


def _has_met(telegram: LocalTelegram, person_id: int) -> bool:
    return any(person_id in chat.statuses for chat in telegram.chats.values())
