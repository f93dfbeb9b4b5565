"""A chat's own command menu: it is in the language that was chosen, not in the client's."""

from hashlib import sha256

import orjson

from bot.messages import menu
from bot.turn import Turn


def give(turn: Turn, language: str) -> None:
    """Set the chat's command menu in this language."""
    wanted = _menu(turn, language)
    scope = {"type": "chat", "chat_id": turn.chat_id}
    turn.call("setMyCommands", {"commands": wanted, "scope": scope})
    turn.store.notes.put(_note(turn), _fingerprint(wanted))


def renew(turn: Turn) -> None:
    """Set it anew where its commands or their texts have changed: nobody but we can do it."""
    chosen = turn.group.language if turn.group else turn.learner.language
    if chosen and turn.store.notes.get(_note(turn)) != _fingerprint(_menu(turn, chosen)):
        give(turn, chosen)


def _menu(turn: Turn, language: str) -> list[dict[str, str]]:
    words = turn.world.texts.words(language)
    return menu(words, turn.commands, in_group=turn.group is not None)


def _fingerprint(commands: list[dict[str, str]]) -> str:
    return sha256(orjson.dumps(commands)).hexdigest()[:16]


def _note(turn: Turn) -> str:
    return f"menu {turn.chat_id}"
