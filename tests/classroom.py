"""A group of three who play rounds, for tests that talk with the bot there."""

from dataclasses import dataclass
from typing import Any

from bot.demo.chats import Chat, Message
from tests.conversation import Learner, Talk

FRANCE = "What is the capital of France?"
AUSTRALIA = "What is the capital of Australia?"
BRAZIL = "What is the capital of Brazil?"


@dataclass(slots=True)
class Class:
    """A group of three: Ada opens the rounds, Bob plays, the teacher is the group's admin."""

    talk: Talk
    group: Chat
    ada: Learner
    bob: Learner
    teacher: Learner

    async def begins(self, quiz: str = "capitals") -> None:
        """Ada opens a round, Bob joins, Ada starts."""
        await self.ada.sends(f"/quiz {quiz}")
        await self.bob.taps("Join")
        await self.ada.taps("Start")

    async def passes(self, seconds: float) -> None:
        """Let time pass while the bot runs."""
        await self.talk.clock.advance(seconds)

    def hears_nothing_for_31_seconds(self) -> None:
        """After the next update that comes: five refusals, with pauses of 1, 2, 4, 8 and 16 s."""
        self.talk.telegram.faults.refuse("getUpdates", 502, "Bad Gateway", times=5)

    @property
    def not_bobs(self) -> str:
        """What Bob reads when he may not do something, in his own language."""
        return self.talk.texts.words("uk")("round-not-yours")

    @property
    def said(self) -> list[str]:
        """All that the bot has said in the group, polls as their questions."""
        return [shown(message) for message in self.ada.messages]


def shown(message: Message) -> str:
    """What a message says; of a poll, its question."""
    return message.json["poll"]["question"] if message.poll else message.text


def first_line(text: str) -> str:
    return text.split("\n")[0]


async def gathered(talk: Talk, **options: Any) -> Class:
    """The three in a new supergroup, where nobody has spoken yet."""
    ada, bob, teacher = talk.learner("Ada"), talk.learner("Bob", "uk"), talk.learner("Teacher")
    people = [teacher.person, ada.person, bob.person]
    group = talk.telegram.add_group("Class", people, supergroup=True, **options)
    return Class(talk, group, *(one.within(group) for one in (ada, bob, teacher)))
