"""How much is said where more is asked than Telegram lets the bot say.

A chat takes a message a second, so that a thousand commands at once would be answered for a
quarter of an hour. These are the rules instead:

- Votes count, always. One in an ended attempt gets its line only while few answers wait.
- While as many answers wait in a chat as `ENOUGH` says, further commands and talk are passed over.
  In private one line says so; a pressed button gets an alert. In a group there is no line.
- Who may steer the round that runs in a group is heard for twice as long, so that nobody can
  drown out `/stop`.
- A command in a group that was sent before `STALE` (the bot was off) gets no answer, since whoever
  sent it waits no more: no lobby opens in which nobody is. Only what changes something that lasts
  still does so. A stored press of a group's button is passed over alike.
- In private whatever was sent meanwhile is handled, within the same bounds.
"""

import logging
from datetime import datetime, timedelta

from bot import messages
from bot.turn import NotYetError, Turn

ENOUGH = 10
"""Answers that wait in a chat when it has asked for enough; starting a quiz takes three."""

STALE = timedelta(minutes=15)
"""After so long a command in a group has no answer; a lobby closes by itself after as long."""

KEPT = timedelta(hours=25)
"""Telegram keeps updates for 24 hours (Bot API, "Getting updates"): what seems older only bears a
date that is wrong, as does our clock or a server's that is not Telegram's."""

STEERING = frozenset({"stop", "skip", "pause"})
"""Commands for who opened the round, and for admins."""

_LASTING = STEERING | {"language"}
"""Commands in a group that change something which still matters when they are late."""

log = logging.getLogger(__name__)


def is_too_fast(turn: Turn, command: str = "") -> bool:
    """Whether a chat has asked for as much as can be said for now."""
    most = 2 * ENOUGH if command in STEERING and _steers(turn) else ENOUGH
    return turn.store.outbox.answers_waiting(turn.chat_id) >= most


def slow_down(turn: Turn) -> None:
    """Say that something was passed over, unless that is about to be said already."""
    for params in messages.say(turn.words("too-fast")).as_params():
        turn.store.outbox.add_once(turn.chat_id, "sendMessage", {"chat_id": turn.chat_id, **params})


def is_stale(sent_at: datetime, now: datetime, command: str = "") -> bool:
    """Whether something in a group comes too late to be answered."""
    age = now - sent_at
    if not STALE <= age <= KEPT or command in _LASTING:
        return False
    log.info("What a group sent %d minutes ago is not answered.", age.total_seconds() // 60)
    return True


def _steers(turn: Turn) -> bool:
    current = turn.store.rounds.running(turn.chat_id, turn.thread_id)
    try:
        return current is not None and turn.may_steer(current)
    except NotYetError:
        return False  # whoever floods a chat is not worth a question to Telegram
