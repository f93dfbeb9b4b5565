"""What becomes of a letter, and what of that is stored and told to the worker."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson

from bot import backoff
from bot.admins import ASK_ADMINS, admins_known
from bot.handlers.answers import DOUBT, DOUBT_WAIT
from bot.handlers.questions import CLOSE
from storage.outbox import Letter
from storage.polls import Poll
from storage.store import Store

DOUBTS_WITH_BUTTONS = 4
"""How often a text with buttons is sent again when nobody knows whether it arrived."""

REPEATABLE = frozenset({"stopPoll", "setMyCommands", "editMessageText", ASK_ADMINS})
"""Methods that may be called twice to the same effect."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Delivered:
    """Telegram has it."""

    result: Any


@dataclass(frozen=True, slots=True)
class Doubtful:
    """It went out, and nobody knows whether Telegram has it."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Telegram won't take it, now or ever."""

    reason: str


@dataclass(frozen=True, slots=True)
class Lost:
    """Telegram lets us write to this chat no more."""

    reason: str


@dataclass(frozen=True, slots=True)
class Migrated:
    """The chat goes by another id."""

    new_chat_id: int


@dataclass(frozen=True, slots=True)
class Later:
    """Telegram does not have it and will take it later."""

    seconds: float


@dataclass(frozen=True, slots=True)
class TakenBack:
    """It need not go any more."""


Outcome = Delivered | Doubtful | Refused | Lost | Migrated | Later | TakenBack


def record(store: Store, letter: Letter, outcome: Outcome, now: datetime) -> bool:
    """Store what became of a letter; whether that gives the worker something to do."""
    news = False
    match outcome:
        case Later(seconds):
            store.outbox.put_back(letter.id, not_before=now + timedelta(seconds=seconds))
        case Doubtful() if letter.method == "sendPoll" and _is_closed(store, letter):
            # Nobody waits for a vote in it, which must not be taken for one in a poll like it.
            store.outbox.remove(letter.id)
        case Doubtful() if letter.method == "sendPoll":
            store.outbox.doubt(letter.id)
            _start_clock(store, letter, now)
            news = True
        case Doubtful() if is_sent_again(letter):
            not_before = now + timedelta(seconds=pause_after_doubt(letter))
            store.outbox.put_back(letter.id, doubted=True, not_before=not_before)
        case Doubtful():
            where = {"chat": letter.chat_id}
            log.error("%s is given up: its fate is unknown again.", letter.method, extra=where)
            store.outbox.remove(letter.id)
        case Migrated(new_chat_id) if letter.method == ASK_ADMINS:
            # What waits for the answer is about the chat by its old id, which has no admins now.
            store.outbox.remove(letter.id)
            store.move_chat(letter.params["chat_id"], new_chat_id)
            news = admins_known(store, letter, (), now)
        case Migrated(new_chat_id):
            store.outbox.put_back(letter.id)
            store.move_chat(letter.chat_id, new_chat_id)
        case Lost(reason):
            store.outbox.remove(letter.id)
            store.outbox.remove_chat(letter.chat_id)
            store.lost_chats.add(letter.chat_id, reason, now)
            if letter.chat_id < 0:
                _tell_worker(store, {"lost_chat": letter.chat_id, "reason": reason}, now)
                news = True
        case TakenBack():
            store.outbox.remove(letter.id)
        case Refused(reason):
            store.outbox.remove(letter.id)
            if letter.method == ASK_ADMINS:
                news = admins_known(store, letter, (), now)
            elif letter.method == "sendPoll":
                _tell_worker(store, {"refused_poll": letter.poll_id, "reason": reason}, now)
                news = True
            elif letter.chat_id < 0 and letter.method == "sendMessage":
                thread_id = letter.params.get("message_thread_id")
                refused = {"refused_chat": letter.chat_id, "thread_id": thread_id}
                _tell_worker(store, {**refused, "reason": reason}, now)
                news = True
        case Delivered(result):
            store.outbox.remove(letter.id)
            news = _record_result(store, letter, result, now)
    return news


def _record_result(store: Store, letter: Letter, result: Any, now: datetime) -> bool:
    """Store what Telegram answered; whether that gives the worker something to do."""
    match letter.method:
        case "sendPoll":
            assert letter.poll_id is not None
            store.polls.asked(letter.poll_id, result["poll"]["id"], result["message_id"], now)
            # In a private chat nothing is due for a question that has arrived.
            return letter.chat_id < 0 and _start_clock(store, letter, now)
        case "sendMessage" if letter.message_name and "message_id" in result:
            store.named_messages.put(letter.message_name, letter.chat_id, result["message_id"])
        case "stopPoll":
            poll = _poll_of(store, letter)
            if poll and poll.round_id:
                voters = result["total_voter_count"] if result else None
                _tell_worker(store, {"stopped_poll": poll.id, "voters": voters}, now)
                return True
        case method if method == ASK_ADMINS:
            admins = (member["user"]["id"] for member in result)
            return admins_known(store, letter, admins, now)
    return False


def _start_clock(store: Store, letter: Letter, now: datetime) -> bool:
    """Put on the agenda what is due for a question that is, or may be, in the chat."""
    poll = _poll_of(store, letter)
    assert poll is not None
    if poll.closed:  # it was given up while it was on its way
        return False
    if poll.open_seconds:
        store.agenda.put(CLOSE, poll.id, now + timedelta(seconds=poll.open_seconds))
        return True
    if poll.telegram_id is None:
        store.agenda.put(DOUBT, poll.id, now + DOUBT_WAIT)
        return True
    return False


def _is_closed(store: Store, letter: Letter) -> bool:
    """Whether the poll that a letter sends takes no more votes."""
    poll = _poll_of(store, letter)
    return poll is not None and poll.closed


def _poll_of(store: Store, letter: Letter) -> Poll | None:
    """The poll that a letter sends, stops or replies to."""
    return store.polls.find(letter.poll_id or 0)


def _tell_worker(store: Store, event: dict[str, Any], now: datetime) -> None:
    store.inbox.add_event("outcome", orjson.dumps(event).decode(), now)


def is_sent_again(letter: Letter) -> bool:
    """Whether a letter of unknown fate goes out once more.

    Never a question; a text once, and one with buttons a few times: without them a learner may
    not know how to go on, and a text that is there twice does no harm.
    """
    if letter.method in REPEATABLE:
        return True
    most = DOUBTS_WITH_BUTTONS if "reply_markup" in letter.params else 1
    return letter.method != "sendPoll" and letter.doubts < most


def pause_after_doubt(letter: Letter) -> float:
    """Seconds: what broke a connection is often over in a moment, and sometimes not."""
    return backoff.FIRST_SECONDS * 5.0**letter.doubts
