"""A quiz, its questions and their choices, each in one language."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Level = Literal["easy", "medium", "hard"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer that a learner can pick."""

    text: str
    correct: bool = False
    why: str | None = None
    """What the mistake confuses, where the choice is wrong."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A short program that shows what the explanation says."""

    language: str
    code: str
    prints: str | None = None
    """What the program writes to its standard output."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question in one language. Its choices stand in the order of quiz.yaml in every language."""

    id: str
    ask: str
    choices: tuple[Choice, ...]
    code: str | None = None
    explain: str | None = None
    snippet: Snippet | None = None
    source: str | None = None
    shuffle: bool = True

    @property
    def correct(self) -> frozenset[int]:
        """The positions of the right choices, from 0."""
        return frozenset(i for i, choice in enumerate(self.choices) if choice.correct)

    @property
    def fingerprint(self) -> str:
        """A short hash of what is asked and what is right: it changes when either does."""
        parts = [self.ask, self.code or ""]
        parts += [f"{choice.correct:d}{choice.text}" for choice in self.choices]
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Quiz:
    """A quiz in one language."""

    id: str
    language: str
    title: str
    questions: tuple[Question, ...]
    description: str | None = None
    level: Level | None = None
    guide: str | None = None

    def question(self, question_id: str) -> Question | None:
        """The question with this id, or None when the quiz no longer has it."""
        return self._by_id.get(question_id)

    @cached_property
    def _by_id(self) -> dict[str, Question]:
        return {question.id: question for question in self.questions}
