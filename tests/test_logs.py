"""Logs: one line an event, and neither the token nor what people write."""

import asyncio
import json
import logging
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from telegram.error import TelegramError

from bot import logs
from bot.transport import BotApi
from tests.clock import ManualClock
from tests.conversation import BANKS, TOKEN, talking
from tests.local_telegram import TOKEN as BENCH_TOKEN
from tests.local_telegram import serving
from tests.process import environment
from tests.test_intake import broken

FORMATS = ("text", "json")

SECRET_TEXT = "what nobody else shall read"


@pytest.fixture(autouse=True)
def _levels_as_before() -> Iterator[None]:
    """Undo what setting up logs changes for the whole process."""
    names = [None, "telegram", "telegram.Bot", *logs.TALKATIVE, "aiohttp"]
    before = {name: logging.getLogger(name).level for name in names}
    handlers = logging.getLogger().handlers[:]
    hook = sys.excepthook
    yield
    sys.excepthook = hook
    logging.captureWarnings(False)
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


# Fields


def fields_of(event: dict[str, Any]) -> dict[str, Any]:
    return {name: event[name] for name in logs.FIELDS if name in event}


def events(written: str, message: str | None = None) -> list[dict[str, Any]]:
    """What was written as JSON; the fields alone of those with a message, if one is given."""
    read: list[dict[str, Any]] = [json.loads(line) for line in written.splitlines()]
    return read if message is None else [fields_of(e) for e in read if e["message"] == message]


def test_an_event_names_what_it_is_about_after_its_message(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.set_up("INFO", "text", None)

    with logs.about(learner=42, chat=-1001, update=7, method=None):
        log_something("Something.")
        log_something("It fails.", fails=True)
    log_something("Nothing of that.")

    first, second, third = capsys.readouterr().err.splitlines()
    assert first.endswith("bot.example: Something. update=7 chat=-1001 learner=42")
    assert "bot.example: It fails. update=7 chat=-1001 learner=42 | Traceback" in second
    assert third.endswith("bot.example: Nothing of that.")


def test_what_becomes_known_is_told_until_the_subject_changes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.set_up("INFO", "json", None)

    with logs.about(update=7):
        with logs.about(chat=5):
            logs.note(kind="message", learner=None)
            logging.getLogger("bot.example").info("In.", extra={"ms": 1.5, "kind": "poll"})
        log_something("Out.")

    written = capsys.readouterr().err
    assert events(written, "In.") == [{"update": 7, "kind": "poll", "chat": 5, "ms": 1.5}]
    assert events(written, "Out.") == [{"update": 7}]


async def test_tasks_that_work_at_once_keep_their_subjects_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.set_up("INFO", "json", None)

    async def send(chat: int) -> None:
        with logs.about(chat=chat):
            await asyncio.sleep(0)
            log_something(f"To {chat}.")

    await asyncio.gather(send(1), send(2))

    told = [(event["message"], event["chat"]) for event in events(capsys.readouterr().err)]
    assert told == [("To 1.", 1), ("To 2.", 2)]


async def test_each_update_and_each_call_is_told_at_debug(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    logs.set_up("DEBUG", "json", TOKEN)
    async with talking(tmp_path) as talk:
        ada = talk.learner("Ada")
        capsys.readouterr()
        talk.telegram.faults.refuse("sendMessage", 403, "Forbidden: bot was blocked by the user")
        await ada.sends("/help")

        written = capsys.readouterr().err
        (handled,), (called,) = events(written, "Handled."), events(written, "Called.")
        assert (handled.pop("ms"), called.pop("ms")) == (0.0, 0.0)
        person = {"chat": ada.id, "learner": ada.id}
        assert handled == {"update": 1, "kind": "message", **person}
        assert called == {"chat": ada.id, "method": "sendMessage", "result": "lost"}
        lost = "This chat is lost: Forbidden: bot was blocked by the user"
        assert events(written, lost) == [{"chat": ada.id, "method": "sendMessage"}]


async def test_an_ordinary_conversation_is_no_event_for_an_operator(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    logs.set_up("INFO", "json", TOKEN)
    async with talking(tmp_path) as talk:
        ada = talk.learner("Ada")
        capsys.readouterr()
        await ada.sends("/quiz capitals")
        await ada.votes("Paris")
        await ada.taps_first()
        await ada.sends("/stats")
        assert capsys.readouterr().err == ""


async def test_an_outage_is_told_when_it_begins_and_when_it_ends(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    logs.set_up("INFO", "json", TOKEN)
    async with talking(tmp_path) as talk:
        people = [talk.learner(name) for name in ("Ada", "Bob", "Cid")]
        capsys.readouterr()
        talk.telegram.faults.refuse("sendMessage", 502, "Bad Gateway", times=None)
        for person in people:
            await person.sends("/help")
        await talk.clock.advance(60)
        talk.telegram.faults.clear()
        await talk.clock.advance(120)

    told = [event["message"] for event in events(capsys.readouterr().err)]
    assert [len(person.messages) for person in people] == [1, 1, 1]
    assert told == [
        "Telegram fails at sendMessage (Bad Gateway); what is to be said waits.",
        "Telegram is back.",
    ]


async def test_a_handler_that_breaks_is_told_with_the_update_the_chat_and_the_learner(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    logs.set_up("INFO", "json", TOKEN)
    async with talking(tmp_path, catalog=broken()) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/quiz odd-forms")

    written = capsys.readouterr().err
    assert events(written, "Update 1 failed, try 3 of 3.") == [
        {"update": 1, "kind": "message", "chat": ada.id, "learner": ada.id}
    ]


# Levels, and what stands in no log


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


@pytest.mark.parametrize(("bank", "expected"), [("talk", "2 quizzes"), ("talk/capitals", "1 quiz")])
async def test_the_log_says_how_many_quizzes_there_are(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, bank: str, expected: str
) -> None:
    caplog.set_level("INFO")
    async with talking(tmp_path, bank=BANKS / bank) as talk:
        name = talk.telegram.bot.username
    (line,) = [text for text in caplog.messages if "is ready" in text]
    assert line == (
        f"@{name} (https://t.me/{name}) is ready: {expected}, languages en, ro, ru, uk."
    )


# What does not come through a logger


@pytest.mark.parametrize("log_format", FORMATS)
def test_a_warning_of_python_is_an_event_like_any_other(
    capsys: pytest.CaptureFixture[str], log_format: str
) -> None:
    logs.set_up("INFO", log_format, None)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("Several\nlines.", UserWarning, stacklevel=1)
    logging.captureWarnings(False)

    (line,) = capsys.readouterr().err.splitlines()
    assert "UserWarning: Several" in line


ENDS_BY_AN_ERROR = """\
import sys
from bot import logs

logs.set_up("INFO", sys.argv[1], "4242:local-token")
raise OSError("https://api.telegram.org/bot4242:local-token/getMe can't be opened")
"""


@pytest.mark.parametrize("log_format", FORMATS)
async def test_the_error_that_ends_the_bot_is_one_line_without_the_token(
    tmp_path: Path, log_format: str
) -> None:
    script = tmp_path / "ends.py"
    script.write_text(ENDS_BY_AN_ERROR)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(script), log_format),
        stderr=asyncio.subprocess.PIPE,
        env=environment(),
    )
    _, stderr = await process.communicate()

    (line,) = stderr.decode().splitlines()
    assert process.returncode == 1
    assert "The bot ends by an error." in line
    assert "OSError: https://api.telegram.org/bot<token>/getMe can't be opened" in line
