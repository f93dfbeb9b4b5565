"""Updates as Telegram sends them, made readable for python-telegram-bot."""

import logging
from typing import Any

import orjson
import telegram

from storage.inbox import Arrival

ALLOWED = ("message", "callback_query", "poll", "poll_answer", "my_chat_member")
"""The kinds of updates that the bot asks for."""

log = logging.getLogger(__name__)


class UnreadableUpdateError(ValueError):
    """An update that python-telegram-bot can't read."""


def arrival(raw: object) -> Arrival | None:
    """A raw update, ready to be stored; None for what is no update at all."""
    if not isinstance(raw, dict) or not isinstance(update_id := raw.get("update_id"), int):
        return None
    if not 0 <= update_id < 2**63:
        return None
    return Arrival(update_id, _sender(raw), orjson.dumps(raw).decode())


def parse(body: str, bot: telegram.Bot) -> telegram.Update:
    """The update that was stored as this JSON. Raises UnreadableUpdateError."""
    raw = orjson.loads(body)
    try:
        _fill_in(raw)
        update = telegram.Update.de_json(raw, bot)
    except Exception as error:
        raise UnreadableUpdateError(
            f"python-telegram-bot can't read it ({type(error).__name__}: {error}); "
            f"it needs a server of Bot API {telegram.constants.BOT_API_VERSION} or newer."
        ) from error
    assert update is not None
    return update


def _sender(raw: dict[str, Any]) -> int | None:
    """The id of the person an update comes from."""
    for kind, name in (("message", "from"), ("callback_query", "from"), ("poll_answer", "user")):
        event = raw.get(kind)
        person = event.get(name) if isinstance(event, dict) else None
        sender = person.get("id") if isinstance(person, dict) else None
        if isinstance(sender, int) and abs(sender) < 2**63:
            return sender
    return None


def _fill_in(raw: dict[str, Any]) -> None:
    """Add what python-telegram-bot 22.8 insists on and servers before Bot API 10.0 leave out.

    Polls are also freed of the single `correct_option_id`, which it has deprecated.
    """
    if isinstance(answer := raw.get("poll_answer"), dict):
        answer.setdefault("option_persistent_ids", [])
    if isinstance(poll := raw.get("poll"), dict):
        _fill_in_poll(poll)
    holders = [raw.get("message")]
    if isinstance(query := raw.get("callback_query"), dict):
        holders.append(query.get("message"))
    for message in holders:
        while isinstance(message, dict):
            if isinstance(poll := message.get("poll"), dict):
                _fill_in_poll(poll)
            message = message.get("reply_to_message") or message.get("pinned_message")


def _fill_in_poll(poll: dict[str, Any]) -> None:
    poll.setdefault("allows_revoting", False)
    poll.setdefault("members_only", False)
    if (single := poll.pop("correct_option_id", None)) is not None:
        poll.setdefault("correct_option_ids", [single])
    for position, option in enumerate(poll.get("options") or ()):
        if isinstance(option, dict):
            option.setdefault("persistent_id", str(position))
