"""The trouble that a person at the page can make: late, refused and lost answers."""

from bot.demo.faults import ANY_METHOD, Fault, Faults
from bot.demo.flood import too_many_requests

METHODS = (
    "sendMessage",
    "sendPoll",
    "sendPhoto",
    "editMessageText",
    "stopPoll",
    "answerCallbackQuery",
)
"""What can be struck, besides any call."""

DELAY_SECONDS = 3
RETRY_SECONDS = 3

_WORDS = {
    "delay": f"answered {DELAY_SECONDS} s late",
    "refuse": f"refused (429, retry after {RETRY_SECONDS} s)",
    "drop": "carried out, but the answer is lost",
}


class Trouble:
    """What a person has asked for and has not struck yet."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._caused: list[Fault] = []

    def cause(self, kind: str, method: str, *, every: bool) -> None:
        """Let the next call of a method, or every one, be late, refused or lost.

        Raises KeyError for a kind or a method that is none.
        """
        if method not in (ANY_METHOD, *METHODS):
            raise KeyError(method)
        times = None if every else 1
        match kind:
            case "delay":
                fault = self._faults.delay(method, DELAY_SECONDS, times=times)
            case "refuse":
                refusal = too_many_requests(RETRY_SECONDS)
                fault = self._faults.refuse(
                    method,
                    refusal.code,
                    refusal.description,
                    parameters=refusal.parameters,
                    times=times,
                )
            case "drop":
                fault = self._faults.drop(method, times=times)
            case _:
                raise KeyError(kind)
        self._caused.append(fault)

    def calm(self) -> None:
        """Let everything go well again."""
        self._faults.clear()
        self._caused.clear()

    @property
    def pending(self) -> list[str]:
        """What is still to strike, in words."""
        self._caused = [fault for fault in self._caused if fault.times != 0]
        return [_in_words(fault) for fault in self._caused]


def _in_words(fault: Fault) -> str:
    which = "call" if fault.method == ANY_METHOD else fault.method
    return f"{'Every' if fault.times is None else 'The next'} {which}: {_WORDS[fault.kind]}"
