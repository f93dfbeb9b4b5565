"""Logging to stderr: one line an event, without the token and without message texts.

with about(update=7, learner=42):
    log.warning("The quiz is gone.")  # … The quiz is gone. update=7 learner=42
"""

import json
import logging
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType, TracebackType
from urllib.parse import quote

# A bot's token wherever it may turn up, in an address or in an exception's text.
_TOKEN = re.compile(r"\d{3,}(?::|%3A)[A-Za-z0-9_-]{20,}", re.IGNORECASE)

HIDDEN = "<token>"

# These write parameters of calls or statements at DEBUG: message texts among them.
# And aiohttp notes every request to our own pages at INFO.
TALKATIVE = (
    "telegram",
    "aiosqlite",
    "httpx",
    "httpcore",
    "asyncio",
    "matplotlib",
    "aiohttp.access",
)

FIELDS = ("update", "kind", "chat", "learner", "method", "result", "ms")
"""What an event may say beside its message, in this order: numbers and names of ours alone.

`update` is Telegram's update_id, `chat` and `learner` are Telegram's ids; `kind` is the kind of an
update or of what the bot told itself; `method` is the Bot API's, `result` what became of the call;
`ms` is how long it took, in milliseconds.
"""

_NOTHING: Mapping[str, int | str] = MappingProxyType({})

_subject: ContextVar[Mapping[str, int | str]] = ContextVar("subject", default=_NOTHING)

log = logging.getLogger(__name__)


@contextmanager
def about(**fields: int | str | None) -> Iterator[None]:
    """Let every event within name these FIELDS; None leaves one out.

    Holds for this thread or task alone.
    """
    token = _subject.set(_with(fields))
    try:
        yield
    finally:
        _subject.reset(token)


def note(**fields: int | str | None) -> None:
    """Add what became known to the fields of the `about` around it."""
    _subject.set(_with(fields))


def _with(fields: Mapping[str, int | str | None]) -> Mapping[str, int | str]:
    known = {name: value for name, value in fields.items() if value is not None}
    return {**_subject.get(), **known}


def ms(seconds: float) -> float:
    """A duration as the field `ms` tells it."""
    return round(seconds * 1000, 1)


def _fields(record: logging.LogRecord) -> dict[str, int | float | str]:
    """The fields of an event: its own, given as `extra`, and those of the `about` around it."""
    values = {**_subject.get(), **vars(record)}
    return {name: values[name] for name in FIELDS if name in values}


class _Line(logging.Formatter):
    """An event as text. Line breaks become bars, so that a traceback stays with its event.

    The fields stand after the message, as `name=value`.
    """

    def __init__(self, token: str | None) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")
        self._tokens = (token, quote(token, safe="")) if token else ()

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        moment = datetime.fromtimestamp(record.created, UTC)
        return moment.isoformat(timespec="milliseconds")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        fields = (f"{name}={value}" for name, value in _fields(record).items())
        return " ".join((super().formatMessage(record), *fields))

    def format(self, record: logging.LogRecord) -> str:
        lines = (line.strip() for line in self.hide(super().format(record)).splitlines())
        return " | ".join(line for line in lines if line.strip("~^"))

    def hide(self, text: str) -> str:
        for token in self._tokens:
            text = text.replace(token, HIDDEN)
        return _TOKEN.sub(HIDDEN, text)


class _Json(_Line):
    def format(self, record: logging.LogRecord) -> str:
        event = {
            "time": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            event["exception"] = self.formatException(record.exc_info)
        return self.hide(json.dumps(event, ensure_ascii=False))


def set_up(level: str, log_format: str, token: str | None) -> None:
    """Send all logs to stderr in this format, warnings and the error that ends us among them."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json(token) if log_format == "json" else _Line(token))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(level)))
    logging.captureWarnings(True)
    sys.excepthook = _log_the_end


def _log_the_end(
    kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    log.critical("The bot ends by an error.", exc_info=(kind, error, traceback))
