"""One chat's run through a quiz: lobby, questions, pauses, results.

lobby ── start ──► asking ── all voted, deadline, skip ──► closing ── reveal ──► between
                     ▲                                                             │
                     ├───────────────── next question ◄────────────────────────────┤
                     └── resume ── paused ◄── two silent questions, /pause ────────┤
                                                                 last question ────► ended
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from quizzes.attempt import QuestionRef

Status = Literal["lobby", "asking", "closing", "between", "paused", "ended"]

SECONDS_OFFERED = (10, 20, 30, 60)
"""Seconds a question that a lobby offers."""

SHORT_ROUND = 5
"""How many questions a short round has."""

SILENT_QUESTIONS = 2
"""After so many questions in a row without a vote a round pauses."""

MESSAGES_A_MINUTE = 18
"""What the planner plans with, of the 20 messages a minute that Telegram takes in a group."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round as it stands."""

    id: int
    chat_id: int
    thread_id: int | None
    quiz_id: str
    language: str
    opener_id: int
    """Who opened it; 0 for an admin who stays anonymous."""
    status: Status
    seconds: int
    """Time for a question."""
    questions: tuple[QuestionRef, ...]
    """All that it asks, in their order."""
    asked: int
    """How many of them were revealed."""
    silent: int
    """How many in a row, up to the last, had no vote."""
    pause_wanted: bool

    @property
    def current(self) -> QuestionRef | None:
        """The question that is asked, or comes next; None after the last."""
        return self.questions[self.asked] if self.asked < len(self.questions) else None

    @property
    def place(self) -> str:
        """Which question of how many is asked, as in 3/8."""
        return f"{self.asked + 1}/{len(self.questions)}"


def after_reveal(current: Round) -> Status:
    """What follows a reveal that is counted already: the next question, a pause, or the end."""
    if current.current is None:
        return "ended"
    if current.pause_wanted or current.silent >= SILENT_QUESTIONS:
        return "paused"
    return "between"


def everybody_voted(joined: Collection[int], voters: Collection[int]) -> bool:
    """Whether all who joined have voted; somebody must have joined."""
    return bool(joined) and set(joined) <= set(voters)


def seconds_between_questions(messages_each: int, rounds_in_chat: int) -> float:
    """The least time from one question to the next that keeps a chat within Telegram's limit."""
    return 60.0 * messages_each * max(1, rounds_in_chat) / MESSAGES_A_MINUTE


@dataclass(frozen=True, slots=True)
class Vote:
    """A learner's answer to one question of a round."""

    learner_id: int
    question: QuestionRef
    right: bool
    seconds: float
    """From the poll being sent to the vote being stored."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A learner's place in a round."""

    place: int
    """From 1; who has the same answers and time shares it."""
    learner_id: int
    right: int
    seconds: float
    """The sum over the right answers."""


def ranking(votes: Iterable[Vote]) -> list[Standing]:
    """Everybody who voted, by right answers, then by the sum of the times of right answers."""
    totals: dict[int, tuple[int, int]] = {}
    for vote in votes:
        right, milliseconds = totals.get(vote.learner_id, (0, 0))
        if vote.right:
            right, milliseconds = right + 1, milliseconds + round(vote.seconds * 1000)
        totals[vote.learner_id] = right, milliseconds
    ordered = sorted(totals, key=lambda one: (-totals[one][0], totals[one][1], one))
    standings: list[Standing] = []
    for position, learner_id in enumerate(ordered, 1):
        right, milliseconds = totals[learner_id]
        shares = position > 1 and totals[ordered[position - 2]] == totals[learner_id]
        place = standings[-1].place if shares else position
        standings.append(Standing(place, learner_id, right, milliseconds / 1000))
    return standings


def hardest(votes: Iterable[Vote], questions: Sequence[QuestionRef]) -> QuestionRef | None:
    """The question with the smallest share of right answers; None when none was missed."""
    given: dict[QuestionRef, list[bool]] = {}
    for vote in votes:
        given.setdefault(vote.question, []).append(vote.right)
    shares: Mapping[QuestionRef, float] = {
        question: sum(answers) / len(answers) for question, answers in given.items()
    }
    missed = [question for question in questions if shares.get(question, 1.0) < 1.0]
    return min(missed, key=lambda question: shares[question], default=None)


def fastest(votes: Iterable[Vote]) -> Vote | None:
    """The quickest right answer to a question."""
    right = [vote for vote in votes if vote.right]
    return min(right, key=lambda vote: (vote.seconds, vote.learner_id), default=None)
