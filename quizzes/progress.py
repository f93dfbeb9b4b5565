"""From what a learner did to the numbers of /stats: accuracy, mastery, streak."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal

from quizzes.attempt import QuestionRef
from quizzes.days import day_of, in_utc
from quizzes.quiz import Quiz
from quizzes.schedule import Memory, is_mastered

Trend = Literal["up", "down", "level"]

WEEK = timedelta(days=7)
STREAK_GRACE = timedelta(hours=36)
"""How long a streak outlives its last answer, even where a flight skips a whole date."""
TREND_ANSWERS = 10
"""Answers that each of two periods needs for a trend."""
TREND_POINTS = 10
"""Percentage points by which the accuracy must differ; less is level."""
RANKED_ANSWERS = 5
"""Answers that a quiz needs to be called strongest or weakest."""
HARD_ANSWERS = 3
"""Answers that a question needs to be called hard."""
MOST_HARD = 5
WEEKS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Tally:
    """How many answers were given, and how many of them were right."""

    answers: int = 0
    right: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.answers + other.answers, self.right + other.right)

    @property
    def accuracy(self) -> float | None:
        """The share of right answers, 0 to 1; None without answers."""
        return self.right / self.answers if self.answers else None


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row on which the learner answered."""

    length: int
    best: int
    last_day: date
    """The last day that counted."""
    last_active: datetime
    """The last answer, aware."""


@dataclass(frozen=True, slots=True)
class Record:
    """All that a learner's numbers come from: what storage keeps up to date with each answer.

    It grows with days and questions, never with answers, so neither does the cost of /stats.
    The day of an answer is told when it is given, in the learner's zone at that time, and stays.
    """

    days: Mapping[date, Tally]
    """One row a day with answers (`day_of`); the last `WEEKS_SHOWN` weeks are enough."""
    memories: Mapping[QuestionRef, Memory]
    """One row a question ever answered, also where it has left the bank (`schedule.review`)."""
    streak: Streak | None
    """One row a learner, None before the first answer (`extend`)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a learner stands in one quiz."""

    quiz_id: str
    tally: Tally
    """All answers, those to questions that have left the bank included."""
    mastered: int
    """Of the questions that are in the bank now."""
    questions: int
    """In the bank now."""

    @property
    def mastery(self) -> float:
        """The share of the quiz's questions that are mastered, 0 to 1."""
        return self.mastered / self.questions


@dataclass(frozen=True, slots=True)
class Week:
    """One week of the learner's own: it begins on Monday at 04:00."""

    monday: date
    tally: Tally


@dataclass(frozen=True, slots=True)
class Progress:
    """The numbers of /stats."""

    total: Tally
    today: Tally
    trend: Trend | None
    """The last seven days, today included, against the seven before."""
    streak: int
    """0 where it has broken."""
    best_streak: int
    standings: tuple[Standing, ...]
    """The quizzes that were begun and are in the bank, in the bank's order."""
    strongest: Standing | None
    weakest: Standing | None
    hardest: tuple[QuestionRef, ...]
    weeks: tuple[Week, ...]
    """The last ones, oldest first, the running one last; also those without answers."""


def progress_of(record: Record, bank: Iterable[Quiz], now: datetime, zone: str) -> Progress:
    """A learner's numbers at a moment, with the quizzes that are in the bank now.

    Raises UnknownZoneError.
    """
    today = day_of(now, zone)
    quizzes = tuple(bank)
    standings = standings_of(record.memories, quizzes)
    strongest, weakest = extremes(standings)
    return Progress(
        total=_total(_tally(memory) for memory in record.memories.values()),
        today=record.days.get(today, Tally()),
        trend=trend(
            period(record.days, today - 2 * WEEK, WEEK), period(record.days, today - WEEK, WEEK)
        ),
        streak=length_now(record.streak, now, zone),
        best_streak=record.streak.best if record.streak else 0,
        standings=standings,
        strongest=strongest,
        weakest=weakest,
        hardest=hardest(record.memories, quizzes),
        weeks=weeks(record.days, today),
    )


def extend(streak: Streak | None, moment: datetime, zone: str) -> Streak:
    """The streak after an answer at a moment, where the learner is at that time.

    A day counts once. The streak goes on with the next day, or when no more than 36 hours have
    passed since the last answer. Raises UnknownZoneError.
    """
    day = day_of(moment, zone)
    if streak is None:
        return Streak(1, 1, day, in_utc(moment))
    if moment <= streak.last_active:
        return streak
    if day <= streak.last_day:  # the same day again, also after a flight to the west
        return replace(streak, last_active=in_utc(moment))
    length = streak.length + 1 if _goes_on(streak, moment, day) else 1
    return Streak(length, max(length, streak.best), day, in_utc(moment))


