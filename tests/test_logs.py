"""Logs: one line an event, and neither the token nor what people write."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from telegram.error import TelegramError

from bot import logs
from bot.transport import BotApi
from tests.clock import ManualClock
from tests.conversation import TOKEN, talking
from tests.local_telegram import TOKEN as BENCH_TOKEN
from tests.local_telegram import serving

FORMATS = ("text", "json")

SECRET_TEXT = "what nobody else shall read"


@pytest.fixture(autouse=True)
def _levels_as_before() -> Iterator[None]:
    """Undo what setting up logs changes for the whole process."""
    names = [None, "telegram", "telegram.Bot", *logs.TALKATIVE, "aiohttp"]
    before = {name: logging.getLogger(name).level for name in names}
    handlers = logging.getLogger().handlers[:]
    yield
    logging.getLogger().handlers[:] = handlers
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


def log_something(message: str, *, fails: bool = False) -> None:
    logger = logging.getLogger("bot.example")
    if not fails:
        logger.info(message)
        return
    try:
        raise ValueError("several\nlines")
    except ValueError:
        logger.exception(message)


@pytest.mark.parametrize("message", ["Ready.", "Two\nlines.", "A\u2028separator.", "Жодного \r."])
@pytest.mark.parametrize("fails", [False, True])
def test_an_event_is_one_line_of_text(
    capsys: pytest.CaptureFixture[str], message: str, fails: bool
) -> None:
    logs.set_up("INFO", "text", None)

    log_something(message, fails=fails)

    (line,) = capsys.readouterr().err.splitlines()
    level = "ERROR" if fails else "INFO"
    assert re.match(
        rf"\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{{3}}\+00:00 {level} bot.example: ", line
    )
    assert line.endswith("| ValueError: several | lines") == fails


@pytest.mark.parametrize("message", ["Ready.", "Two\nlines.", "A\u2028separator.", "Жодного \r."])
@pytest.mark.parametrize("fails", [False, True])
def test_an_event_is_one_json_object_a_line(
    capsys: pytest.CaptureFixture[str], message: str, fails: bool
) -> None:
    logs.set_up("INFO", "json", None)

    log_something(message, fails=fails)

    (line, end) = capsys.readouterr().err.split("\n")
    event = json.loads(line)
    assert end == ""
    assert event.pop("time").endswith("+00:00")
    assert event.pop("exception", "ValueError: several\nlines").endswith("several\nlines")
    assert event == {
        "level": "ERROR" if fails else "INFO",
        "logger": "bot.example",
        "message": message,
    }


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("DEBUG", ["DEBUG", "INFO", "WARNING", "ERROR"]),
        ("INFO", ["INFO", "WARNING", "ERROR"]),
        ("WARNING", ["WARNING", "ERROR"]),
        ("ERROR", ["ERROR"]),
    ],
)
def test_the_level_says_what_is_written(
    capsys: pytest.CaptureFixture[str], level: str, expected: list[str]
) -> None:
    logs.set_up(level, "json", None)

    for name in ("DEBUG", "INFO", "WARNING", "ERROR"):
        logging.getLogger("bot.example").log(logging.getLevelName(name), "Something.")

    lines = capsys.readouterr().err.splitlines()
    assert [json.loads(line)["level"] for line in lines] == expected


@pytest.mark.parametrize("log_format", FORMATS)
@pytest.mark.parametrize(
    "text",
    [
        "https://api.telegram.org/bot4242:local-token/getMe",
        "https://api.telegram.org/bot4242%3Alocal-token/getMe",
        "https://api.telegram.org/bot987654:AAF_another-bots-token_0123456789/getMe",
        "https://api.telegram.org/bot987654%3aAAF_another-bots-token_0123456789/getMe",
    ],
)
def test_a_token_is_hidden_wherever_it_stands(
    capsys: pytest.CaptureFixture[str], text: str, log_format: str
) -> None:
    logs.set_up("INFO", log_format, "4242:local-token")

    logging.getLogger("bot.example").info("%s failed", text)
    try:
        raise ValueError(text)
    except ValueError:
        logging.getLogger("bot.example").exception("It failed.")

    written = capsys.readouterr().err
    assert written.count("https://api.telegram.org/bot<token>/getMe") >= 2
    assert "local-token" not in written
    assert "another-bots-token" not in written


@pytest.mark.parametrize("log_format", FORMATS)
async def test_no_call_of_the_bot_api_writes_the_token(
    capsys: pytest.CaptureFixture[str], log_format: str
) -> None:
    logs.set_up("DEBUG", log_format, BENCH_TOKEN)
    # As talkative as they can be.
    for name in ("telegram", "telegram.Bot", "aiohttp", "asyncio", "httpx"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    async with serving() as bench:
        ada = bench.telegram.add_person("Ada")
        bench.telegram.send(ada, ada.id, "Hello")
        bench.telegram.faults.refuse("getMe", 401, "Unauthorized")
        bench.telegram.faults.refuse("getMe", 502, "Bad Gateway")
        bench.telegram.faults.cut("getMe")
        bench.telegram.faults.drop("getMe")
        root = bench.url
        served = BotApi(BENCH_TOKEN, ManualClock(), root)
        await served.open()
        for _ in range(5):
            await _call(served, "getMe")
        await _call(served, "getUpdates")
        await _call(served, "sendMessage", chat_id=ada.id, text="Hello")
        await _call(served, "sendMessage", chat_id=5, text="Hello")
        await _call(served, "noSuchMethod")
    await _call(served, "getMe")
    await served.close_connections()
    await _call(served, "getMe")

    written = capsys.readouterr().err
    assert written.count("Traceback") == 8
    assert BENCH_TOKEN not in written
    assert BENCH_TOKEN.partition(":")[2] not in written


async def _call(api: BotApi, method: str, **params: object) -> None:
    try:
        await api.call(method, params)
    except TelegramError:
        logging.getLogger("bot.example").exception("%s fails.", method)


@pytest.mark.parametrize("log_format", FORMATS)
async def test_no_log_holds_what_a_learner_writes_or_reads(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, log_format: str
) -> None:
    logs.set_up("DEBUG", log_format, TOKEN)
    async with talking(tmp_path) as talk:
        ada = talk.learner("Ada")
        await ada.sends(SECRET_TEXT)
        await ada.sends(f"/quiz {SECRET_TEXT}")
        talk.telegram.faults.refuse("sendMessage", 400, "Bad Request: message is too long")
        await ada.sends(SECRET_TEXT)
        talk.telegram.faults.drop("sendMessage")
        await ada.sends(SECRET_TEXT)
        # Updates that can't be read, and one that makes a handler stumble.
        talk.telegram.give({"message": {"text": SECRET_TEXT}})
        talk.telegram.give({"message": {"message_id": SECRET_TEXT, "chat": SECRET_TEXT}})
        talk.telegram.give({"callback_query": {"id": "1", "data": SECRET_TEXT}})
        await talk.settles()
        await ada.sends("/quiz capitals")
        await talk.clock.advance(2)  # a text of unknown fate is sent once more
        await ada.votes("Paris")

    written = capsys.readouterr().err
    assert "is ready" in written
    assert "is set aside" in written
    assert SECRET_TEXT not in written
    assert "capital of France" not in written
    assert TOKEN not in written
