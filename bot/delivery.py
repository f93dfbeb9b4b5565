"""From the outbox to Telegram: order within a chat, priorities, flood limits, retries, doubt."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    RetryAfter,
    TelegramError,
)

from bot import backoff, logs
from bot.activity import Activity, Alarm, Bell
from bot.admins import ASK_ADMINS
from bot.clock import Clock
from bot.enclosures import enclose
from bot.flood import FloodLimits
from bot.hints import Hints
from bot.lanes import Lanes
from bot.messages import reply_parameters
from bot.metrics import Metrics
from bot.outcomes import (
    REPEATABLE,
    Delivered,
    Doubtful,
    Later,
    Lost,
    Migrated,
    Outcome,
    Refused,
    TakenBack,
    is_sent_again,
    pause_after_doubt,
    record,
)
from bot.transport import BotApi, NotSentError, ResponseLostError
from storage.database import Database
from storage.outbox import Letter
from storage.store import Store

GRACE_SECONDS = 3.0
"""How long an ending process waits for answers under way, rather than leave a doubtful question."""

LAST_WORDS_SECONDS = 1.0
"""How long an ending process waits for the database, which another may have locked."""

TRIES_OF_A_COURTESY = 2
"""How often closing a poll is tried while Telegram fails: what follows it must not wait."""

# What stopPoll says of a poll that has closed by itself, on newer and on older servers.
_ALREADY_CLOSED = ("poll can't be stopped", "poll has already been closed")

# 400s that say of a chat what a 403 would: it can't be written to.
_GONE = ("chat not found", "user not found", "peer_id_invalid")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Step:
    news: bool
    """Whether the worker has something to do."""
    claimed: set[int]
    message_ids: dict[int, int | None]
    """The messages that letters stop, edit or reply to, by letter."""


class Delivery:
    """Sends what was decided, in parallel across chats and strictly in order within one."""

    def __init__(
        self,
        database: Database,
        api: BotApi,
        clock: Clock,
        activity: Activity,
        metrics: Metrics,
        limits: FloodLimits,
        news: Callable[[], None],
    ) -> None:
        """`news` is called when an outcome gives the worker something to do."""
        self._database = database
        self._api = api
        self._clock = clock
        self._activity = activity
        self._metrics = metrics
        self.hints = Hints(api, activity, metrics)
        self._lanes = Lanes(limits)
        self._news = news
        self._bell = Bell(activity)
        self._alarm = Alarm(self._bell, clock.sleep)
        self._finished: list[tuple[Letter, Outcome]] = []
        self._sending: set[asyncio.Task[None]] = set()
        self._failures: dict[int, int] = {}
        self._in_trouble = False
        self._ending = False
        self._returned = asyncio.Event()

    async def recover(self) -> None:
        """Take up what an earlier process left: what it was sending has an unknown fate."""

        def left(store: Store) -> list[Letter]:
            for letter in store.outbox.in_flight():
                record(store, letter, Doubtful(), self._clock.now())
            return store.outbox.waiting()

        letters = await self._database.insist(left)
        self.accept(letters)
        for letter in letters:
            wait = (letter.not_before - self._clock.now()).total_seconds()
            if wait > 0:
                self._lanes.pause(letter.chat_id, self._clock.monotonic() + wait)

    def accept(self, letters: Iterable[Letter]) -> None:
        """Send these letters, which are stored in the outbox."""
        for letter in letters:
            self._lanes.add(letter)
            self._metrics.decided(letter.id)
            self._bell.ring()

    async def run(self) -> None:
        """Send until `end` is called, which waits for this to return."""
        try:
            while not self._ending:
                await self._bell.wait()
                await self._step()
                self._alarm.set(self._lanes.next_change(self._clock.monotonic()))
        finally:
            self._returned.set()

    async def end(self) -> None:
        """Send nothing new, and record what is under way if it is answered in time."""
        self._ending = True
        self._bell.ring()
        began = self._clock.monotonic()
        # Not cancelled: a step may have marked letters that it has not sent yet.
        await self._within(LAST_WORDS_SECONDS, self._returned.wait())
        if self._sending:
            left = GRACE_SECONDS - (self._clock.monotonic() - began)
            await self._within(left, asyncio.wait(self._sending))
        await self.abandon()
        await self._within(LAST_WORDS_SECONDS, self._step())

    async def abandon(self) -> None:
        """Drop everything that is under way."""
        self._ending = True
        self._alarm.cancel()
        for task in self._sending:
            task.cancel()
        await asyncio.gather(self.hints.abandon(), *self._sending, return_exceptions=True)

    async def _within(self, seconds: float, waiting: Awaitable[object]) -> None:
        try:
            async with self._clock.timeout(seconds):
                await waiting
        except TimeoutError:
            log.warning("Stopping now: some messages may have an unknown fate.")

    async def _step(self) -> None:
        """Record what was finished and mark what goes next, in one transaction."""
        finished, self._finished = self._finished, []
        now = self._clock.monotonic()
        moved = {}
        for letter, outcome in finished:
            match outcome:
                case Later(seconds):
                    self._lanes.again(letter, now + seconds)
                case Doubtful() if is_sent_again(letter):
                    again = now + pause_after_doubt(letter)
                    self._lanes.again(replace(letter, doubts=letter.doubts + 1), again)
                case Migrated(new_chat_id) if letter.method != ASK_ADMINS:
                    self._lanes.again(letter, now)
                    moved[letter.chat_id] = new_chat_id
                case _:
                    self._lanes.done(letter.chat_id)
                    self._metrics.settled(letter.id)
        for chat_id, new_chat_id in moved.items():
            self._lanes.move(chat_id, new_chat_id)
        ready = [] if self._ending else list(self._lanes.take(now))
        if not finished and not ready:
            return
        moment = self._clock.now()

        def record_and_claim(store: Store) -> _Step:
            news = [record(store, letter, outcome, moment) for letter, outcome in finished]
            if any(letter.method == "sendPoll" for letter, _ in finished):
                # A vote may have waited for what is known now.
                news.append(store.inbox.release())
            lost = store.lost_chats.among(letter.chat_id for letter in ready)
            for letter in ready:
                if letter.chat_id in lost:
                    store.outbox.remove(letter.id)
            claimed = store.outbox.claim((letter.id for letter in ready), moment)
            return _Step(any(news), claimed, {one.id: _message_id(store, one) for one in ready})

        # What Telegram did can't be undone: it must be stored, however long that takes.
        step = await self._database.insist(record_and_claim)
        if step.news:
            self._news()
        for letter in ready:
            message_id = step.message_ids.get(letter.id)
            params = _addressed(letter, message_id) if letter.id in step.claimed else None
            if params is None:
                self._finish(letter, TakenBack())
            else:
                self._start(letter, params)

    def _start(self, letter: Letter, params: dict[str, Any]) -> None:
        task = self._activity.start(self._send(letter, params))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send(self, letter: Letter, params: dict[str, Any]) -> None:
        # What Telegram is asked for its admins goes by no lane of the chat's own.
        chat_id = letter.chat_id or params["chat_id"]
        began = self._clock.monotonic()
        with logs.about(chat=chat_id, method=letter.method):
            outcome = await self._attempt(letter, params)
            result = type(outcome).__name__.lower()
            ms = logs.ms(self._clock.monotonic() - began)
            log.debug("Called.", extra={"result": result, "ms": ms})
        self._metrics.sent(letter.method, result)
        self._finish(letter, outcome)

    def _finish(self, letter: Letter, outcome: Outcome) -> None:
        if not isinstance(outcome, Later):
            self._failures.pop(letter.id, None)
        self._finished.append((letter, outcome))
        self._bell.ring()

    async def _attempt(self, letter: Letter, params: dict[str, Any]) -> Outcome:
        try:
            enclosed = await enclose(params)
        except Exception:
            # Of our own making, so that it would fail again; what follows must not wait for it.
            log.exception("What goes with a %s can't be made: it is left out.", letter.method)
            return Refused("it can't be made")
        try:
            result = await self._api.call(letter.method, enclosed)
        except RetryAfter as error:
            delay = backoff.seconds_asked_for(error)
            self._metrics.asked_for_silence()
            log.warning("Telegram asks for %s s of silence in this chat.", delay)
            return Later(delay)
        except ChatMigrated as error:
            if not isinstance(error.new_chat_id, int) or error.new_chat_id == letter.chat_id:
                return _refusal(letter, error.message)
            return Migrated(error.new_chat_id)
        except Forbidden as error:
            if letter.method == ASK_ADMINS:
                return Refused(error.message)
            log.info("This chat is lost: %s", error.message)
            return Lost(error.message)
        except BadRequest as error:
            return _refusal(letter, error.message)
        except ResponseLostError:
            if letter.method in REPEATABLE:
                return Later(self._backoff(letter))
            log.warning("No answer to %s: its fate is unknown.", letter.method)
            return Doubtful()
        except NotSentError as error:
            self._note_trouble(error.message)
            return Later(self._backoff(letter))
        except InvalidToken as error:
            log.error("Telegram refuses %s: %s", letter.method, error.message)
            return Later(backoff.LAST_SECONDS)
        except TelegramError as error:
            self._note_trouble(f"Telegram fails at {letter.method} ({error.message})")
            wait = self._backoff(letter)
            if letter.method == "stopPoll" and self._failures[letter.id] > TRIES_OF_A_COURTESY:
                return Refused("given up")
            return Later(wait)
        self._note_trouble(None)
        if not _says_where(letter, result):
            log.error("The answer to %s does not say what was sent.", letter.method)
            return Doubtful()
        return Delivered(result)

    def _backoff(self, letter: Letter) -> float:
        failures = self._failures[letter.id] = self._failures.get(letter.id, 0) + 1
        return backoff.seconds_after(failures)

    def _note_trouble(self, trouble: str | None) -> None:
        """One log line when Telegram is out of reach or fails, one when it is back."""
        if trouble and not self._in_trouble:
            log.warning("%s; what is to be said waits.", trouble)
        elif self._in_trouble and not trouble:
            log.info("Telegram is back.")
        self._in_trouble = trouble is not None


def _refusal(letter: Letter, reason: str) -> Outcome:
    if letter.method == "stopPoll" and reason.lower().endswith(_ALREADY_CLOSED):
        return Delivered(None)
    if letter.method == "editMessageText" and reason.lower().startswith("message is not modified"):
        return Delivered(None)
    if reason.lower().startswith(_GONE) and letter.method != ASK_ADMINS:
        log.info("This chat is lost: %s", reason)
        return Lost(reason)
    log.error("Telegram refuses %s: %s", letter.method, reason)
    return Refused(reason)


def _says_where(letter: Letter, result: Any) -> bool:
    """Whether an answer has what must be known of a poll to go on with it."""
    match result:
        case {"message_id": int(), "poll": {"id": str()}}:
            return True
    return letter.method != "sendPoll"


def _message_id(store: Store, letter: Letter) -> int | None:
    """The message that a letter stops, edits or replies to, where it is known."""
    if letter.method == "editMessageText":
        return store.named_messages.message_id(letter.message_name or "")
    if letter.poll_id is None or letter.method == "sendPoll":
        return None
    return store.polls.message_ids([letter.poll_id]).get(letter.poll_id)


def _addressed(letter: Letter, message_id: int | None) -> dict[str, Any] | None:
    """The parameters with the message that they refer to; None when it can't be referred to."""
    match letter.method:
        case "stopPoll" | "editMessageText" if message_id is None:
            return None
        case "stopPoll" | "editMessageText":
            return letter.params | {"message_id": message_id}
        case "sendMessage" if message_id is not None:
            return letter.params | {"reply_parameters": reply_parameters(message_id)}
    return letter.params
