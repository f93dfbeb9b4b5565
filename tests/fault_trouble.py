"""What goes wrong between the bot and Telegram, by the dice, and how often it did."""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field

from bot.demo.faults import Fault
from bot.demo.telegram import LocalTelegram
from tests.fault_record import JumbledUpdates

INJECTED = "for the test"
"""In the descriptions of refusals that were asked for."""

METHODS = (
    *("sendMessage",) * 4,
    *("sendPoll",) * 4,
    *("stopPoll",) * 2,
    *("getUpdates",) * 2,
    "editMessageText",
    "answerCallbackQuery",
)

KINDS = (
    *("429",) * 5,
    *("5xx",) * 3,
    *("web page",) * 3,
    *("cut before",) * 4,
    *("answer dropped",) * 8,
    *("answer late",) * 4,
    "answer too late",
    "400",
    "403",
)
"""As often as each stands here."""


@dataclass(slots=True)
class Trouble:
    """Faults that come and go while people play."""

    telegram: LocalTelegram
    arrivals: JumbledUpdates
    dice: random.Random
    most_seconds: float
    """The longest that an answer may be late."""
    faults: list[tuple[str, Fault]] = field(default_factory=list)
    repeated: int = 0

    async def go_on(self, pause: float) -> None:
        """Make trouble until cancelled, with so many seconds in between on average."""
        while True:
            await self.telegram.clock.sleep(self.dice.expovariate(1 / pause))
            if self.dice.random() < 0.2:
                self._repeat_update()
            else:
                self._strike(self.dice.choice(KINDS), self.dice.choice(METHODS))

    def met(self) -> Counter[str]:
        """How often each kind of trouble met a call."""
        found = Counter(kind for kind, fault in self.faults if fault.reached.is_set())
        return found + Counter({"update repeated": self.repeated})

    def _repeat_update(self) -> None:
        if came := list(self.arrivals.came.values()):
            self.telegram.give(self.dice.choice(came))
            self.repeated += 1

    def _strike(self, kind: str, method: str) -> None:
        faults, dice = self.telegram.faults, self.dice
        # Of a chat's own calls the order is certain, so that a seed brings the same again.
        chat = dice.choice(list(self.telegram.chats.values()))
        where = None if method in ("getUpdates", "answerCallbackQuery") else chat.id
        match kind:
            case "429":
                seconds = dice.choice([1, 1, 2, 3])
                text = f"Too Many Requests: retry after {seconds}"
                wait = {"retry_after": seconds}
                fault = faults.refuse(method, 429, text, parameters=wait, chat_id=where)
            case "5xx":
                times, text = dice.choice([1, 1, 2, 3]), "Internal Server Error"
                fault = faults.refuse(method, 500, text, times=times, chat_id=where)
            case "web page":
                fault = faults.garble(method, times=dice.choice([1, 2]), chat_id=where)
            case "cut before":
                fault = faults.cut(method, chat_id=where)
            case "answer dropped":
                fault = faults.drop(method, chat_id=where)
            case "answer late":
                late = dice.uniform(0.05, min(3.0, self.most_seconds))
                fault = faults.delay(method, late, chat_id=where)
            case "answer too late":
                fault = faults.delay(method, self.most_seconds, chat_id=where)
            case "400" if method != "getUpdates":
                fault = faults.refuse(method, 400, f"Bad Request: {INJECTED}", chat_id=where)
            case "403" if method.startswith("send"):
                text = "bot was kicked" if chat.id < 0 else "bot was blocked by the user"
                fault = faults.refuse(method, 403, f"Forbidden: {text}", chat_id=where)
            case _:
                return
        self.faults.append((kind, fault))


async def ended(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks; raises what went wrong in one of them."""
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
