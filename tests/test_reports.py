"""`quiz-tutor reports` as an operator sees it, on the file of a bot that runs."""

import json
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.clock import SystemClock
from bot.reports import NONE
from storage.database import Database
from tests.conversation import Talk, talking
from tests.process import BANK, Ended, command


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """A copy of the tests' bank, to be changed."""
    return Path(shutil.copytree(BANK, tmp_path / "bank"))


@pytest.fixture
async def talk(tmp_path: Path, bank: Path) -> AsyncIterator[Talk]:
    """A bot whose learners have reported a question in English, and later one in Ukrainian."""
    async with talking(tmp_path, bank=bank) as talk:
        for name, language, quiz_id in [("Ada", "en", "capitals"), ("Olena", "uk", "capitals")]:
            learner = talk.learner(name, language)
            await learner.sends(f"/quiz {quiz_id}")
            await learner.votes_right()
            await learner.taps(talk.texts.words(language)("button-report"))
            await talk.clock.advance(90)
        yield talk


async def reports(talk: Talk, *options: str, bank: Path | None = None) -> Ended:
    """What the command says of the bot's database, with the bank as it is now."""
    path = talk.settings.database_path
    banks = {"QUIZZES_PATH": str(bank)} if bank else {}
    return await command("reports", *options, folder=path.parent, DATABASE_PATH=str(path), **banks)


def asked(talk: Talk, language: str) -> str:
    """The hash of the first capital's texts when it was asked."""
    quiz = talk.catalog.quiz("capitals", language, None)
    assert quiz is not None
    return quiz.questions[0].fingerprint


async def test_reports_are_listed_oldest_first_while_the_bot_runs(talk: Talk, bank: Path) -> None:
    end = await reports(talk, bank=bank)
    assert (end.code, end.stderr) == (0, "")
    assert end.stdout.splitlines() == [
        f"2026-03-02T09:00Z  capitals/france  en  {asked(talk, 'en')}  unchanged",
        f"2026-03-02T09:01Z  capitals/france  uk  {asked(talk, 'uk')}  unchanged",
    ]


async def test_a_question_that_was_mended_in_one_language_has_changed_in_that_one(
    talk: Talk, bank: Path
) -> None:
    file = bank / "capitals" / "quiz.yaml"
    file.write_text(file.read_text().replace("capital of France", "capital city of France"))

    end = await reports(talk, bank=bank)

    assert [line.split()[-1] for line in end.stdout.splitlines()] == ["changed", "unchanged"]


async def test_a_question_that_left_the_bank_is_gone(talk: Talk) -> None:
    end = await reports(talk)
    assert [line.split()[-1] for line in end.stdout.splitlines()] == ["gone", "gone"]


async def test_reports_are_written_as_json_when_asked(talk: Talk, bank: Path) -> None:
    end = await reports(talk, "--format", "json", bank=bank)
    first, second = json.loads(end.stdout)
    assert second["language"] == "uk"
    assert first == {
        "reported_at": "2026-03-02T09:00Z",
        "question": "capitals/france",
        "language": "en",
        "fingerprint": asked(talk, "en"),
        "state": "unchanged",
    }


async def test_a_report_outlives_the_data_of_who_made_it(talk: Talk, bank: Path) -> None:
    learner = talk.learner("Grace", "en")
    await learner.sends("/quiz odd-forms")
    await learner.votes_right()
    await learner.taps(talk.texts.words("en")("button-report"))
    await learner.sends("/forget")
    await learner.taps_first()

    end = await reports(talk, bank=bank)

    assert end.stdout.splitlines()[-1].split()[1].startswith("odd-forms/")


@pytest.mark.parametrize(("options", "stdout"), [((), ""), (("--format", "json"), "[]\n")])
async def test_without_reports_the_command_says_so_and_ends_with_0(
    tmp_path: Path, options: tuple[str, ...], stdout: str
) -> None:
    async with talking(tmp_path) as talk:
        end = await reports(talk, *options)
    assert (end.code, end.stdout, end.stderr) == (0, stdout, f"{NONE}\n")


async def refusal(folder: Path, path: Path, **settings: str) -> str:
    """The one sentence of a command that can't read a database."""
    end = await command("reports", folder=folder, DATABASE_PATH=str(path), **settings)
    assert (end.code, end.stdout, end.stderr.count("\n")) == (2, "", 1)
    return end.stderr


async def test_without_a_database_nothing_is_made(tmp_path: Path) -> None:
    stderr = await refusal(tmp_path, tmp_path / "bot.sqlite3")
    assert stderr.startswith(f"There is no database {tmp_path}/bot.sqlite3: ")
    assert list(tmp_path.iterdir()) == []


async def test_a_file_that_is_no_database_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "bot.sqlite3"
    path.write_text("Dear diary, " * 1000)
    assert "is no SQLite file" in await refusal(tmp_path, path)


@pytest.mark.parametrize(
    ("version", "sentence"), [(9999, "run the newer program"), (1, "run the bot once")]
)
async def test_a_database_of_another_version_is_a_fault(
    tmp_path: Path, version: int, sentence: str
) -> None:
    path = tmp_path / "bot.sqlite3"
    await (await Database.open(path, SystemClock())).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA user_version = {version}")
    assert sentence in await refusal(tmp_path, path)


async def test_reports_need_no_sound_settings_besides_their_own(talk: Talk, bank: Path) -> None:
    path = talk.settings.database_path
    end = await command(
        *("reports", "--format", "text"),
        folder=path.parent,
        DATABASE_PATH=str(path),
        QUIZZES_PATH=str(bank),
        LOG_LEVEL="LOUD",
    )
    assert end.code == 0
