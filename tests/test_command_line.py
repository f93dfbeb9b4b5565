"""The command line as a shell sees it: exit codes, what goes to stdout, what to stderr."""

import asyncio
import json
import signal
import socket
import sqlite3
import sys
from pathlib import Path
from time import monotonic
from typing import Any

import aiohttp
import pytest

from bot.app import BAD_TOKEN, NO_TOKEN
from bot.clock import SystemClock
from storage.database import Database
from tests.process import BANK, LIMIT, ROOT, TOKEN, Ended, command, served, spawn

SECONDS_TO_REFUSE = 5.0
SECONDS_TO_END = 5.0

COMMANDS = ("run", "demo", "check", "schema", "reports", "failures", "backup", "restore")

BROKEN_QUIZ = """\
language: en
title: Broken
questions:
  - id: one
    ask: Which?
    choices:
      - text: This
        correct: true
"""


async def refusal(*arguments: str, folder: Path, **settings: str) -> str:
    """What a command that refuses to start writes to stderr."""
    end = await command(*arguments, folder=folder, **settings)
    assert (end.code, end.stdout) == (2, "")
    assert end.seconds < SECONDS_TO_REFUSE
    return end.stderr


@pytest.fixture
def broken_bank(tmp_path: Path) -> Path:
    """A bank whose one quiz has a question with a single choice."""
    quiz = tmp_path / "bank" / "broken" / "quiz.yaml"
    quiz.parent.mkdir(parents=True)
    quiz.write_text(BROKEN_QUIZ)
    return tmp_path / "bank"


# Help


async def test_the_version_is_printed(tmp_path: Path) -> None:
    end = await command("--version", folder=tmp_path)
    assert (end.code, end.stdout, end.stderr) == (0, "quiz-tutor 0.1.0\n", "")


async def test_help_names_every_command(tmp_path: Path) -> None:
    end = await command("--help", folder=tmp_path)
    named = [line.split()[1] for line in end.stdout.splitlines() if line.startswith("│ ")]
    assert (end.code, end.stderr) == (0, "")
    assert [name for name in COMMANDS if name not in named] == []


@pytest.mark.parametrize("name", COMMANDS)
async def test_every_command_has_help(tmp_path: Path, name: str) -> None:
    end = await command(name, "--help", folder=tmp_path)
    usage, purpose = [line.strip() for line in end.stdout.splitlines() if line.strip()][:2]
    assert (end.code, end.stderr) == (0, "")
    assert usage.startswith("Usage:")
    assert purpose.endswith(".")


# What keeps the bot from starting


async def test_without_a_token_the_bot_refuses_to_start(tmp_path: Path) -> None:
    assert await refusal("run", folder=tmp_path) == f"{NO_TOKEN}\n"


async def test_what_is_no_token_is_a_fault_before_telegram_is_asked(tmp_path: Path) -> None:
    stderr = await refusal("run", folder=tmp_path, BOT_TOKEN="changeme")
    assert stderr.startswith("BOT_TOKEN can't be used: a token is digits, a colon and ")
    assert "@BotFather" in stderr
    assert (stderr.count("\n"), "changeme" in stderr) == (1, False)


async def test_the_token_may_stand_in_an_env_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"BOT_TOKEN='{TOKEN}'\nDEFAULT_LANGUAGE=xx\n")
    stderr = await refusal("run", folder=tmp_path)
    assert stderr.startswith("DEFAULT_LANGUAGE can't be used: the bot has no texts in 'xx'")


@pytest.mark.parametrize(("code", "description"), [(401, "Unauthorized"), (404, "Not Found")])
async def test_a_token_that_telegram_refuses_is_a_fault(
    tmp_path: Path, code: int, description: str
) -> None:
    async with served() as (telegram, url):
        telegram.faults.refuse("getMe", code, description)
        stderr = await refusal("run", folder=tmp_path, BOT_TOKEN=TOKEN, BOT_API_URL=url)
    assert stderr == f"{BAD_TOKEN}\n"


async def test_the_token_of_another_bot_is_a_fault(tmp_path: Path) -> None:
    async with served() as (_, url):
        stderr = await refusal("run", folder=tmp_path, BOT_TOKEN="4243:other", BOT_API_URL=url)
    assert stderr == f"{BAD_TOKEN}\n"


