"""When to ask a question again.

The spacing is FSRS's (github.com/open-spaced-repetition), through its package `fsrs`.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from fsrs import Card, Rating, Scheduler, State

from quizzes.attempt import QuestionRef
from quizzes.days import begins, day_of, in_utc

MASTERED_STABILITY = 21.0
"""Days for which a question must be safe to count as mastered."""
MOST_AT_ONCE = 20
"""Questions that a review asks at most."""

_LONGEST_INTERVAL_DAYS = 365
_SOON = timedelta(minutes=10)

# A wrong answer comes back after ten minutes: the explanation is no longer before the learner's
# eyes, but the learner may still be there. Since that is the only step, a right answer always
# leads to a day or more (two days for a first one): nobody is asked again in one sitting what
# they know. What is known best still comes once a year. No fuzz: it takes its randomness from the
# global source, and it serves to spread the work of thousands of cards, which no learner has here.
_SCHEDULER = Scheduler(
    learning_steps=(_SOON,),
    relearning_steps=(_SOON,),
    maximum_interval=_LONGEST_INTERVAL_DAYS,
    enable_fuzzing=False,
)


class Stage(StrEnum):
    """What the last answer made of a question."""

    LEARNING = "learning"
    """Never known long enough to leave for a day."""
    REVIEW = "review"
    """Answered right, and away for days."""
    RELEARNING = "relearning"
    """Forgotten after it was known."""


_STATES = {
    Stage.LEARNING: State.Learning,
    Stage.REVIEW: State.Review,
    Stage.RELEARNING: State.Relearning,
}
_STAGES = {state: stage for stage, state in _STATES.items()}


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known of one learner and one question that they have answered.

    Moments are aware and in whole milliseconds. Raises ValueError for naive ones.
    """

    due: datetime
    stability: float
    """Days until the chance of a right answer has sunk to 90 %."""
    difficulty: float
    """From 1 to 10."""
    last_review: datetime
    stage: Stage
    answers: int
    right: int
    lapses: int
    """How often the question was forgotten after it was known."""

    def __post_init__(self) -> None:
        in_utc(self.due)
        in_utc(self.last_review)

    def overdue(self, now: datetime) -> float:
        """The time since it was due, in intervals: 0.5 is half as long again as was planned."""
        return (in_utc(now) - self.due) / (self.due - self.last_review)


@dataclass(frozen=True, slots=True)
class Review:
    """One answer as a review log keeps it, so that FSRS can be fitted to the learners later.

    What stands before the answer is None for a question that was never answered.
    """

    moment: datetime
    rating: int
    """As FSRS counts: 1 is again, 3 is good."""
    stage: Stage | None
    """Before the answer."""
    stability: float | None
    """Before the answer."""
    difficulty: float | None
    """Before the answer."""
    elapsed: timedelta | None
    """Since the answer before."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """How many questions come when; each is counted once, those after the week nowhere."""

    now: int
    """Due already."""
    today: int
    """Later on the learner's own day."""
    tomorrow: int
    this_week: int
    """On the five days after tomorrow."""
    next_at: datetime | None
    """When the next one that is not due yet will be; None where nothing comes."""


def review(memory: Memory | None, right: bool, now: datetime) -> tuple[Memory, Review]:
    """What an answer makes of a memory (None: the first answer), and the entry for the log.

    Raises ValueError for a naive moment.
    """
    moment = _whole_milliseconds(in_utc(now))
    if memory is not None:
        # The machine's clock may have been set back since.
        moment = max(moment, memory.last_review)
    rating = Rating.Good if right else Rating.Again
    card, _ = _SCHEDULER.review_card(_card(memory, moment), rating, moment)
    return _remembered(card, memory, right, moment), _entry(memory, rating, moment)


def is_mastered(memory: Memory) -> bool:
    """Whether the question is safe for three weeks at least."""
    return memory.stability >= MASTERED_STABILITY


def due_order(
    memories: Mapping[QuestionRef, Memory], now: datetime, most: int = MOST_AT_ONCE
) -> tuple[QuestionRef, ...]:
    """The questions that are due, most overdue first, and no more than `most`.

    What counts is the share of its interval by which a question is late: a day is much for one
    that was to come after ten minutes, and little for one that was to come after a year. Ties go
    by name.
    """
    now = in_utc(now)
    due = [(-memory.overdue(now), ref) for ref, memory in memories.items() if memory.due <= now]
    return tuple(ref for _, ref in sorted(due)[:most])


def when_due(memories: Mapping[QuestionRef, Memory], now: datetime, zone: str) -> Forecast:
    """How many questions come now, later today, tomorrow and in the rest of the seven days.

    Days are the learner's own. Raises UnknownZoneError.
    """
    now = in_utc(now)
    today = day_of(now, zone)
    dues = sorted(memory.due for memory in memories.values())
    so_far = bisect_right(dues, now)
    by_today, by_tomorrow, by_week = (
        bisect_left(dues, begins(today + timedelta(days=days), zone)) for days in (1, 2, 7)
    )
    return Forecast(
        now=so_far,
        today=by_today - so_far,
        tomorrow=by_tomorrow - by_today,
        this_week=by_week - by_tomorrow,
        next_at=dues[so_far] if so_far < len(dues) else None,
    )


def _card(memory: Memory | None, now: datetime) -> Card:
    # Without an id and a due moment, Card would take both from the system's clock.
    if memory is None:
        return Card(card_id=0, due=now)
    return Card(
        card_id=0,
        state=_STATES[memory.stage],
        step=None if memory.stage is Stage.REVIEW else 0,
        stability=memory.stability,
        difficulty=memory.difficulty,
        due=memory.due,
        last_review=memory.last_review,
    )


def _remembered(card: Card, before: Memory | None, right: bool, now: datetime) -> Memory:
    assert card.stability is not None
    assert card.difficulty is not None
    forgotten = before is not None and before.stage is Stage.REVIEW and not right
    return Memory(
        due=card.due,
        stability=card.stability,
        difficulty=card.difficulty,
        last_review=now,
        stage=_STAGES[card.state],
        answers=(before.answers if before else 0) + 1,
        right=(before.right if before else 0) + right,
        lapses=(before.lapses if before else 0) + forgotten,
    )


def _entry(before: Memory | None, rating: Rating, now: datetime) -> Review:
    return Review(
        moment=now,
        rating=rating.value,
        stage=before.stage if before else None,
        stability=before.stability if before else None,
        difficulty=before.difficulty if before else None,
        elapsed=now - before.last_review if before else None,
    )


def _whole_milliseconds(moment: datetime) -> datetime:
    """What storage keeps of a moment, so that a memory read back is the same."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
