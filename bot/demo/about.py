"""The methods that set and tell what the bot says about itself."""

import re
from collections.abc import Callable
from typing import Any

from bot.demo.chats import Change
from bot.demo.entities import Text, tidy
from bot.demo.parameters import Parameters
from bot.demo.profile import Scope, in_language
from bot.demo.refusals import RefusedError, bad_request
from bot.demo.targets import find_chat
from bot.demo.telegram import LocalTelegram

MAX_COMMANDS = 100
MAX_COMMAND = 32
MAX_COMMAND_DESCRIPTION = 256
MAX_NAME = 64
MAX_DESCRIPTION = 512
MAX_SHORT_DESCRIPTION = 120

# Telegram's words for these are published nowhere: they are guesses.
TOO_MANY_COMMANDS = "BOT_COMMANDS_TOO_MUCH"
TOO_LONG = "bot {what} is too long"

Method = Callable[[LocalTelegram, Parameters], Any]
_COMMAND = re.compile(r"[a-z0-9_]+")
_LANGUAGE = re.compile(r"(?:[a-z]{2})?")
_CANNOT_SET = {
    "can_join_groups": True,
    "can_read_all_group_messages": False,
    "supports_inline_queries": False,
    "supports_guest_queries": False,
    "can_connect_to_business": False,
    "has_main_web_app": False,
    "has_topics_enabled": False,
    "allows_users_to_create_topics": False,
    "can_manage_bots": False,
}


def get_me(telegram: LocalTelegram, parameters: Parameters) -> dict[str, Any]:
    """getMe."""
    return telegram.bot.json | _CANNOT_SET


def set_my_commands(telegram: LocalTelegram, parameters: Parameters) -> bool:
    """setMyCommands: the list of one scope and one language."""
    try:
        commands = parameters.json("commands")
    except ValueError:
        raise bad_request("can't parse commands JSON object") from None
    if not isinstance(commands, list):
        raise bad_request("expected an Array of BotCommand")
    pairs = [_pair(command) for command in commands]
    key = (_scope(telegram, parameters), _language(parameters))
    checked = [_checked_command(*pair) for pair in pairs]
    if len(checked) > MAX_COMMANDS:
        raise bad_request(TOO_MANY_COMMANDS)
    telegram.profile.commands[key] = checked
    telegram.tell(Change("profile"))
    return True


def get_my_commands(telegram: LocalTelegram, parameters: Parameters) -> list[dict[str, str]]:
    """getMyCommands: just what was set for this scope and language."""
    key = (_scope(telegram, parameters), _language(parameters))
    return telegram.profile.commands.get(key, [])


def delete_my_commands(telegram: LocalTelegram, parameters: Parameters) -> bool:
    """deleteMyCommands."""
    key = (_scope(telegram, parameters), _language(parameters))
    telegram.profile.commands.pop(key, None)
    telegram.tell(Change("profile"))
    return True


def setter(what: str, most: int) -> Method:
    """setMyName, setMyDescription or setMyShortDescription; an empty text removes it."""

    def set_text(telegram: LocalTelegram, parameters: Parameters) -> bool:
        language = _language(parameters)
        text = tidy(Text(parameters.text(what)), find=False).plain
        if len(text) > most:
            raise bad_request(TOO_LONG.format(what=what.replace("_", " ")))
        texts = _texts(telegram, what)
        if text:
            texts[language] = text
        else:
            texts.pop(language, None)
        telegram.tell(Change("profile"))
        return True

    return set_text


def getter(what: str) -> Method:
    """getMyName, getMyDescription or getMyShortDescription."""

    def get_text(telegram: LocalTelegram, parameters: Parameters) -> dict[str, str]:
        default = telegram.bot.first_name if what == "name" else ""
        found = in_language(_texts(telegram, what), _language(parameters), default)
        return {what: found}

    return get_text


def _texts(telegram: LocalTelegram, what: str) -> dict[str, str]:
    return {
        "name": telegram.profile.names,
        "description": telegram.profile.descriptions,
        "short_description": telegram.profile.short_descriptions,
    }[what]


def _language(parameters: Parameters) -> str:
    language = parameters.text("language_code")
    if not _LANGUAGE.fullmatch(language):
        raise bad_request("invalid language code specified")
    return language


def _pair(command: Any) -> tuple[str, str]:
    if not isinstance(command, dict):
        raise bad_request("can't parse BotCommand: expected an Object")
    for name in ("command", "description"):
        if name not in command:
            raise bad_request(f"can't parse BotCommand: Can't find field \"{name}\"")
        if not isinstance(command[name], str):
            raise bad_request(f'can\'t parse BotCommand: Field "{name}" must be of type String')
    return command["command"], command["description"]


def _checked_command(raw_command: str, raw_description: str) -> dict[str, str]:
    command = tidy(Text(raw_command), find=False).plain.removeprefix("/")
    description = tidy(Text(raw_description), find=False).plain
    if not command:
        raise bad_request("command must be non-empty")
    if len(command) > MAX_COMMAND:
        raise bad_request(f"command length must not exceed {MAX_COMMAND}")
    if not description:
        raise bad_request("command description must be non-empty")
    if len(description) > MAX_COMMAND_DESCRIPTION:
        raise bad_request(f"command description length must not exceed {MAX_COMMAND_DESCRIPTION}")
    if not _COMMAND.fullmatch(command):
        raise bad_request("BOT_COMMAND_INVALID")
    return {"command": command, "description": description}


def _scope(telegram: LocalTelegram, parameters: Parameters) -> Scope:
    if not parameters.text("scope"):
        return ("default", 0, 0)
    try:
        scope = parameters.json("scope")
    except ValueError:
        raise bad_request("can't parse BotCommandScope JSON object") from None
    if not isinstance(scope, dict):
        raise _wrong_scope("BotCommandScope must be an Object")
    match scope.get("type"):
        case "default" | "all_private_chats" | "all_group_chats" | "all_chat_administrators":
            return (scope["type"], 0, 0)
        case "chat" | "chat_administrators" | "chat_member":
            return _scope_of_chat(telegram, scope)
        case None:
            raise _wrong_scope('Can\'t find field "type"')
    raise _wrong_scope("Unsupported type specified")


def _scope_of_chat(telegram: LocalTelegram, scope: dict[str, Any]) -> Scope:
    kind = str(scope["type"])
    if "chat_id" not in scope:
        raise _wrong_scope('Can\'t find field "chat_id"')
    if kind == "chat_member" and "user_id" not in scope:
        raise _wrong_scope('Can\'t find field "user_id"')
    user_id = str(scope["user_id"]) if kind == "chat_member" else "0"
    if kind == "chat_member" and not (user_id.isdecimal() and int(user_id) > 0):
        raise _wrong_scope("Invalid user_id specified")
    chat = find_chat(telegram, str(scope["chat_id"]))
    if chat.kind == "private" and kind != "chat":
        raise bad_request("can't use specified scope in private chats")
    return (kind, chat.id, int(user_id))


def _wrong_scope(detail: str) -> RefusedError:
    return bad_request(f"can't parse BotCommandScope: {detail}")