@pytest.mark.parametrize(
    ("name", "value", "beginning"),
    [
        ("LOG_LEVEL", "LOUD", "LOG_LEVEL can't be used: 'LOUD' is none of"),
        ("OPERATOR_IDS", "ada", "OPERATOR_IDS can't be used: 'ada' is no list"),
        ("MESSAGES_PER_SECOND", "fast", "MESSAGES_PER_SECOND can't be used: 'fast' is no number"),
        ("DEFAULT_LANGUAGE", "xx", "DEFAULT_LANGUAGE can't be used: the bot has no texts in 'xx'"),
        ("QUIZZES_PATH", "nowhere", "QUIZZES_PATH can't be used: there is no folder 'nowhere'"),
        ("BOT_API_URL", "telegram", "BOT_API_URL can't be used: 'telegram' is no http"),
    ],
)
async def test_a_setting_that_cannot_be_used_is_named(
    tmp_path: Path, name: str, value: str, beginning: str
) -> None:
    settings = {"BOT_TOKEN": TOKEN, name: value}

    stderr = await refusal("run", folder=tmp_path, **settings)

    assert stderr.startswith(beginning)
    assert stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [("run",), ("demo", "--no-browser")])
async def test_a_broken_quiz_is_a_fault(
    tmp_path: Path, broken_bank: Path, arguments: tuple[str, ...]
) -> None:
    stderr = await refusal(
        *arguments, folder=tmp_path, BOT_TOKEN=TOKEN, QUIZZES_PATH=str(broken_bank)
    )
    assert stderr.startswith(f"A quiz is broken: {broken_bank}/broken/quiz.yaml:")
    assert stderr.endswith("Run `quiz-tutor check`.\n")
    assert stderr.count("\n") == 1


# The database


async def make_database(path: Path, bot_id: int | None = None) -> None:
    database = await Database.open(path, SystemClock())
    if bot_id is not None:
        await database.transaction(lambda store: store.notes.put("bot", str(bot_id)))
    await database.close()


async def database_refusal(folder: Path, path: Path) -> str:
    stderr = await refusal("run", folder=folder, BOT_TOKEN=TOKEN, DATABASE_PATH=str(path))
    assert stderr.count("\n") == 1
    return stderr


async def test_a_database_that_is_newer_than_the_program_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "bot.sqlite3"
    await make_database(path)
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA user_version = 9999")
    raw.close()

    stderr = await database_refusal(tmp_path, path)

    assert "version 9999" in stderr
    assert "run the newer program" in stderr


async def test_a_database_of_another_bot_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "bot.sqlite3"
    await make_database(path, bot_id=77)

    async with served() as (_, url):
        stderr = await refusal(
            "run", folder=tmp_path, BOT_TOKEN=TOKEN, BOT_API_URL=url, DATABASE_PATH=str(path)
        )

    assert stderr.startswith("The database belongs to another bot (id 77, this one is 4242)")
    assert stderr.count("\n") == 1


async def test_a_database_that_is_no_sqlite_file_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "bot.sqlite3"
    path.write_text("Dear diary, " * 1000)
    assert "is no SQLite file" in await database_refusal(tmp_path, path)


async def test_a_database_of_another_program_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "bot.sqlite3"
    with sqlite3.connect(path) as raw:
        raw.execute("CREATE TABLE diary (entry TEXT)")
    raw.close()
    assert "belongs to another program" in await database_refusal(tmp_path, path)


async def test_a_database_in_a_place_that_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    stderr = await database_refusal(tmp_path, tmp_path / "file" / "bot.sqlite3")
    assert "can't be written" in stderr


async def test_a_database_that_is_a_folder_is_a_fault(tmp_path: Path) -> None:
    assert "can't be" in await database_refusal(tmp_path, tmp_path)


async def test_a_second_instance_on_the_same_database_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "bot.sqlite3"
    first = await Database.open(path, SystemClock())
    try:
        stderr = await database_refusal(tmp_path, path)
    finally:
        await first.close()
    assert stderr.startswith(f"Another instance is running on the database {path}")


# check and schema


def faults_of(end: Ended) -> list[str]:
    """The lines of a report, without warnings."""
    return [line for line in end.stdout.splitlines() if ": warning: " not in line]


async def test_check_ends_with_0_without_faults(tmp_path: Path) -> None:
    end = await command("check", str(BANK), folder=tmp_path)
    assert (end.code, faults_of(end)) == (0, [])
    assert "no faults" in end.stderr


async def test_check_without_a_path_reads_the_shipped_bank_and_the_operators_own(
    tmp_path: Path, broken_bank: Path
) -> None:
    shipped = await command("check", folder=tmp_path)
    both = await command("check", folder=tmp_path, QUIZZES_PATH=str(broken_bank))

    assert (shipped.code, shipped.stdout) == (0, "")
    assert both.code == 1
    (fault,) = faults_of(both)
    assert fault.startswith(f"{broken_bank}/broken/quiz.yaml:6: ")


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("bank", "bank/broken/quiz.yaml"),
        ("./bank", "./bank/broken/quiz.yaml"),
        ("./bank/broken", "./bank/broken/quiz.yaml"),
        ("../{folder}/bank", "../{folder}/bank/broken/quiz.yaml"),
        ("./bank/broken/quiz.yaml", "./bank/broken/quiz.yaml"),
    ],
)
async def test_check_ends_with_1_and_names_file_and_line_with_the_path_as_given(
    tmp_path: Path, broken_bank: Path, given: str, printed: str
) -> None:
    folder = broken_bank.parent.name

    end = await command("check", given.format(folder=folder), folder=tmp_path)

    (fault,) = faults_of(end)
    assert end.code == 1
    assert fault.startswith(f"{printed.format(folder=folder)}:6: ")
    assert "1 fault" in end.stderr


