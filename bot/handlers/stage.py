"""What a round's handler works with, whether a person or the clock calls it."""

from collections.abc import Iterable
from datetime import datetime

from bot.round_messages import Names
from bot.texts import Words
from bot.turn import Speaker, World
from quizzes.attempt import QuestionRef
from quizzes.quiz import Question, Quiz
from quizzes.round import Round
from storage.outbox import Priority
from storage.store import Store


def lobby_name(round_id: int) -> str:
    """The name by which a lobby's message is edited and replied to later."""
    return f"lobby {round_id}"


def full_list_note(round_id: int) -> str:
    """The name of the note that everybody's place was shown."""
    return f"full list {round_id}"


class Stage(Speaker):
    """One round at one moment; it speaks in its own language, in its own chat and topic."""

    def __init__(self, world: World, store: Store, current: Round, now: datetime) -> None:
        super().__init__(world, store, current.chat_id, current.thread_id, now, Priority.ROUND)
        self.round = current

    @property
    def words(self) -> Words:
        return self.world.texts.words(self.round.language)

    def fresh(self) -> "Stage":
        """The same with the round as it is stored now."""
        current = self.store.rounds.get(self.round.id)
        return Stage(self.world, self.store, current, self.now)

    def quiz(self) -> Quiz | None:
        """The round's quiz in its language; None when it left the bank."""
        default = self.world.texts.default_language
        return self.world.catalog.quiz(self.round.quiz_id, self.round.language, default)

    def question(self, ref: QuestionRef) -> Question | None:
        """A question in the round's language; None when it left the bank."""
        quiz = self.quiz()
        return quiz.question(ref.question_id) if quiz else None

    def names(self, learner_ids: Iterable[int]) -> Names:
        """How these learners are called."""
        return Names(self.words, self.store.learners.names(learner_ids))

    def joined_names(self) -> list[str]:
        """Who joined, in the order in which they did."""
        joined = self.store.rounds.joined(self.round.id)
        names = self.names(joined)
        return [names[learner_id] for learner_id in joined]
