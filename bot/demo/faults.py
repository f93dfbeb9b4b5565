"""Trouble on demand: refusals, delays and lost connections, for tests and the demo's panel."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict, Unpack

from bot.demo.refusals import RefusedError

ANY_METHOD = "*"


@dataclass(slots=True, eq=False)
class Fault:
    """One kind of trouble, for the next calls of one method (`*`: of any but getUpdates)."""

    kind: Literal["refuse", "garble", "delay", "hold", "drop", "cut"]
    method: str
    times: int | None = 1
    """How many calls it still meets; None: all of them."""
    skip: int = 0
    chat_id: int | None = None
    refusal: RefusedError | None = None
    seconds: float = 0
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a call has met it."""
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        """Let a held answer go, and no longer hold others."""
        self.times = 0
        self.released.set()

    def meets(self, method: str, chat_id: str) -> bool:
        """Whether it strikes this call; counts the call."""
        named = method.lower() == self.method.lower() or (
            self.method == ANY_METHOD and method.lower() != "getupdates"
        )
        elsewhere = self.chat_id is not None and str(self.chat_id) != chat_id
        if not named or elsewhere or self.times == 0:
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.times is not None:
            self.times -= 1
        self.reached.set()
        return True


class Calls(TypedDict, total=False):
    """Which calls a fault strikes: the next one, unless something else is said."""

    times: int | None
    skip: int
    chat_id: int | None


class Faults:
    """What shall go wrong. The oldest fault that fits a call strikes it, one a call."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def refuse(
        self,
        method: str,
        code: int,
        description: str,
        *,
        parameters: Mapping[str, Any] | None = None,
        **calls: Unpack[Calls],
    ) -> Fault:
        """Refuse calls without carrying them out. Some pass before it when `skip` says so."""
        refusal = RefusedError(code, description, dict(parameters or {}))
        return self._add(Fault("refuse", method, refusal=refusal, **calls))

    def garble(self, method: str, **calls: Unpack[Calls]) -> Fault:
        """Answer as what stands before Telegram does when Telegram is down: 502 and a web page."""
        return self._add(Fault("garble", method, **calls))

    def delay(self, method: str, seconds: float, **calls: Unpack[Calls]) -> Fault:
        """Carry calls out at once and answer so much later, by Telegram's clock."""
        return self._add(Fault("delay", method, seconds=seconds, **calls))

    def hold(self, method: str, **calls: Unpack[Calls]) -> Fault:
        """Carry calls out at once and answer when the returned fault is released."""
        return self._add(Fault("hold", method, **calls))

    def drop(self, method: str, **calls: Unpack[Calls]) -> Fault:
        """Carry calls out, then close the connection without an answer."""
        return self._add(Fault("drop", method, **calls))

    def cut(self, method: str, **calls: Unpack[Calls]) -> Fault:
        """Close the connection before calls are carried out."""
        return self._add(Fault("cut", method, **calls))

    def clear(self) -> None:
        """Let everything go well again."""
        for fault in self._faults:
            fault.release()
        self._faults.clear()

    def next(self, method: str, chat_id: str) -> Fault | None:
        """The fault that strikes this call."""
        return next((fault for fault in self._faults if fault.meets(method, chat_id)), None)

    def _add(self, fault: Fault) -> Fault:
        self._faults.append(fault)
        return fault