async def test_check_ends_with_2_where_the_path_does_not_exist(tmp_path: Path) -> None:
    end = await command("check", str(BANK), "./nowhere", folder=tmp_path)
    assert (end.code, end.stdout) == (2, "")
    assert end.stderr == "./nowhere does not exist: name a bank, a quiz or a file.\n"


async def test_check_writes_json_when_asked(tmp_path: Path, broken_bank: Path) -> None:
    end = await command("check", "bank", "--format", "json", folder=tmp_path)
    faults = [row for row in json.loads(end.stdout) if row["severity"] == "fault"]
    assert end.code == 1
    assert [(row["path"], row["line"]) for row in faults] == [("bank/broken/quiz.yaml", 6)]


async def test_check_needs_no_sound_settings_besides_its_own(tmp_path: Path) -> None:
    end = await command("check", folder=tmp_path, LOG_LEVEL="LOUD", OPERATOR_IDS="ada")
    assert (end.code, end.stdout) == (0, "")


async def test_schema_prints_a_json_schema(tmp_path: Path) -> None:
    end = await command("schema", folder=tmp_path)
    schema: dict[str, Any] = json.loads(end.stdout)
    assert (end.code, end.stderr) == (0, "")
    assert schema["$schema"].startswith("https://json-schema.org/")


# demo


async def demo_address(demo: asyncio.subprocess.Process) -> str:
    """The address in the one line that the demo prints."""
    assert demo.stdout is not None
    async with asyncio.timeout(LIMIT):
        line = (await demo.stdout.readline()).decode()
    _, found, rest = line.partition("http://127.0.0.1:")
    port, slash, _ = rest.partition("/")
    assert found
    assert slash
    assert port.isdigit()
    return f"http://127.0.0.1:{port}/"


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
async def test_the_demo_serves_its_page_until_a_signal(
    tmp_path: Path, signal_number: signal.Signals
) -> None:
    demo = await spawn("demo", "--no-browser", "--port", "0", folder=tmp_path)
    address = await demo_address(demo)
    async with aiohttp.ClientSession() as http, http.get(address) as response:
        page = await response.text()

    began = monotonic()
    demo.send_signal(signal_number)
    stdout, stderr = await demo.communicate()

    assert monotonic() - began < SECONDS_TO_END
    assert (demo.returncode, stdout) == (0, b"")
    assert "<html" in page
    assert b"Traceback" not in stderr
    assert list(tmp_path.iterdir()) == []


async def test_the_demo_ignores_the_settings_of_the_real_bot(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("BOT_TOKEN=77:real\nDATABASE_PATH=real.sqlite3\n")
    demo = await spawn(
        *("demo", "--no-browser"),
        folder=tmp_path,
        LOG_LEVEL="ERROR",
        MESSAGES_PER_SECOND="fast",
        OPERATOR_IDS="ada",
        DEFAULT_LANGUAGE="xx",
    )

    address = await demo_address(demo)
    demo.send_signal(signal.SIGTERM)
    _, stderr = await demo.communicate()

    assert address.startswith("http://127.0.0.1:")
    assert (demo.returncode, stderr) == (0, b"")
    assert [path.name for path in tmp_path.iterdir()] == [".env"]


async def test_a_port_that_is_taken_is_a_fault(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        stderr = await refusal("demo", "--no-browser", "--port", str(port), folder=tmp_path)
    assert stderr.startswith(f"The demo can't use port {port} (")
    assert stderr.count("\n") == 1


# The end of the process

STUCK = """\
import asyncio
import threading

from bot.__main__ import until_stopped


async def work(stopping):
    asyncio.get_running_loop().run_in_executor(None, threading.Event().wait)
    print("stuck", flush=True)
    await stopping.wait()


until_stopped(work)
"""


async def test_a_thread_that_waits_for_ever_does_not_hold_up_the_end(tmp_path: Path) -> None:
    script = tmp_path / "stuck.py"
    script.write_text(STUCK)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(script)),
        stdout=asyncio.subprocess.PIPE,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    await process.stdout.readline()

    began = monotonic()
    process.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(SECONDS_TO_END):
            code = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()

    assert code == 0
    assert monotonic() - began < SECONDS_TO_END
