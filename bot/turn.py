"""One update's effect while it is decided: who it is from, what may be read, what is to be said."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bot.messages import Message, reply_parameters, say
from bot.texts import Texts, Words
from quizzes.attempt import QuestionRef
from quizzes.catalog import Catalog
from quizzes.quiz import Question, Quiz
from quizzes.round import Round
from storage.groups import Group
from storage.learners import Learner
from storage.outbox import Priority
from storage.polls import Poll
from storage.store import Store


class NotYetError(Exception):
    """Something can't be decided before something on its way is known: try it again then.

    That is when a send's fate becomes known, or at `at`, or when Telegram has named the admins of
    the chat `admins_of`.
    """

    def __init__(self, *, at: datetime | None = None, admins_of: int | None = None) -> None:
        super().__init__("This waits for something on its way.")
        self.at = at
        self.admins_of = admins_of


@dataclass(frozen=True, slots=True)
class World:
    """What all turns share and none changes."""

    catalog: Catalog
    texts: Texts
    random: random.Random
    username: str
    commands: tuple[str, ...]
    """The names of the commands in a private chat, as /help and the menu list them."""
    group_commands: tuple[str, ...]
    """The same in a group."""
    operators: tuple[int, ...] = ()
    allowed_chats: frozenset[int] = frozenset()
    """Empty: all."""
    seconds_per_question: int = 30
    pause: timedelta = timedelta(seconds=5)
    """From a round's reveal to its next question."""
    keeps_flood_limits: bool = True
    """Whether rounds keep to what Telegram takes in a group."""

    def allows(self, chat_id: int) -> bool:
        return not self.allowed_chats or chat_id in self.allowed_chats

    def link(self, payload: str = "") -> str:
        """The address that opens the private chat, and starts it with a payload."""
        return f"https://t.me/{self.username}" + (f"?start={payload}" if payload else "")

    def tell(self, store: Store, learner_id: int, text: str) -> None:
        """Decide to tell somebody something in private, when there is nothing more urgent."""
        for params in say(text).as_params():
            store.outbox.add(
                learner_id,
                "sendMessage",
                {"chat_id": learner_id, **params},
                priority=Priority.NOTICE,
            )

    def tell_operators(self, store: Store, text: str) -> None:
        """Decide to tell the operators of trouble."""
        for operator in self.operators:
            self.tell(store, operator, text)

    def __contains__(self, ref: object) -> bool:
        """Whether a question is in the bank."""
        if not isinstance(ref, QuestionRef):
            return False
        # In any language: a review asks this of each question that a learner knows.
        shelf = self.catalog.shelves.get(ref.quiz_id)
        return shelf is not None and shelf.own.question(ref.question_id) is not None


@dataclass(frozen=True, slots=True)
class Hint:
    """The answer to a pressed button: shown for a moment, lost if it can't be."""

    callback_query_id: str
    text: str | None = None
    alert: bool = False
    url: str | None = None
    """A page that the press opens; of the bot's own, in Telegram."""


@dataclass(slots=True)
class Speaker:
    """Says things in one chat. All of it takes effect whole or not at all."""

    world: World
    store: Store
    chat_id: int
    thread_id: int | None
    """The topic of a forum; None outside of one."""
    now: datetime
    priority: Priority = Priority.REPLY

    @property
    def words(self) -> Words:
        """The texts in the language that is spoken here."""
        raise NotImplementedError

    def say(
        self,
        message: Message,
        *,
        reply_to_poll: int | None = None,
        reply_to: str | None = None,
        name: str | None = None,
    ) -> None:
        """Decide to send a message, as a reply to a poll or to a named message if one is given.

        `name` is the message's own, for editing it or replying to it later.
        """
        replied = self.store.named_messages.message_id(reply_to) if reply_to else None
        for i, params in enumerate(message.as_params()):
            if replied and i == 0:
                params["reply_parameters"] = reply_parameters(replied)
            self.send(
                "sendMessage", params, poll_id=None if i else reply_to_poll, message_name=name
            )

    def edit(self, message: Message, name: str) -> None:
        """Decide to change a named message. An earlier change that still waits is dropped."""
        self.store.outbox.remove_edits(name)
        (params, *_) = message.as_params()
        self.call("editMessageText", params, message_name=name)

    def send(
        self,
        method: str,
        params: dict[str, Any],
        *,
        poll_id: int | None = None,
        message_name: str | None = None,
    ) -> None:
        """Decide to send something, to the topic that is spoken in."""
        if self.thread_id is not None:
            params = {"message_thread_id": self.thread_id, **params}
        self.call(method, params, poll_id=poll_id, message_name=message_name)

    def call(
        self,
        method: str,
        params: dict[str, Any],
        *,
        poll_id: int | None = None,
        message_name: str | None = None,
    ) -> None:
        """Decide to call the Bot API for this chat."""
        self.store.outbox.add(
            self.chat_id,
            method,
            {"chat_id": self.chat_id, **params},
            priority=self.priority,
            poll_id=poll_id,
            message_name=message_name,
        )

    def close_poll(self, poll: Poll) -> None:
        """Take no more votes in a poll, whether it went out already or not."""
        self.store.polls.close(poll.id, self.now)
        self.store.outbox.take_back(poll.id)
        self.call("stopPoll", {}, poll_id=poll.id)


