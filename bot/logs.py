"""Logging to stderr: one line an event, without the token and without message texts."""

import json
import logging
import re
import sys
from datetime import UTC, datetime
from urllib.parse import quote

# A bot's token wherever it may turn up, in an address or in an exception's text.
_TOKEN = re.compile(r"\d{3,}(?::|%3A)[A-Za-z0-9_-]{20,}", re.IGNORECASE)

HIDDEN = "<token>"

# These write parameters of calls or statements at DEBUG: message texts among them.
TALKATIVE = ("telegram", "aiosqlite", "httpx", "httpcore", "asyncio", "matplotlib")


class _Line(logging.Formatter):
    """An event as text. Line breaks become bars, so that a traceback stays with its event."""

    def __init__(self, token: str | None) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")
        self._tokens = (token, quote(token, safe="")) if token else ()

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        moment = datetime.fromtimestamp(record.created, UTC)
        return moment.isoformat(timespec="milliseconds")

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
        }
        if record.exc_info:
            event["exception"] = self.formatException(record.exc_info)
        return self.hide(json.dumps(event, ensure_ascii=False))


def set_up(level: str, log_format: str, token: str | None) -> None:
    """Send all logs to stderr in this format."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json(token) if log_format == "json" else _Line(token))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(level)))
