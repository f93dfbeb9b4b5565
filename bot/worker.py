"""From the inbox to decisions: each update takes effect whole or not at all."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

import orjson

from bot import logs, router
from bot.activity import Activity, Alarm, Bell
from bot.admins import ask_admins
from bot.clock import Clock
from bot.handlers import counting
from bot.handlers.data import SCRUB, SCRUB_AFTER
from bot.housekeeping import AFTER_START, HOUSEKEEPING, tidy
from bot.metrics import OTHER, Effects, Metrics
from bot.turn import Hint, NotYetError, World
from bot.updates import UnreadableUpdateError, kind_of, parse
from storage.agenda import Item
from storage.database import Database
from storage.inbox import Row
from storage.outbox import Letter
from storage.store import Store
from storage.trouble import is_trouble

BATCH = 20
"""Rows that share a transaction. Only when one of them fails has each a savepoint of its own."""

TRIES = 3
"""How often a row is tried before it is set aside."""

LOOK_SECONDS = 20.0
"""The longest sleep: `quiz-tutor failures --retry` changes the inbox without our hearing of it."""

RELEASE = "release"
"""The agenda's word for letting what was deferred be tried again."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Decided:
    """What a transaction led to, to be acted on once it is committed."""

    done: list[int] = field(default_factory=list)
    """The rows that took effect."""
    more: bool = False
    """Whether there may be more to handle at once."""
    next_due_at: datetime | None = None
    letters: list[Letter] = field(default_factory=list)
    hints: list[Hint] = field(default_factory=list)
    effects: Effects = field(default_factory=Effects)
    scrub: bool = False
    """Whether deleted data are to be cleared out of the database's log."""


class _OneFailedError(Exception):
    """A row did not take effect, for whatever reason: nothing of its batch may stay."""


