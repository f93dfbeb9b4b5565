"""What the Bot API says when it refuses a request."""

from typing import Any


class RefusedError(Exception):
    """A request that is refused: an HTTP status, Telegram's sentence, and its parameters."""

    def __init__(
        self, code: int, description: str, parameters: dict[str, Any] | None = None
    ) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters or {}


def bad_request(reason: str) -> RefusedError:
    """A 400 with Telegram's prefix; codes such as BUTTON_DATA_INVALID keep their capitals."""
    keeps_case = len(reason) > 1 and (reason[1].isupper() or reason[1] == "_")
    said = reason if keeps_case else reason[:1].lower() + reason[1:]
    return RefusedError(400, f"Bad Request: {said}")


def forbidden(reason: str) -> RefusedError:
    """A 403 with Telegram's prefix."""
    return RefusedError(403, f"Forbidden: {reason}")
