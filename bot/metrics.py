"""Figures of the running bot, for Prometheus to read at /metrics."""

import math
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from bot.clock import Clock
from bot.updates import ALLOWED
from storage.answers import Given
from storage.inbox import Backlog

NAMES = "quiz_tutor"
"""What all names begin with."""

OTHER = "other"
"""The kind of an update that the bot has not asked for."""

# From what nobody notices to what everybody does.
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_SHORT_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1)


@dataclass(slots=True)
class Effects:
    """What a transaction of the worker did, to be counted once it is committed."""

    updates: list[tuple[str, float, datetime]] = field(default_factory=list)
    """The kind of each, the seconds of work, and when it had come."""
    answers: list[Given] = field(default_factory=list)


class Metrics:
    """Counts since the start, of one bot: several in a process don't mix."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._letters: dict[int, float] = {}
        self._registry = registry = CollectorRegistry()
        updates = Counter(
            f"{NAMES}_updates",
            "Updates that were handled, by their kind; a repeated one counts once, and what only "
            "tells how a known poll stands not at all.",
            ["kind"],
            registry=registry,
        )
        # Finding a counter by its labels costs more than counting.
        self._updates = {kind: updates.labels(kind) for kind in (*ALLOWED, OTHER)}
        answers = Counter(
            f"{NAMES}_answers",
            "Answers that count, in private chats and in groups' rounds.",
            ["chat", "result"],
            registry=registry,
        )
        self._answers = {
            Given(in_round=in_round, right=right): answers.labels(
                "group" if in_round else "private", "right" if right else "wrong"
            )
            for in_round in (False, True)
            for right in (False, True)
        }
        sends = Counter(
            f"{NAMES}_sends",
            "Calls by which the bot says something, by what became of them: delivered, refused, "
            "doubtful (nobody knows), lost (the chat is closed to the bot), migrated, later (it is "
            "tried again), dropped (the notice after a pressed button, which is not).",
            ["method", "outcome"],
            registry=registry,
        )
        self._sends = cache(sends.labels)
        self._floods = Counter(
            f"{NAMES}_flood_waits",
            "Times that Telegram asked for silence in a chat (429).",
            registry=registry,
        )
        self._decision = Histogram(
            f"{NAMES}_decision_seconds",
            "From an update's arrival in the inbox to all that it leads to being stored.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._handling = Histogram(
            f"{NAMES}_handling_seconds",
            "The work of one update, without its wait and without the commit.",
            buckets=_SHORT_SECONDS,
            registry=registry,
        )
        Gauge(
            f"{NAMES}_outbox_letters",
            "Messages that were decided and are not delivered yet.",
            registry=registry,
        ).set_function(lambda: len(self._letters))
        Gauge(
            f"{NAMES}_outbox_oldest_seconds",
            "The age of the oldest of them, since the start at most; 0 without any.",
            registry=registry,
        ).set_function(self._oldest_seconds)
        self._inbox = Gauge(
            f"{NAMES}_inbox_rows",
            "Updates and events that are not done: they wait their turn, are deferred until "
            "something on its way is known, or were set aside, as they could not be handled. NaN "
            "while the database does not answer.",
            ["state"],
            registry=registry,
        )

    def count(self, effects: Effects) -> None:
        """Count what was committed."""
        now = self._clock.now()
        for kind, seconds, came_at in effects.updates:
            self._updates[kind].inc()
            self._handling.observe(seconds)
            self._decision.observe(max(0.0, (now - came_at).total_seconds()))
        for given in effects.answers:
            self._answers[given].inc()

    def decided(self, letter_id: int) -> None:
        """A message is to be delivered."""
        self._letters[letter_id] = self._clock.monotonic()

    def settled(self, letter_id: int) -> None:
        """A message need not be delivered any more."""
        self._letters.pop(letter_id, None)

    def sent(self, method: str, outcome: str) -> None:
        """A call ended."""
        self._sends(method, outcome).inc()

    def asked_for_silence(self) -> None:
        """Telegram answered with a 429."""
        self._floods.inc()

    def page(self, backlog: Backlog | None) -> bytes:
        """All figures in Prometheus' text format; without the inbox's where they are unknown."""
        for state in fields(Backlog):
            rows = getattr(backlog, state.name) if backlog else math.nan
            self._inbox.labels(state.name).set(rows)
        return generate_latest(self._registry)

    def _oldest_seconds(self) -> float:
        # Kept in the order in which they were decided.
        oldest = next(iter(self._letters.values()), None)
        return 0.0 if oldest is None else self._clock.monotonic() - oldest
