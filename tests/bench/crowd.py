"""People before the light Bot API: they vote in each poll and press what goes on."""

import asyncio
import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, cycle
from time import perf_counter

from tests.bench.stub import DATE, Sent, Stub, chat, person

FIRST_LEARNER = 5_000_000_000
"""Telegram's ids are about this large."""

SHARE_RIGHT = 0.7


@dataclass(slots=True)
class Crowd:
    """Learners in their private chats. Each asks for a quiz, votes, presses, votes and so on.

    An answer is one vote and the explanation that follows. What people do next waits until it is
    let out: by `at_once`, or by `steadily`.
    """

    learners: int
    command: str = "/quiz"
    at_once: int = 0
    """How many may wait for the bot at a time; as one is served, another acts."""
    answered: int = 0
    """Votes that were explained."""
    latencies: list[float] = field(default_factory=list)
    """Of each, the seconds from the vote to the explanation."""
    asked: int = 0
    """Questions that came."""
    _stub: Stub | None = None
    _arrivals: deque[int] = field(default_factory=deque)
    _votes: deque[Sent] = field(default_factory=deque)
    _presses: deque[Sent] = field(default_factory=deque)
    _served: dict[int, float | None] = field(default_factory=dict)
    """Who waits for the bot, since when if they voted."""
    _turns: Iterator[Callable[[], bool]] = field(init=False)
    _ids: Iterator[int] = field(default_factory=lambda: count(1))
    _dice: random.Random = field(default_factory=lambda: random.Random(1))

    def __post_init__(self) -> None:
        self._turns = cycle((self.vote, self.press))

    def begin(self, stub: Stub) -> None:
        """Everybody is about to ask for a quiz."""
        self._stub = stub
        self._arrivals.extend(range(FIRST_LEARNER, FIRST_LEARNER + self.learners))
        self._let_out()

    def note(self, sent: Sent) -> None:
        """See what the bot says."""
        if sent.poll:
            self.asked += 1
            self._votes.append(sent)
        elif sent.presses:
            self._presses.append(sent)
        else:
            return
        voted_at = self._served.pop(sent.chat_id, None)
        if voted_at is not None:
            self.answered += 1
            self.latencies.append(sent.at - voted_at)
        self._let_out()

    async def arrive_steadily(self, per_second: float) -> None:
        """Let everybody ask for a quiz, evenly."""
        for _ in range(self.learners):
            self.arrive()
            await asyncio.sleep(1 / per_second)

    async def steadily(self, answers_per_second: float) -> None:
        """Let votes out evenly, and a press halfway between two; until cancelled."""
        loop = asyncio.get_running_loop()
        due = loop.time()
        for act in cycle((self.vote, self.press)):
            due += 0.5 / answers_per_second
            await asyncio.sleep(max(0.0, due - loop.time()))
            act()

    def arrive(self) -> bool:
        """Let somebody ask for a quiz; whether there was anybody left."""
        if not self._arrivals:
            return False
        learner_id = self._arrivals.popleft()
        self._served[learner_id] = None
        self._tell("message", command_from(learner_id, learner_id, self.command, next(self._ids)))
        return True

    def vote(self) -> bool:
        """Let somebody vote who has a question, oldest first; whether there was one."""
        if not self._votes:
            return False
        sent = self._votes.popleft()
        poll = sent.poll
        assert poll is not None
        wrong = next(i for i in range(len(poll["options"])) if i not in sent.correct)
        picks = list(sent.correct) if self._dice.random() < SHARE_RIGHT else [wrong]
        self._served[sent.chat_id] = perf_counter()
        for i in picks:
            poll["options"][i]["voter_count"] = 1
        self._tell("poll", poll | {"total_voter_count": 1})
        answer = {
            "poll_id": poll["id"],
            "user": person(sent.chat_id),
            "option_ids": picks,
            "option_persistent_ids": [str(i) for i in picks],
        }
        self._tell("poll_answer", answer)
        return True

    def press(self) -> bool:
        """Let somebody press who has read an explanation; whether there was one."""
        if not self._presses:
            return False
        sent = self._presses.popleft()
        self._served[sent.chat_id] = None
        self._tell("callback_query", press_of(sent, sent.chat_id, sent.presses[0], next(self._ids)))
        return True

    def _let_out(self) -> None:
        idle = 0
        while len(self._served) < self.at_once and idle < 2:
            # All arrive first; then in turn, so that not all vote first and then all press.
            acted = self.arrive() or next(self._turns)()
            idle = 0 if acted else idle + 1

    def _tell(self, kind: str, what: dict[str, object]) -> None:
        assert self._stub is not None
        self._stub.update(kind, what)


def command_from(person_id: int, chat_id: int, text: str, message_id: int) -> dict[str, object]:
    """The message by which somebody gives a command."""
    length = len(text.split()[0])
    return {
        "message_id": message_id,
        "date": DATE,
        "from": person(person_id),
        "chat": chat(chat_id),
        "text": text,
        "entities": [{"type": "bot_command", "offset": 0, "length": length}],
    }


def press_of(sent: Sent, person_id: int, data: str, query_id: int) -> dict[str, object]:
    """The press of a button under a message."""
    return {
        "id": str(query_id),
        "from": person(person_id),
        "chat_instance": str(sent.chat_id),
        "message": sent.message,
        "data": data,
    }
