"""From the inbox to decisions: each update takes effect whole or not at all."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import orjson

from bot import router
from bot.activity import Activity, Alarm, Bell
from bot.clock import Clock
from bot.handlers import counting, data
from bot.transport import BotApi
from bot.turn import Hint, NotYetError, World
from bot.updates import UnreadableUpdateError, parse
from storage.agenda import Item
from storage.database import Database, is_trouble
from storage.inbox import Row
from storage.outbox import Letter
from storage.store import Store

BATCH = 20
"""Rows that share a transaction, each in a savepoint of its own."""

TRIES = 3
"""How often a row is tried before it is set aside."""

TROUBLE_SECONDS = 1.0
"""The pause after trouble of the database itself."""

RELEASE = "release"
"""The agenda's word for letting what was deferred be tried again."""

SCRUB = data.SCRUB

HOUSEKEEPING = "housekeeping"
HOUSEKEEPING_EVERY = timedelta(hours=1)

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Decided:
    """What a transaction led to, to be acted on once it is committed."""

    handled: int = 0
    letters: list[Letter] = field(default_factory=list)
    hints: list[Hint] = field(default_factory=list)
    scrub: bool = False
    """Whether deleted data are to be cleared out of the database's log."""


class Worker:
    """Handles rows one at a time, in order. Handlers never wait, so one at a time is fast."""

    def __init__(
        self,
        database: Database,
        world: World,
        api: BotApi,
        clock: Clock,
        activity: Activity,
        send: Callable[[Iterable[Letter]], None],
        hint: Callable[[Hint], None],
    ) -> None:
        """`send` and `hint` are given what was decided, once it is stored."""
        self._database = database
        self._world = world
        self._api = api
        self._clock = clock
        self._send = send
        self._hint = hint
        self._bell = Bell(activity)
        self._alarm = Alarm(self._bell, clock.sleep)
        self._agenda_is_open = False
        self._told: set[str] = set()

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
                log.info("%d updates that were set aside are tried again.", again)
            store.agenda.put(HOUSEKEEPING, 0, self._clock.now() + HOUSEKEEPING_EVERY)

        await self._database.transaction(take_up)
        self.wake()

    async def run(self) -> None:
        """Handle what comes in until cancelled."""
        while True:
            await self._bell.wait()
            while await self._step():
                pass
            await self._set_alarm()

    def end(self) -> None:
        self._alarm.cancel()

    async def _step(self) -> bool:
        """Handle some rows; whether there may be more."""
        try:
            decided = await self._database.transaction(self._handle)
        except Exception as error:
            if not is_trouble(error):
                raise
            log.error("The database can't be used (%s); trying again.", error)
            await self._clock.sleep(TROUBLE_SECONDS)
            return True
        self._send(decided.letters)
        for hint in decided.hints:
            self._hint(hint)
        if decided.scrub and not await self._database.scrub():
            await self._scrub_later()
        return decided.handled > 0

    async def _scrub_later(self) -> None:
        again = self._clock.now() + data.SCRUB_AFTER
        try:
            await self._database.transaction(lambda store: store.agenda.put(SCRUB, 0, again))
        except Exception as error:
            if not is_trouble(error):
                raise
            log.error("What was deleted stays in the database's files: %s", error)

    async def _set_alarm(self) -> None:
        if not self._agenda_is_open:
            return
        due_at = await self._database.transaction(lambda store: store.agenda.next_due_at())
        now = self._clock.now()
        self._alarm.set(None if due_at is None else max(0.0, (due_at - now).total_seconds()))

    def _handle(self, store: Store) -> _Decided:
        """Runs in the database's thread, inside a transaction."""
        now = self._clock.now()
        decided = _Decided()
        if self._agenda_is_open:
            # Behind what waits already: a vote that was cast in time comes before the deadline.
            for item in store.agenda.take_due(now, BATCH):
                store.inbox.add_event("due", _write_item(item), now)
        rows = store.inbox.waiting(BATCH)
        decided.scrub = any(row.kind == "due" and SCRUB in row.body for row in rows)
        for row in rows:
            if hint := self._handle_row(store, row, now):
                decided.hints.append(hint)
        decided.handled = len(rows)
        decided.letters = store.outbox.added
        return decided

    def _handle_row(self, store: Store, row: Row, now: datetime) -> Hint | None:
        if row.lane is not None and store.inbox.is_behind_deferred(row):
            store.inbox.defer(row.id)
            return None
        for attempt in range(1, TRIES + 1):
            try:
                with store.savepoint():
                    hint = self._decide(store, row, now)
                    store.inbox.done(row.id)
                    return hint
            except NotYetError as not_yet:
                store.inbox.defer(row.id)
                if not_yet.at:
                    store.agenda.put(RELEASE, row.id, not_yet.at)
                if not_yet.admins_of:
                    router.ask_admins(store, not_yet.admins_of)
                return None
            except UnreadableUpdateError as error:
                log.error("Update %s is set aside: %s", row.update_id, error)
                self._set_aside(store, row, str(error), now)
                return None
            except Exception as error:
                if is_trouble(error):
                    raise
                log.exception("Update %s failed, try %d of %d.", row.update_id, attempt, TRIES)
                reason = f"{type(error).__name__}: {error}"
        self._set_aside(store, row, reason, now)
        self._apologise(store, row, now)
        return None

    def _decide(self, store: Store, row: Row, now: datetime) -> Hint | None:
        if row.kind == "update":
            update = parse(row.body, self._api)
            return router.take_update(self._world, store, update, row.received_at, now)
        body = orjson.loads(row.body)
        if row.kind == "outcome":
            router.take_outcome(self._world, store, body, now)
        elif body["kind"] == RELEASE:
            store.inbox.release()
        elif body["kind"] == HOUSEKEEPING:
            store.inbox.prune(now)
            store.agenda.put(HOUSEKEEPING, 0, now + HOUSEKEEPING_EVERY)
        elif body["kind"] != SCRUB:
            router.take_due(self._world, store, body["kind"], body["subject"], now)
        return None

    def _set_aside(self, store: Store, row: Row, reason: str, now: datetime) -> None:
        store.inbox.set_aside(row.id, reason)
        if not row.failed_before and reason not in self._told:
            self._told.add(reason)
            what = f"Update {row.update_id}" if row.update_id is not None else f"A {row.kind} row"
            self._world.tell_operators(store, f"{what} could not be handled: {reason}")

    def _apologise(self, store: Store, row: Row, now: datetime) -> None:
        if row.kind != "update" or row.failed_before:
            return
        try:
            with store.savepoint():
                router.apologise(self._world, store, parse(row.body, self._api), now)
        except Exception as error:
            if is_trouble(error):
                raise
            log.exception("The apology for update %s failed.", row.update_id)


def _write_item(item: Item) -> str:
    return orjson.dumps({"kind": item.kind, "subject": item.subject}).decode()
