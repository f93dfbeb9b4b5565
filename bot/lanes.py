"""Letters in the order in which they may go: strictly within a chat, by priority across chats."""

import heapq
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.flood import COUNTED, FloodLimits
from storage.outbox import Letter, Priority


@dataclass(slots=True)
class _Lane:
    letters: deque[Letter] = field(default_factory=deque)
    busy: bool = False
    asleep_until: float = 0.0
    served: int = 0
    """How many of its letters have gone since it was empty."""

    def rank(self) -> tuple[int, int, int]:
        """By the most urgent letter in the lane: what lies before it must go first.

        Of equal ones those go first that were served least: who asks for much waits longest.
        """
        urgent = min(letter.priority for letter in self.letters)
        return urgent, self.served, self.letters[0].id


class Lanes:
    """A lane a chat. One letter of a lane is under way at a time."""

    def __init__(self, limits: FloodLimits) -> None:
        self._limits = limits
        self._lanes: dict[int, _Lane] = {}
        self._ready: list[tuple[tuple[int, int, int], int]] = []
        self._ready_uncounted: list[tuple[tuple[int, int, int], int]] = []
        """Lanes whose next letter Telegram does not count: no limit holds them up."""
        self._asleep: list[tuple[float, int]] = []

    def add(self, letter: Letter) -> None:
        lane = self._lanes.setdefault(letter.chat_id, _Lane())
        lane.letters.append(letter)
        self._offer(letter.chat_id)

    def take(self, now: float) -> Iterator[Letter]:
        """The letters that may go now, most urgent first; each makes its lane busy."""
        while self._asleep and self._asleep[0][0] <= now:
            _, chat_id = heapq.heappop(self._asleep)
            self._offer(chat_id)
        while self._ready_uncounted or (self._ready and self._wait_overall(now) <= 0):
            _, chat_id = heapq.heappop(self._ready_uncounted or self._ready)
            lane = self._lanes.get(chat_id)
            if lane is None or not lane.letters or lane.busy or lane.asleep_until > now:
                continue  # offered more than once
            letter = lane.letters[0]
            if letter.method in COUNTED:
                wait = self._limits.wait_in_chat(chat_id, now)
                if wait > 0:
                    self.pause(chat_id, now + wait)
                    continue
                self._limits.count(chat_id, now)
            lane.busy = True
            yield letter

    def next_change(self, now: float) -> float | None:
        """Seconds until waiting alone may let another letter go; None where it can't."""
        waits = [max(0.0, self._asleep[0][0] - now)] if self._asleep else []
        if self._ready:
            waits.append(self._wait_overall(now))
        return min(waits, default=None)

    def done(self, chat_id: int) -> None:
        """The letter under way is dealt with: the lane's next may go."""
        lane = self._lanes[chat_id]
        lane.busy = False
        lane.served += 1
        lane.letters.popleft()
        if lane.letters:
            self._offer(chat_id)
        else:
            del self._lanes[chat_id]

    def again(self, letter: Letter, at: float) -> None:
        """The letter under way goes once more, not before a moment."""
        lane = self._lanes[letter.chat_id]
        lane.busy = False
        lane.letters[0] = letter
        self.pause(letter.chat_id, at)

    def pause(self, chat_id: int, until: float) -> None:
        """Let nothing go to a chat before a moment."""
        lane = self._lanes[chat_id]
        lane.asleep_until = until
        heapq.heappush(self._asleep, (until, chat_id))

    def move(self, chat_id: int, new_chat_id: int) -> None:
        """What was meant for a chat is meant for another; no letter of it may be under way."""
        old = self._lanes.pop(chat_id, _Lane())
        lane = self._lanes.setdefault(new_chat_id, _Lane())
        moved = [letter.readdressed(new_chat_id) for letter in old.letters]
        lane.letters = deque(sorted([*moved, *lane.letters], key=lambda letter: letter.id))
        self._offer(new_chat_id)

    def _wait_overall(self, now: float) -> float:
        """Seconds until the most urgent of the lanes that are ready may go."""
        (priority, *_), _ = self._ready[0]
        return self._limits.wait_overall(now, patient=priority >= Priority.REMINDER)

    def _offer(self, chat_id: int) -> None:
        lane = self._lanes.get(chat_id)
        if lane and lane.letters and not lane.busy:
            is_counted = lane.letters[0].method in COUNTED
            heapq.heappush(
                self._ready if is_counted else self._ready_uncounted, (lane.rank(), chat_id)
            )
