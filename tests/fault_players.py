"""People who play by the dice: each acts on what they see in a chat, when it occurs to them."""

import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial

from bot.demo.chats import Chat, Message, Person
from bot.demo.telegram import LocalTelegram, VoteRefusedError

QUIZZES = ("capitals", "odd-forms")
LANGUAGES = ("en", "uk", "ro")

PICTURE = "picture"
"""What the button carries that takes a second of computing, which nobody presses here."""

LOOKS_BACK = 40
"""How many of the newest messages a person still sees."""

Act = Callable[[], object]


class Player:
    """One person in one chat, or in one topic of it."""

    def __init__(
        self,
        telegram: LocalTelegram,
        person: Person,
        chat: Chat,
        dice: random.Random,
        thread_id: int | None = None,
    ) -> None:
        self.telegram = telegram
        self.person = person
        self.chat = chat
        self.dice = dice
        self.thread_id = thread_id

    async def live(self, pause: float) -> None:
        """Act until cancelled, with so many seconds between two acts on average."""
        while True:
            await self.telegram.clock.sleep(0.05 + self.dice.expovariate(1 / pause))
            acts, weights = zip(*self._ideas(), strict=True)
            # What was seen may be out of date: a closed poll, a blocked bot.
            with suppress(VoteRefusedError, PermissionError):
                self.dice.choices(acts, weights)[0]()

    def writes(self, text: str) -> None:
        """Write in the chat."""
        self.telegram.send(self.person, self.chat.id, text, thread_id=self.thread_id)

    def presses(self, message: Message, row: int = 0) -> None:
        """Press the first button of a row."""
        assert message.keyboard is not None
        button = message.keyboard[row][0]
        data = button.get("callback_data", PICTURE)
        if data != PICTURE:
            self.telegram.tap(self.person, self.chat.id, message.id, data)

    def votes(self, message: Message) -> None:
        """Vote, right as often as not."""
        poll = message.json["poll"]
        picks = poll["correct_option_ids"]
        if self.dice.random() < 0.5:
            picks = [self.dice.randrange(len(poll["options"]))]
        self.telegram.vote(self.person, self.chat.id, message.id, sorted(picks))

    def seen(self, *, everything: bool = False) -> list[Message]:
        """The bot's newest messages, or all of them, the newest first."""
        newest = reversed(self.chat.messages[0 if everything else -LOOKS_BACK :])
        bot, thread_id = self.telegram.bot, self.thread_id
        return [one for one in newest if one.sender is bot and one.thread_id == thread_id]

    def _ideas(self) -> list[tuple[Act, float]]:
        """What comes to mind, and how strongly."""
        raise NotImplementedError

    def _ideas_about(self, messages: Sequence[Message]) -> Iterable[tuple[Act, float]]:
        """What comes to mind at the sight of polls and buttons."""
        polls = [one for one in messages if one.poll]
        unanswered = [one for one in polls if one.poll and self.person.id not in one.poll.votes]
        keyboards = [one for one in messages if one.keyboard]
        if unanswered:
            newest, any_other = unanswered[0], self.dice.choice(unanswered)
            yield lambda: self.votes(newest), 8.0 if newest is messages[0] else 1.5
            yield lambda: self.votes(any_other), 0.4
        if answered := [one for one in polls if one not in unanswered]:
            again = self.dice.choice(answered)
            yield lambda: self._forges_vote(again), 0.4
        if keyboards:
            newest_keys, any_keys = keyboards[0], self.dice.choice(keyboards)
            row = self.dice.randrange(len(any_keys.keyboard or ()))
            yield lambda: self.presses(newest_keys), 6.0 if newest_keys is messages[0] else 1.0
            yield lambda: self.presses(any_keys, row), 0.8

    def _forges_vote(self, message: Message) -> None:
        """A second vote or a withdrawn one, as other servers let through."""
        poll = message.json["poll"]
        picks = [self.dice.randrange(len(poll["options"]))] if self.dice.random() < 0.5 else []
        answer = {"poll_id": poll["id"], "user": self.person.json, "option_ids": picks}
        ids = [poll["options"][pick]["persistent_id"] for pick in picks]
        self.telegram.give({"poll_answer": answer | {"option_persistent_ids": ids}})


class Learner(Player):
    """Somebody in their private chat."""

    def _ideas(self) -> list[tuple[Act, float]]:
        if self.person.has_blocked_bot:
            return [
                (lambda: self.telegram.unblock(self.person), 1.0),
                (lambda: self.writes("/start"), 1.0),
            ]
        quiz = self.dice.choice(QUIZZES)
        messages = self.seen()
        ideas = [
            (lambda: self.writes(f"/quiz {quiz}"), 0.5 if messages else 5.0),
            (lambda: self.writes(f"/start {quiz}"), 0.3),
            (lambda: self.writes("/quiz"), 0.2),
            (lambda: self.writes("/stop"), 0.3),
            (lambda: self.writes("/review"), 0.2),
            (lambda: self.writes("/stats"), 0.3),
            (lambda: self.writes("/start"), 0.1),
            (lambda: self.writes("what now?"), 0.1),
            (lambda: self.writes(f"/language {self.dice.choice(LANGUAGES)}"), 0.15),
            (lambda: self.telegram.block(self.person), 0.1 if messages else 0.0),
        ]
        return [*ideas, *self._ideas_about(messages)]


class Member(Player):
    """Somebody in a group. They fall silent now and then, so that questions go by without votes."""

    silent_until = 0.0

    def _ideas(self) -> list[tuple[Act, float]]:
        now = self.telegram.clock.monotonic()
        if now < self.silent_until:
            return [(lambda: None, 1.0)]
        quiz = self.dice.choice(QUIZZES)
        messages = self.seen()
        ideas: list[tuple[Act, float]] = [
            (lambda: self.writes(f"/quiz {quiz}"), 0.3 if messages else 5.0),
            (lambda: self.writes("/skip"), 0.2),
            (lambda: self.writes("/pause"), 0.15),
            (lambda: self.writes("/stop"), 0.1),
            (lambda: self.writes("/stats"), 0.1),
            (lambda: self.writes("/top"), 0.1),
            (lambda: self._falls_silent(now), 0.2),
        ]
        lobbies = [one for one in messages[:3] if len(one.keyboard or ()) > 2]
        starts = [(partial(self.presses, lobby, -1), 3.0) for lobby in lobbies]
        return [*ideas, *starts, *self._ideas_about(messages)]

    def _falls_silent(self, now: float) -> None:
        self.silent_until = now + self.dice.uniform(5, 20)