class Worker:
    """Handles rows one at a time, in order. Handlers never wait, so one at a time is fast."""

    def __init__(
        self,
        database: Database,
        world: World,
        clock: Clock,
        activity: Activity,
        metrics: Metrics,
        send: Callable[[Iterable[Letter]], None],
        hint: Callable[[Hint], None],
    ) -> None:
        """`send` and `hint` are given what was decided, once it is stored."""
        self._database = database
        self._world = world
        self._clock = clock
        self._metrics = metrics
        self._send = send
        self._hint = hint
        self._bell = Bell(activity)
        self._alarm = Alarm(self._bell, clock.sleep)
        self._agenda_is_open = False
        self._told: set[str] = set()

    def trouble(self) -> str | None:
        """Why nothing is handled."""
        return "The database can't be used." if self._database.is_in_trouble else None

    def wake(self) -> None:
        """There is something in the inbox or on the agenda."""
        self._bell.ring()

    def open_agenda(self) -> None:
        """From now on what is due is done: votes that were cast in time are stored."""
        if not self._agenda_is_open:
            self._agenda_is_open = True
            self._bell.ring()

    async def recover(self) -> None:
        """Take up what an earlier process left."""

        def take_up(store: Store) -> None:
            counting.count_old(store)
            store.inbox.release()
            if again := store.inbox.retry_failed():
                log.info("What was set aside is tried again: %d.", again)
            store.agenda.put(HOUSEKEEPING, 0, self._clock.now() + AFTER_START)

        await self._database.insist(take_up)
        self.wake()

    async def run(self) -> None:
        """Handle what comes in until cancelled."""
        while True:
            await self._bell.wait()
            while await self._step():
                pass

    def end(self) -> None:
        self._alarm.cancel()

    async def _step(self) -> bool:
        """Handle some rows; whether there may be more."""
        try:
            decided = await self._database.insist(self._handle)
        except _OneFailedError:
            decided = await self._database.insist(lambda store: self._handle(store, apart=True))
        self._metrics.count(decided.effects)
        self._send(decided.letters)
        for hint in decided.hints:
            self._hint(hint)
        if decided.scrub and not await self._database.scrub():
            await self._scrub_later()
            return True
        if not decided.more:
            self._set_alarm(decided.next_due_at)
        return decided.more

    async def _scrub_later(self) -> None:
        again = self._clock.now() + SCRUB_AFTER
        await self._database.insist(lambda store: store.agenda.put(SCRUB, 0, again))

    def _set_alarm(self, due_at: datetime | None) -> None:
        if not self._agenda_is_open:
            return
        seconds = (due_at - self._clock.now()).total_seconds() if due_at else LOOK_SECONDS
        self._alarm.set(min(max(0.0, seconds), LOOK_SECONDS))

    def _handle(self, store: Store, *, apart: bool = False) -> _Decided:
        """Runs in the database's thread, inside a transaction.

        Raises _OneFailedError, unless rows are handled `apart`: then one that fails leaves what
        the others did alone.
        """
        now = self._clock.now()
        decided = _Decided()
        due = store.agenda.take_due(now, BATCH) if self._agenda_is_open else []
        # Behind what waits already: a vote that was cast in time comes before the deadline.
        for item in due:
            store.inbox.add_event("due", _write_item(item), now)
        rows = store.inbox.waiting(BATCH)
        deferred = store.inbox.deferred()
        for row in rows:
            if row.lane is not None and deferred.get(row.lane, row.id) < row.id:
                store.inbox.defer(row.id)
                continue
            with logs.about(update=row.update_id, kind=row.kind, learner=row.lane):
                if not apart:
                    self._handle_among_others(store, row, now, decided)
                elif not self._handle_apart(store, row, now, decided) and row.lane is not None:
                    deferred[row.lane] = row.id
            if store.inbox.has_released:
                break  # what was deferred came first, and is to be handled before the others
        store.inbox.done(decided.done)
        decided.more = BATCH in (len(rows), len(due)) or store.inbox.has_released
        decided.next_due_at = store.agenda.next_due_at()
        decided.letters = store.outbox.added
        decided.effects.answers = store.answers.added
        return decided

    def _handle_among_others(
        self, store: Store, row: Row, now: datetime, decided: _Decided
    ) -> None:
        try:
            self._take_effect(store, row, now, decided)
        except Exception as error:
            if is_trouble(error):
                raise
            raise _OneFailedError from error

    def _handle_apart(self, store: Store, row: Row, now: datetime, decided: _Decided) -> bool:
        """Let a row take effect or set it aside; whether it need not wait."""
        for attempt in range(1, TRIES + 1):
            try:
                with store.savepoint():
                    self._take_effect(store, row, now, decided)
                return True
            except NotYetError as not_yet:
                log.debug("Deferred.")
                store.inbox.defer(row.id)
                if not_yet.at:
                    store.agenda.put(RELEASE, row.id, not_yet.at)
                if not_yet.admins_of:
                    ask_admins(store, not_yet.admins_of)
                return False
            except UnreadableUpdateError as error:
                log.error("%s is set aside: %s", _name(row), error)
                self._set_aside(store, row, str(error), now)
                return True
            except Exception as error:
                if is_trouble(error):
                    raise
                log.exception("%s failed, try %d of %d.", _name(row), attempt, TRIES)
                reason = f"{type(error).__name__}: {error}"
        self._set_aside(store, row, reason, now, TRIES)
        self._apologise(store, row, now)
        return True

    def _take_effect(self, store: Store, row: Row, now: datetime, decided: _Decided) -> None:
        began = self._clock.monotonic()
        kind, hint = self._decide(store, row, now, decided)
        decided.done.append(row.id)
        seconds = self._clock.monotonic() - began
        log.debug("Handled.", extra={"ms": logs.ms(seconds)})
        if row.kind == "update":
            decided.effects.updates.append((kind, seconds, row.received_at))
        if hint:
            decided.hints.append(hint)

    def _decide(
        self, store: Store, row: Row, now: datetime, decided: _Decided
    ) -> tuple[str, Hint | None]:
        """Let a row take effect; its kind, and the answer to a pressed button."""
        body = orjson.loads(row.body)
        if row.kind == "update":
            update = parse(body)
            kind = kind_of(body) or OTHER
            logs.note(kind=kind, chat=update.chat.id if update.chat else None)
            return kind, router.take_update(self._world, store, update, row.received_at, now)
        logs.note(kind=body.get("kind"))
        if row.kind == "outcome":
            router.take_outcome(self._world, store, body, now)
        elif body["kind"] == RELEASE:
            store.inbox.release()
        elif body["kind"] == HOUSEKEEPING:
            tidy(store, now)
        elif body["kind"] == SCRUB:
            decided.scrub = True
        else:
            router.take_due(self._world, store, body["kind"], body["subject"], now)
        return row.kind, None

    def _set_aside(
        self, store: Store, row: Row, reason: str, now: datetime, tries: int = 1
    ) -> None:
        store.inbox.set_aside(row.id, reason, tries)
        if not row.failed_before and reason not in self._told:
            self._told.add(reason)
            self._world.tell_operators(store, f"{_name(row)} could not be handled: {reason}")

    def _apologise(self, store: Store, row: Row, now: datetime) -> None:
        if row.kind != "update" or row.failed_before:
            return
        try:
            with store.savepoint():
                update = parse(orjson.loads(row.body))
                router.apologise(self._world, store, update, now)
        except Exception as error:
            if is_trouble(error):
                raise
            log.exception("The apology for update %s failed.", row.update_id)


def _name(row: Row) -> str:
    return f"Update {row.update_id}" if row.update_id is not None else f"A {row.kind} row"


def _write_item(item: Item) -> str:
    return orjson.dumps({"kind": item.kind, "subject": item.subject}).decode()