@dataclass(slots=True)
class Turn(Speaker):
    """What a handler works with when a person has done something."""

    learner: Learner = field(kw_only=True)
    """Who did it; id 0 for an admin who stays anonymous."""
    group: Group | None = field(default=None, kw_only=True)
    """The choices of the group; None in a private chat."""
    hint: Hint | None = field(default=None, kw_only=True)

    @property
    def words(self) -> Words:
        return self.world.texts.words(self.language)

    @property
    def language(self) -> str:
        """The group's language, else the learner's; a tag that may have no texts."""
        chosen = self.group.language if self.group else None
        return chosen or self.learner.language or self.learner.client_language

    @property
    def commands(self) -> tuple[str, ...]:
        """The names of the commands that such a chat lists."""
        return self.world.group_commands if self.group else self.world.commands

    def speak(self, language: str) -> None:
        """Go on in another language, which was chosen for this chat."""
        if self.group:
            self.store.groups.choose_language(self.chat_id, language)
            self.group = self.store.groups.get(self.chat_id)
        else:
            self.store.learners.choose_language(self.learner.id, language)
            self.refresh()

    def refresh(self) -> None:
        """See the learner as they are stored now."""
        found = self.store.learners.find(self.learner.id)
        assert found is not None
        self.learner = found

    def alert(self, text: str) -> None:
        """Answer the pressed button with a text that must be closed."""
        if self.hint:
            self.hint = Hint(self.hint.callback_query_id, text, alert=True)

    def notify(self, text: str) -> None:
        """Answer the pressed button with a text that passes by itself."""
        if self.hint:
            self.hint = Hint(self.hint.callback_query_id, text)

    def open_page(self, url: str) -> None:
        """Answer the pressed button by opening a chat with the bot."""
        if self.hint:
            self.hint = Hint(self.hint.callback_query_id, url=url)

    def refuse(self, text: str) -> None:
        """Say why something is not done: to the pressed button, or in the chat."""
        if self.hint:
            self.alert(text)
        else:
            self.say(say(text))

    def is_admin(self) -> bool:
        """Whether who did this is an admin of the chat.

        Raises NotYetError where Telegram must be asked first.
        """
        if self.learner.id == 0:
            return True
        admins = self.store.groups.admins(self.chat_id, self.now)
        if admins is None:
            raise NotYetError(admins_of=self.chat_id)
        return self.learner.id in admins

    def may_steer(self, current: Round) -> bool:
        """Whether who did this may steer a round: who opened it, and admins."""
        return self.learner.id == current.opener_id or self.is_admin()

    def quiz(self, quiz_id: str) -> Quiz | None:
        """A quiz in the language that suits best."""
        return self.world.catalog.quiz(quiz_id, self.language, self.world.texts.default_language)

    def quizzes(self) -> list[Quiz]:
        """All quizzes, in the language that suits best."""
        found = (self.quiz(quiz_id) for quiz_id in self.world.catalog.quizzes)
        return [quiz for quiz in found if quiz]

    def question(self, ref: QuestionRef) -> Question | None:
        """A question in the language that suits best; None when it left the bank."""
        quiz = self.quiz(ref.quiz_id)
        return quiz.question(ref.question_id) if quiz else None

    def questions(self, refs: Iterable[QuestionRef]) -> Iterator[Question]:
        """Those of the questions that are still in the bank."""
        return (question for ref in refs if (question := self.question(ref)))