def is_alive(streak: Streak, now: datetime, zone: str) -> bool:
    """Whether an answer now would make the streak longer, or already has today."""
    return _goes_on(streak, now, day_of(now, zone))


def at_risk(streak: Streak, now: datetime, zone: str) -> bool:
    """Whether the streak is alive, but the learner has not answered today."""
    day = day_of(now, zone)
    return day > streak.last_day and _goes_on(streak, now, day)


def length_now(streak: Streak | None, now: datetime, zone: str) -> int:
    """How long the streak is: 0 where it has broken or never begun."""
    return streak.length if streak and is_alive(streak, now, zone) else 0


def _goes_on(streak: Streak, moment: datetime, day: date) -> bool:
    next_day = streak.last_day + timedelta(days=1)
    return day <= next_day or in_utc(moment) - streak.last_active <= STREAK_GRACE


def period(days: Mapping[date, Tally], after: date, length: timedelta) -> Tally:
    """What was answered in the days after a day, of which there are so many."""
    return _total(tally for day, tally in days.items() if after < day <= after + length)


def trend(before: Tally, now: Tally) -> Trend | None:
    """Whether the accuracy has risen or sunk by 10 points or more; None with too few answers."""
    if min(before.answers, now.answers) < TREND_ANSWERS:
        return None
    # In whole numbers: as floats, 70 % less 60 % is under 10 points.
    gain = 100 * (now.right * before.answers - before.right * now.answers)
    enough = TREND_POINTS * now.answers * before.answers
    return "up" if gain >= enough else "down" if -gain >= enough else "level"


def weeks(days: Mapping[date, Tally], today: date, many: int = WEEKS_SHOWN) -> tuple[Week, ...]:
    """So many weeks up to the one that holds today, oldest first."""
    this_monday = today - timedelta(days=today.weekday())
    mondays = (this_monday - back * WEEK for back in reversed(range(many)))
    eve = timedelta(days=1)
    return tuple(Week(monday, period(days, monday - eve, WEEK)) for monday in mondays)


def standings_of(
    memories: Mapping[QuestionRef, Memory], bank: Iterable[Quiz]
) -> tuple[Standing, ...]:
    """How the learner stands in each quiz of the bank that has an answer, in the bank's order."""
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for ref, memory in memories.items():
        tallies[ref.quiz_id] += _tally(memory)
    return tuple(
        Standing(quiz.id, tallies[quiz.id], _mastered(memories, quiz), len(quiz.questions))
        for quiz in bank
        if quiz.id in tallies
    )


def extremes(standings: Iterable[Standing]) -> tuple[Standing | None, Standing | None]:
    """The quizzes with the highest and the lowest accuracy, of those with 5 answers or more.

    Of equals, the one with more answers. Both are None where no two quizzes differ.
    """
    ranked = [standing for standing in standings if standing.tally.answers >= RANKED_ANSWERS]
    if len({standing.tally.accuracy for standing in ranked}) < 2:
        return None, None

    def rank(standing: Standing, sign: int) -> tuple[float, int, str]:
        tally = standing.tally
        return sign * tally.right / tally.answers, -tally.answers, standing.quiz_id

    return min(ranked, key=lambda one: rank(one, -1)), min(ranked, key=lambda one: rank(one, 1))


def hardest(
    memories: Mapping[QuestionRef, Memory], bank: Iterable[Quiz], most: int = MOST_HARD
) -> tuple[QuestionRef, ...]:
    """The questions in the bank with the lowest accuracy, hardest first, no more than `most`.

    They have 3 answers or more, a wrong one among them, and are not mastered by now. Of equals,
    first the one that was forgotten more often, then by name.
    """
    hard = []
    for ref in (QuestionRef(quiz.id, question.id) for quiz in bank for question in quiz.questions):
        memory = memories.get(ref)
        if memory is None or memory.answers < HARD_ANSWERS or memory.right == memory.answers:
            continue
        if not is_mastered(memory):
            hard.append((memory.right / memory.answers, -memory.lapses, ref))
    return tuple(ref for _, _, ref in sorted(hard)[:most])


def _tally(memory: Memory) -> Tally:
    return Tally(memory.answers, memory.right)


def _total(tallies: Iterable[Tally]) -> Tally:
    return sum(tallies, Tally())


def _mastered(memories: Mapping[QuestionRef, Memory], quiz: Quiz) -> int:
    known = (memories.get(QuestionRef(quiz.id, question.id)) for question in quiz.questions)
    return sum(memory is not None and is_mastered(memory) for memory in known)
