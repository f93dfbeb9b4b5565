"""One learner's run through a quiz, through what was missed, or through what is due."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

Kind = Literal["quiz", "practice", "review"]


class QuestionRef(NamedTuple):
    """Where a question stands. Progress hangs on this, never on texts or positions."""

    quiz_id: str
    question_id: str

    def __str__(self) -> str:
        return f"{self.quiz_id}/{self.question_id}"

    @classmethod
    def parse(cls, text: str) -> "QuestionRef":
        """Read what `str` wrote."""
        quiz_id, _, question_id = text.partition("/")
        return cls(quiz_id, question_id)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A run: what is asked, in which order, and what was answered so far."""

    id: int
    learner_id: int
    kind: Kind
    quiz_id: str
    """The quiz that was begun or practised; "" in a review, which asks from all."""
    questions: tuple[QuestionRef, ...]
    answers: Mapping[QuestionRef, bool]
    """Whether the answer was right, by question; the unanswered ones are missing."""
    ended: bool = False

    def next_question(self, known: Container[QuestionRef]) -> QuestionRef | None:
        """The first unanswered question that is still in the bank; None when all are answered."""
        return next((q for q in self.questions if q not in self.answers and q in known), None)

    def place(self, question: QuestionRef, known: Container[QuestionRef]) -> tuple[int, int]:
        """Which question of how many this is, from 1. Questions that left the bank don't count."""
        asked = [q for q in self.questions if q in self.answers or q in known]
        return asked.index(question) + 1 if question in asked else len(asked), len(asked)

    def with_answer(self, question: QuestionRef, right: bool) -> "Attempt":
        """The same with one more answer."""
        return replace(self, answers={**self.answers, question: right})

    def missed(self) -> tuple[QuestionRef, ...]:
        """The questions that were answered wrong, in the order in which they were asked."""
        return tuple(q for q in self.questions if self.answers.get(q) is False)

    def right(self) -> int:
        """How many were answered right."""
        return sum(self.answers.values())


def is_right(picked: Container[int], correct: Container[int], choices: int) -> bool:
    """Whether an answer picks exactly all the right choices, of so many."""
    return all((i in picked) == (i in correct) for i in range(choices))
