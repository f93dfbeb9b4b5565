"""What a bot tells about itself: commands, name and descriptions, each by language."""

from dataclasses import dataclass, field
from typing import Any

from bot.demo.chats import Chat, Person

Scope = tuple[str, int, int]
"""The kind of a scope, its chat and its user (0 where it has none)."""


@dataclass(slots=True)
class Profile:
    """Everything by language; the empty language is for all others."""

    names: dict[str, str] = field(default_factory=dict)
    descriptions: dict[str, str] = field(default_factory=dict)
    short_descriptions: dict[str, str] = field(default_factory=dict)
    commands: dict[tuple[Scope, str], list[dict[str, str]]] = field(default_factory=dict)

    def menu(self, chat: Chat, person: Person, *, is_admin: bool) -> list[dict[str, str]]:
        """The commands of the narrowest scope that has any, in the person's language first."""
        language = language_of(person)
        for scope in _scopes(chat, person, is_admin=is_admin):
            for code in (language, ""):
                if found := self.commands.get((scope, code)):
                    return found
        return []


def _scopes(chat: Chat, person: Person, *, is_admin: bool) -> list[Scope]:
    if chat.kind == "private":
        return [("chat", chat.id, 0), ("all_private_chats", 0, 0), ("default", 0, 0)]
    for_admins: list[Scope] = [("chat_administrators", chat.id, 0)] if is_admin else []
    for_all_admins: list[Scope] = [("all_chat_administrators", 0, 0)] if is_admin else []
    return [
        ("chat_member", chat.id, person.id),
        *for_admins,
        ("chat", chat.id, 0),
        *for_all_admins,
        ("all_group_chats", 0, 0),
        ("default", 0, 0),
    ]


def language_of(person: Person) -> str:
    """The person's language as a profile keeps its texts by: two letters, or none."""
    return (person.language_code or "")[:2].lower()


def in_language(texts: dict[str, Any], language: str, default: str = "") -> str:
    """The text of this language, or that for all others."""
    return str(texts.get(language) or texts.get("") or default)
