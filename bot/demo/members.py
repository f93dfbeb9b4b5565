"""The methods that tell about chats and who is in them."""

from typing import Any

from bot.demo.parameters import Parameters
from bot.demo.refusals import bad_request
from bot.demo.roles import INSIDE, is_administrator, member_json, permissions_json
from bot.demo.targets import find_chat
from bot.demo.telegram import LocalTelegram


def get_chat(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """getChat."""
    chat = find_chat(telegram, parameters.text("chat_id"))
    gifts = (
        "unlimited_gifts",
        "limited_gifts",
        "unique_gifts",
        "premium_subscription",
        "gifts_from_channels",
    )
    permissions = {} if chat.kind == "private" else {"permissions": permissions_json(chat)}
    return (
        chat.json
        | permissions
        | {
            "accent_color_id": 0,
            "max_reaction_count": 11,
            "accepted_gift_types": dict.fromkeys(gifts, False),
        }
    )


def get_chat_member(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """getChatMember."""
    user_id = parameters.integer("user_id")
    chat = find_chat(telegram, parameters.text("chat_id"))
    if user_id <= 0:
        raise bad_request("invalid user_id specified")
    person = telegram.bot if user_id == telegram.bot.id else telegram.people.get(user_id)
    if person is None:
        raise bad_request("user not found")
    if chat.kind == "private" and person not in (telegram.bot, chat.person):
        raise bad_request("member not found")
    return member_json(chat, person)


def get_chat_administrators(telegram: LocalTelegram, parameters: Parameters) -> list[Any]:
    """getChatAdministrators. Other bots among them are named only if `return_bots` asks so."""
    chat = find_chat(telegram, parameters.text("chat_id"))
    if chat.kind == "private":
        raise bad_request("there are no administrators in the private chat")
    is_named = parameters.boolean("return_bots")
    known = telegram.people | {telegram.bot.id: telegram.bot}
    return [
        member_json(chat, person)
        for person in (known[person_id] for person_id in chat.statuses)
        if is_administrator(chat, person)
        and (is_named or not person.is_bot or person is telegram.bot)
    ]


def get_chat_member_count(telegram: LocalTelegram, parameters: Parameters) -> int:
    """getChatMemberCount."""
    chat = find_chat(telegram, parameters.text("chat_id"))
    if chat.kind == "private":
        return 2
    return sum(status in INSIDE for status in chat.statuses.values())
