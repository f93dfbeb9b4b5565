"""Telegram's flood limits, kept from our side (Bots FAQ, "My bot is hitting limits")."""

from collections import deque
from dataclasses import dataclass, field

CHAT_BURST = 4
"""Messages that one chat takes at once; after that one a second."""

GROUP_MESSAGES = 20
GROUP_SECONDS = 60.0

MARGIN_SECONDS = 0.1
"""Added to Telegram's windows: what leaves evenly may arrive closer together."""

SECONDS_A_MESSAGE = 1.0 + MARGIN_SECONDS
"""What each message in one chat takes, once the burst is used up."""

RESERVED_SHARE = 1 / 6
"""The part of the overall limit that is kept free for what somebody waits for."""

COUNTED = frozenset({"sendMessage", "sendPoll", "sendPhoto", "sendDocument"})
"""Methods that Telegram counts as messages."""

_FORGET_ABOVE = 1000

_SHORTEST_SECONDS = 0.001
"""Less than a clock tells apart is no wait at all."""


@dataclass(slots=True)
class _Chat:
    tokens: float = CHAT_BURST
    filled_at: float = 0.0
    sent: deque[float] = field(default_factory=deque)
    """When messages went to a group, within the last minute."""


class FloodLimits:
    """Says when the next message may go. 0 messages a second lifts all limits."""

    def __init__(self, messages_per_second: float) -> None:
        self._per_second = messages_per_second
        self._sent: deque[float] = deque()
        self._chats: dict[int, _Chat] = {}

    def wait_overall(self, now: float, *, patient: bool = False) -> float:
        """Seconds until another message may go anywhere; a patient one leaves room for others.

        Nobody waits for patient messages, and there may be thousands of them. They go evenly, for
        a burst would leave nothing of the limit for the second after it, and leave a share free.
        """
        if not self._per_second:
            return 0.0
        window = 1.0 + MARGIN_SECONDS
        wait = 0.0
        if len(self._sent) >= self._per_second:
            wait = self._sent[0] + window - now
        if patient and self._sent:
            most = max(1, int(self._per_second * (1 - RESERVED_SHARE)))
            wait = max(wait, self._sent[-1] + window / most - now)
            if len(self._sent) >= most:
                wait = max(wait, self._sent[-most] + window - now)
        return wait if wait > _SHORTEST_SECONDS else 0.0

    def wait_in_chat(self, chat_id: int, now: float) -> float:
        """Seconds until another message may go to this chat."""
        chat = self._chats.get(chat_id)
        if not self._per_second or chat is None:
            return 0.0
        wait = (1.0 - _tokens(chat, now)) * SECONDS_A_MESSAGE
        if chat_id < 0 and len(chat.sent) >= GROUP_MESSAGES:
            wait = max(wait, chat.sent[0] + GROUP_SECONDS + MARGIN_SECONDS - now)
        return wait if wait > _SHORTEST_SECONDS else 0.0

    def count(self, chat_id: int, now: float) -> None:
        """A message goes to this chat now."""
        if not self._per_second:
            return
        self._sent.append(now)
        if len(self._sent) > self._per_second:
            self._sent.popleft()
        if len(self._chats) > _FORGET_ABOVE:
            self._forget(now)
        chat = self._chats.setdefault(chat_id, _Chat(filled_at=now))
        chat.tokens = _tokens(chat, now) - 1.0
        chat.filled_at = now
        if chat_id < 0:
            chat.sent.append(now)
            if len(chat.sent) > GROUP_MESSAGES:
                chat.sent.popleft()

    def _forget(self, now: float) -> None:
        """Drop chats that have been silent for so long that they are like new."""
        old = [i for i, chat in self._chats.items() if now - chat.filled_at > GROUP_SECONDS + 1]
        for chat_id in old:
            del self._chats[chat_id]


def _tokens(chat: _Chat, now: float) -> float:
    return min(float(CHAT_BURST), chat.tokens + (now - chat.filled_at) / SECONDS_A_MESSAGE)
