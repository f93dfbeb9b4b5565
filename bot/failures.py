"""The list of `quiz-tutor failures`: updates that were set aside, and why. Never their texts."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, TextIO

import orjson

from bot.printing import Entry, Format, minute, write_list
from bot.updates import kind_of
from storage.inbox import Failure

NONE = "No update is set aside."


@dataclass(frozen=True, slots=True)
class _Line:
    received_at: str
    update_id: int | None
    kind: str
    chat_id: int | None
    learner_id: int | None
    tries: int
    error: str


def write_failures(
    failures: Iterable[Failure], output: Format, stdout: TextIO, stderr: TextIO
) -> None:
    """Write what was set aside, one a line or as JSON; say so on stderr if there is nothing."""
    lines = (_line(failure) for failure in failures)
    entries = [Entry(_as_text(line), asdict(line)) for line in lines]
    write_list(entries, NONE, output, stdout, stderr)


def queued_again(count: int) -> str:
    """What is said of failures that are to be tried again."""
    return (
        f"To be tried again: {count}. A bot that runs does so within half a minute, "
        "else it is done at its next start."
    )


def _line(failure: Failure) -> _Line:
    body = orjson.loads(failure.body)
    kind = _kind(failure, body)
    return _Line(
        received_at=minute(failure.received_at),
        update_id=failure.update_id,
        kind=kind,
        chat_id=_chat_id(body.get(kind)),
        learner_id=failure.lane,
        tries=failure.tries,
        # On one line, whatever the message of an exception holds.
        error=" ".join(failure.error.split()),
    )


def _kind(failure: Failure, body: dict[str, Any]) -> str:
    """Which kind of update it is, what was due, or what became of a send."""
    match failure.kind:
        case "update":
            return kind_of(body) or "update"
        case "due":
            return str(body["kind"])
        case "outcome":
            return next(iter(body))


def _chat_id(event: object) -> int | None:
    """The chat that something happened in; a pressed button's is that of its message."""
    message = event.get("message") if isinstance(event, dict) else None
    for holder in (event, message):
        chat = holder.get("chat") if isinstance(holder, dict) else None
        if isinstance(chat, dict) and isinstance(chat.get("id"), int):
            return int(chat["id"])
    return None


def _as_text(line: _Line) -> str:
    parts = [
        line.received_at,
        line.kind if line.update_id is None else f"update {line.update_id} ({line.kind})",
        f"chat {line.chat_id}" if line.chat_id is not None else None,
        f"learner {line.learner_id}" if line.learner_id is not None else None,
        f"tries {line.tries}",
        line.error,
    ]
    return "  ".join(part for part in parts if part)
