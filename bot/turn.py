"""One update's effect while it is decided: who it is from, what may be read, what is to be said."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.messages import Message
from bot.texts import Texts, Words
from quizzes.attempt import QuestionRef
from quizzes.catalog import Catalog
from quizzes.quiz import Question, Quiz
from storage.learners import Learner
from storage.outbox import Priority
from storage.store import Store


@dataclass(frozen=True, slots=True)
class World:
    """What all turns share and none changes."""

    catalog: Catalog
    texts: Texts
    random: random.Random
    bot_id: int
    username: str
    commands: tuple[str, ...]
    """The names of all commands, as /help and the menu list them."""
    operators: tuple[int, ...] = ()
    allowed_chats: frozenset[int] = frozenset()
    """Empty: all."""

    def allows(self, chat_id: int) -> bool:
        return not self.allowed_chats or chat_id in self.allowed_chats

    def link(self, payload: str = "") -> str:
        """The address that opens the private chat, and starts it with a payload."""
        return f"https://t.me/{self.username}" + (f"?start={payload}" if payload else "")

    def __contains__(self, ref: object) -> bool:
        """Whether a question is in the bank."""
        if not isinstance(ref, QuestionRef):
            return False
        quiz = self.catalog.quiz(ref.quiz_id, None, None)
        return quiz is not None and quiz.question(ref.question_id) is not None


@dataclass(frozen=True, slots=True)
class Hint:
    """The answer to a pressed button: shown for a moment, lost if it can't be."""

    callback_query_id: str
    text: str | None = None
    alert: bool = False


@dataclass(slots=True)
class Turn:
    """What a handler works with. Whatever it does through this takes effect whole or not at all."""

    world: World
    store: Store
    learner: Learner
    chat_id: int
    now: datetime
    hint: Hint | None = None
    words: Words = field(init=False)

    def __post_init__(self) -> None:
        self.words = self.world.texts.words(self.language)

    @property
    def language(self) -> str:
        """The learner's language, as a tag that may have no texts."""
        return self.learner.language or self.learner.client_language

    def speak(self, language: str) -> None:
        """Go on in another language, which the learner chose."""
        self.store.learners.choose_language(self.learner.id, language)
        self.learner = Learner(
            self.learner.id, self.learner.name, self.learner.client_language, language
        )
        self.words = self.world.texts.words(language)

    def say(self, message: Message, *, reply_to_poll: int | None = None) -> None:
        """Decide to send a message to this chat, as a reply to a poll where one is given."""
        for i, params in enumerate(message.as_params()):
            self.call("sendMessage", params, poll_id=None if i else reply_to_poll)

    def call(self, method: str, params: dict[str, Any], *, poll_id: int | None = None) -> None:
        """Decide to call the Bot API for this chat."""
        self.store.outbox.add(
            self.chat_id, method, {"chat_id": self.chat_id, **params}, poll_id=poll_id
        )

    def alert(self, text: str) -> None:
        """Answer the pressed button with a text that must be closed."""
        if self.hint:
            self.hint = Hint(self.hint.callback_query_id, text, alert=True)

    def menu(self) -> list[dict[str, str]]:
        """The command menu in the learner's language, as setMyCommands takes it."""
        return menu(self.words, self.world.commands)

    def quiz(self, quiz_id: str) -> Quiz | None:
        """A quiz in the language that suits the learner best."""
        return self.world.catalog.quiz(quiz_id, self.language, self.world.texts.default_language)

    def quizzes(self) -> list[Quiz]:
        """All quizzes, in the language that suits the learner best."""
        found = (self.quiz(quiz_id) for quiz_id in self.world.catalog.quizzes)
        return [quiz for quiz in found if quiz]

    def question(self, ref: QuestionRef) -> Question | None:
        """A question in the language that suits the learner best; None when it left the bank."""
        quiz = self.quiz(ref.quiz_id)
        return quiz.question(ref.question_id) if quiz else None

    def questions(self, refs: Iterable[QuestionRef]) -> Iterator[Question]:
        """Those of the questions that are still in the bank."""
        return (question for ref in refs if (question := self.question(ref)))


def menu(words: Words, commands: Iterable[str]) -> list[dict[str, str]]:
    """The command menu in one language, as setMyCommands takes it."""
    return [
        {"command": name, "description": words(f"command-{name}")}
        for name in commands
        if name != "start"  # Telegram's clients offer it by themselves
    ]


def tell_operators(world: World, store: Store, text: str) -> None:
    """Decide to tell the operators of trouble."""
    for operator in world.operators:
        store.outbox.add(
            operator,
            "sendMessage",
            {"chat_id": operator, "text": text},
            priority=Priority.NOTICE,
        )
