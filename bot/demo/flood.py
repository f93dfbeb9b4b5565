"""Telegram's flood limits: how fast a bot may send."""

import math
from collections import deque
from dataclasses import dataclass

from bot.clock import Clock
from bot.demo.chats import Chat
from bot.demo.refusals import RefusedError

GROUP_SECONDS = 60


@dataclass(frozen=True, slots=True)
class FloodLimits:
    """The limits that Telegram's FAQ names; the bursts are a guess, since it names none."""

    per_second: int = 30
    """New messages in all chats together."""
    chat_burst: int = 5
    """New messages in one chat at once; each takes a second until it may be sent again."""
    per_minute_in_group: int = 20
    """New messages in one group within any 60 seconds."""


class _Bucket:
    """Holds so many tokens, and refills evenly."""

    def __init__(self, size: int, per_second: float, now: float) -> None:
        self._size = size
        self._per_second = per_second
        self._tokens = float(size)
        self._counted_at = now

    def seconds_until_free(self, now: float) -> float:
        earned = (now - self._counted_at) * self._per_second
        self._tokens = min(self._size, self._tokens + earned)
        self._counted_at = now
        return max(0.0, (1 - self._tokens) / self._per_second)

    def take(self) -> None:
        self._tokens -= 1


class FloodGuard:
    """Counts what was sent. Only new messages count: not edits, not answers to buttons."""

    def __init__(self, clock: Clock, limits: FloodLimits | None) -> None:
        self._clock = clock
        self._limits = limits
        self._overall: _Bucket | None = None
        self._chats: dict[int, _Bucket] = {}
        self._groups: dict[int, deque[float]] = {}
        self._webhook_set_at = -math.inf

    def admit(self, chat: Chat) -> None:
        """Count one message to this chat, or raise a 429 that says how long to wait."""
        limits = self._limits
        if limits is None:
            return
        now = self._clock.monotonic()
        overall = self._overall = self._overall or _Bucket(
            limits.per_second, limits.per_second, now
        )
        bucket = self._chats.setdefault(chat.id, _Bucket(limits.chat_burst, 1, now))
        wait = max(overall.seconds_until_free(now), bucket.seconds_until_free(now))
        sent = self._groups.setdefault(chat.id, deque())
        while sent and sent[0] <= now - GROUP_SECONDS:
            sent.popleft()
        if chat.kind != "private" and len(sent) >= limits.per_minute_in_group:
            wait = max(wait, sent[0] + GROUP_SECONDS - now)
        if wait > 1e-9:
            raise too_many_requests(math.ceil(wait - 1e-9))
        overall.take()
        bucket.take()
        sent.append(now)

    def admit_webhook(self) -> None:
        """Count one change of the webhook: one a second is allowed."""
        now = self._clock.monotonic()
        if self._limits is not None and now < self._webhook_set_at + 1:
            raise too_many_requests(1)
        self._webhook_set_at = now


def too_many_requests(seconds: int) -> RefusedError:
    """The 429 that tells a bot to wait so many seconds."""
    return RefusedError(429, f"Too Many Requests: retry after {seconds}", {"retry_after": seconds})
