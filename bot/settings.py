"""What an operator sets: environment variables, or a .env file beside them."""

import io
import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
LOG_FORMATS = ("text", "json")

WEBHOOK_PORTS = (443, 80, 88, 8443)
"""Where Telegram itself posts to (Bot API, setWebhook); a server of one's own posts anywhere."""

# A bot's id and a secret (Bot API, "Authorizing your bot"), whose length is promised nowhere; with
# "/test" it is one of Telegram's test servers.
_TOKEN = re.compile("[0-9]+:[A-Za-z0-9_-]+(/test)?")

# Of a secret (Bot API, setWebhook, secret_token).
_SECRET = re.compile("[A-Za-z0-9_-]{1,256}")

_HOST_AND_PORT = re.compile(r"(?:\[([^\[\]\s]+)\]|([^\[\]\s:/@]+)):([0-9]{1,5})", re.ASCII)

T = TypeVar("T")


class SettingError(Exception):
    """A setting can't be used; the message names it and says what to do."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server of the bot's own listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Hook:
    """A webhook: where Telegram posts updates to, how it proves itself, where the bot listens."""

    url: str
    secret: str = field(repr=False)
    listen: Address


@dataclass(frozen=True)
class Settings:
    """All settings, checked."""

    bot_token: str | None = None
    bot_api_url: str | None = None
    database_path: Path = Path("data/quiz-tutor.sqlite3")
    quizzes_path: Path | None = None
    default_language: str = "en"
    operator_ids: tuple[int, ...] = ()
    allowed_chats: frozenset[int] = frozenset()
    messages_per_second: float = 30.0
    seconds_per_question: int = 30
    pause_seconds: float = 5.0
    log_level: str = "INFO"
    log_format: str = "text"
    listen: Address | None = None
    """Where /healthz and /metrics are served."""
    webhook: Hook | None = None
    """None: updates are fetched by long polling."""


def from_environment(
    environment: Mapping[str, str], folder: Path, only: Container[str] | None = None
) -> Settings:
    """The settings of these variables, with those of `folder`'s .env file behind them.

    An empty variable counts as absent, as do all but `only` where it is given. Raises
    SettingError for the first that can't be used.
    """
    values = {
        name: text
        for source in (_written(folder / ".env"), environment)
        for name, value in source.items()
        if value and (text := value.strip()) and (only is None or name in only)
    }

    def read(name: str, parse: Callable[[str], T], default: T) -> T:
        text = values.get(name)
        if text is None:
            return default
        try:
            return parse(text)
        except ValueError as error:
            raise SettingError(f"{name} can't be used: {error}.") from None

    bot_api_url = read("BOT_API_URL", _address, None)
    listen = read("LISTEN", _host_and_port, None)
    return Settings(
        bot_token=read("BOT_TOKEN", _token, None),
        bot_api_url=bot_api_url,
        database_path=read("DATABASE_PATH", Path, Settings.database_path),
        quizzes_path=read("QUIZZES_PATH", _folder, None),
        default_language=read("DEFAULT_LANGUAGE", _language, Settings.default_language),
        operator_ids=read("OPERATOR_IDS", _ids, Settings.operator_ids),
        allowed_chats=read(
            "ALLOWED_CHATS", lambda text: frozenset(_ids(text)), Settings.allowed_chats
        ),
        messages_per_second=read("MESSAGES_PER_SECOND", _rate, Settings.messages_per_second),
        seconds_per_question=read(
            "SECONDS_PER_QUESTION", _question_time, Settings.seconds_per_question
        ),
        pause_seconds=read("PAUSE_SECONDS", _pause, Settings.pause_seconds),
        log_level=read(
            "LOG_LEVEL", lambda text: _one_of(text.upper(), LOG_LEVELS), Settings.log_level
        ),
        log_format=read(
            "LOG_FORMAT", lambda text: _one_of(text.lower(), LOG_FORMATS), Settings.log_format
        ),
        listen=listen,
        webhook=_webhook(
            read("WEBHOOK_URL", _address if bot_api_url else _public_address, None),
            read("WEBHOOK_SECRET", _secret, None),
            read("WEBHOOK_LISTEN", _host_and_port, None),
            listen,
        ),
    )


def _webhook(
    url: str | None, secret: str | None, hook_listen: Address | None, listen: Address | None
) -> Hook | None:
    if url is None:
        return None
    if secret is None:
        raise SettingError(
            "WEBHOOK_URL needs a WEBHOOK_SECRET, by which the bot knows that Telegram is posting: "
            "1 to 256 characters of A-Z, a-z, 0-9, _ and -."
        )
    if hook_listen is None:
        raise SettingError(
            "WEBHOOK_URL needs a WEBHOOK_LISTEN: the host:port where the bot itself listens "
            "for what comes to that address."
        )
    if hook_listen == listen:
        raise SettingError(
            f"LISTEN and WEBHOOK_LISTEN can't both be {listen}: "
            "what tells of the bot's health must not be where Telegram posts to."
        )
    return Hook(url, secret, hook_listen)


def _written(file: Path) -> Mapping[str, str | None]:
    """What a .env file says; nothing where there is none."""
    if not file.is_file():
        return {}
    # Here, as not every start finds a file.
    from dotenv import dotenv_values
    from dotenv.parser import parse_stream

    try:
        text = file.read_text("utf-8-sig")  # some editors begin a file with a byte order mark
    except (OSError, UnicodeError) as error:
        raise SettingError(f"{file} can't be read: {error}.") from error
    for binding in parse_stream(io.StringIO(text)):
        if binding.error:
            line = binding.original.line
            raise SettingError(f"{file} can't be read: line {line} is not of the form NAME=value.")
    return dotenv_values(stream=io.StringIO(text))


def _token(text: str) -> str:
    if not _TOKEN.fullmatch(text):
        raise ValueError(
            "a token is digits, a colon and some 35 letters, digits, _ and -, without quotes or "
            "blanks; copy it from @BotFather (/mybots, API Token)"
        )
    return text


def _address(text: str) -> str:
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port or an IPv6 address that is none
        is_address = False
    if not is_address:
        raise ValueError(f"{text!r} is no http or https address")
    return text


def _public_address(text: str) -> str:
    parts = urlsplit(_address(text))
    if parts.scheme != "https":
        raise ValueError(f"Telegram posts to https addresses only, and {text!r} is none")
    if (parts.port or 443) not in WEBHOOK_PORTS:
        ports = ", ".join(map(str, WEBHOOK_PORTS))
        raise ValueError(f"Telegram posts to no other ports than {ports}")
    return text


def _host_and_port(text: str) -> Address:
    found = _HOST_AND_PORT.fullmatch(text)
    if not found or not 1 <= int(found[3]) <= 65535:
        raise ValueError(f"{text!r} is no host:port such as 127.0.0.1:8080 or [::1]:8080")
    return Address(found[1] or found[2], int(found[3]))


def _secret(text: str) -> str:
    if not _SECRET.fullmatch(text):
        raise ValueError("it has to be 1 to 256 characters of A-Z, a-z, 0-9, _ and -")
    return text


def _folder(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise ValueError(f"there is no folder {text!r}")
    return path


def _language(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*", text):
        raise ValueError(f"{text!r} is no language tag such as en or pt-BR")
    return text


def _ids(text: str) -> tuple[int, ...]:
    parts = [part for part in re.split(r"[,\s]+", text) if part]
    # Telegram's ids have at most 52 bits (Bot API, User.id and Chat.id).
    if not parts or not all(re.fullmatch("-?[0-9]{1,16}", part) for part in parts):
        raise ValueError(f"{text!r} is no list of numeric ids separated by commas")
    return tuple(int(part) for part in parts)


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 <= rate <= 10_000:
        raise ValueError(f"{text!r} is no number of messages from 0 to 10000")
    return rate


def _question_time(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 5 <= int(text) <= 600:
        raise ValueError(f"{text!r} is no number of seconds from 5 to 600")
    return int(text)


def _pause(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 600:
        raise ValueError(f"{text!r} is no number of seconds from 0 to 600")
    return seconds


def _one_of(text: str, allowed: tuple[str, ...]) -> str:
    if text not in allowed:
        raise ValueError(f"{text!r} is none of {', '.join(allowed)}")
    return text
