"""How much memory the bot holds: idle, and with many attempts and rounds open."""

import asyncio
import tempfile
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from tests.bench.crowd import FIRST_LEARNER, Crowd, command_from, press_of
from tests.bench.report import Report, machine
from tests.bench.rivals import PRODUCT, resident_mib, running
from tests.bench.stub import Sent, Stub, serving

ATTEMPTS, ROUNDS = 10_000, 500
SMALL_ATTEMPTS, SMALL_ROUNDS = 100, 10

AT_ONCE = 100
QUIZ = "gradient-clipping"

GOALS_MIB = (80, 150)

SETTLE_SECONDS = 1.0


@dataclass(slots=True)
class Groups:
    """Groups in each of which somebody opens a round and starts it."""

    number: int
    asked: set[int] = field(default_factory=set)
    """The groups that have a question."""
    _stub: Stub | None = None
    _ids: "count[int]" = field(default_factory=lambda: count(1_000_000))

    def begin(self, stub: Stub) -> None:
        """Everybody opens a round."""
        self._stub = stub
        for number in range(self.number):
            chat_id = -1_000_000_000_000 - number
            text = f"/quiz {QUIZ}"
            stub.update("message", command_from(_opener(chat_id), chat_id, text, next(self._ids)))

    def note(self, sent: Sent) -> None:
        """Start the round whose lobby has come."""
        assert self._stub is not None
        if sent.poll:
            self.asked.add(sent.chat_id)
        elif sent.presses and sent.chat_id not in self.asked:
            query = press_of(sent, _opener(sent.chat_id), sent.presses[-1], next(self._ids))
            self._stub.update("callback_query", query)


def _opener(chat_id: int) -> int:
    return FIRST_LEARNER - chat_id


async def bench(small: bool) -> list[Report]:
    """Look at an idle bot, and let people begin."""
    attempts, rounds = (SMALL_ATTEMPTS, SMALL_ROUNDS) if small else (ATTEMPTS, ROUNDS)
    crowd = Crowd(attempts, command=f"/quiz {QUIZ}")
    groups = Groups(rounds)

    def note(sent: Sent) -> None:
        if sent.chat_id < 0:
            groups.note(sent)
        elif sent.poll:
            crowd.asked += 1
            crowd.arrive()

    with tempfile.TemporaryDirectory() as folder:
        async with (
            serving(note) as stub,
            running(
                *(PRODUCT, stub, Path(folder)),
                MESSAGES_PER_SECOND="0",
                SECONDS_PER_QUESTION="600",
            ) as process,
        ):
            await asyncio.sleep(SETTLE_SECONDS)
            idle = resident_mib(process)
            crowd.begin(stub)
            for _ in range(AT_ONCE):
                crowd.arrive()
            while crowd.asked < attempts:
                assert process.returncode is None
                await asyncio.sleep(0.1)
            groups.begin(stub)
            while len(groups.asked) < rounds:
                assert process.returncode is None
                await asyncio.sleep(0.1)
            await asyncio.sleep(SETTLE_SECONDS)
            busy = resident_mib(process)
    rows = [
        ("idle", f"{idle:.0f}", f"at most {GOALS_MIB[0]}"),
        (f"{attempts:,} open attempts, {rounds} rounds", f"{busy:.0f}", f"at most {GOALS_MIB[1]}"),
    ]
    return [Report("Resident memory", ("", "MiB", "goal"), rows, (machine(),))]
