"""`quiz-tutor failures`: what was set aside, and trying it again while the bot runs."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.failures import NONE
from bot.worker import LOOK_SECONDS
from quizzes.catalog import Catalog, load
from quizzes.quiz import Quiz
from tests.conversation import BANKS, Learner, Talk, talking
from tests.process import BotProcess, Ended, LiveLearner, command, served


class FlawedCatalog(Catalog):
    """A bank in which one quiz can't be read as long as the flaw is not mended."""

    mended = False

    def quiz(self, quiz_id: str, language: str | None, default_language: str | None) -> Quiz | None:
        if quiz_id == "odd-forms" and not self.mended:
            raise RuntimeError("the quiz\nbroke")
        return super().quiz(quiz_id, language, default_language)


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[Talk]:
    """A bot that can't handle one quiz, and has an operator."""
    catalog, _ = load([BANKS / "talk"])
    flawed = FlawedCatalog(catalog.shelves, catalog.extent)
    async with talking(tmp_path, catalog=flawed, operator_ids=(1001,)) as talk:
        await talk.learner("Op").sends("hello")
        yield talk


def mend() -> None:
    """Do what a new version of the bot would."""
    FlawedCatalog.mended = True


@pytest.fixture(autouse=True)
def _flawed_again() -> None:
    FlawedCatalog.mended = False


async def failures(talk: Talk, *options: str) -> Ended:
    """What the command says of the bot's database."""
    path = talk.settings.database_path
    return await command("failures", *options, folder=path.parent, DATABASE_PATH=str(path))


async def test_a_failure_is_listed_with_whose_it_is_and_never_with_its_text(
    talk: Talk, ada: Learner
) -> None:
    await ada.sends("/quiz odd-forms")
    await ada.sends("/quiz odd-forms")

    end = await failures(talk)

    assert (end.code, end.stderr) == (0, "")
    assert end.stdout.splitlines() == [
        f"2026-03-02T09:00Z  update {number} (message)  chat {ada.id}  learner {ada.id}  tries 3"
        "  RuntimeError: the quiz broke"
        for number in (2, 3)
    ]


async def test_failures_of_every_kind_are_listed(talk: Talk, ada: Learner) -> None:
    talk.telegram.give({"poll_answer": {"user": ada.person.json, "option_ids": "?"}})
    talk.telegram.give(
        {"callback_query": {"from": ada.person.json, "message": {"chat": {"id": -5}}}}
    )
    await talk.settles()
    await talk.stop()
    with closing(sqlite3.connect(talk.settings.database_path)) as raw, raw:
        raw.executemany(
            "INSERT INTO inbox (kind, body, state, error, tries, received_at)"
            " VALUES (?, ?, 'failed', 'KeyError', 3, 0)",
            [("due", '{"kind":"close","subject":5}'), ("outcome", '{"stopped_poll":5}')],
        )

    end = await failures(talk, "--format", "json")

    found = json.loads(end.stdout)
    assert [(one["update_id"], one["kind"], one["chat_id"], one["tries"]) for one in found] == [
        (2, "poll_answer", None, 1),
        (3, "callback_query", -5, 1),
        (None, "close", None, 3),
        (None, "stopped_poll", None, 3),
    ]
    assert found[0]["learner_id"] == ada.id
    await talk.start()


async def test_a_failure_that_is_tried_again_takes_effect_while_the_bot_runs(
    talk: Talk, ada: Learner
) -> None:
    await ada.sends("/quiz odd-forms")
    mend()
    ada.look()

    end = await failures(talk, "--retry")
    await talk.clock.advance(LOOK_SECONDS)

    assert end.code == 0
    assert "update 2 (message)" in end.stdout
    assert end.stderr.startswith("To be tried again: 1. ")
    assert ada.poll_message in ada.news
    assert (await failures(talk)).stderr == f"{NONE}\n"


async def test_what_fails_again_is_set_aside_again_and_told_once(talk: Talk, ada: Learner) -> None:
    await ada.sends("/quiz odd-forms")

    await failures(talk, "--retry")
    await talk.clock.advance(LOOK_SECONDS)
    end = await failures(talk)

    assert "tries 6" in end.stdout
    told = [message.text for message in talk.telegram.chat(1001).messages]
    assert len([text for text in told if "could not be handled" in text]) == 1
    assert len(ada.messages) == 1  # one apology


async def test_a_failure_of_a_bot_that_does_not_run_waits_for_its_start(
    talk: Talk, ada: Learner
) -> None:
    await ada.sends("/quiz odd-forms")
    await talk.stop()
    mend()

    end = await failures(talk, "--retry")
    await talk.start()

    assert end.code == 0
    assert ada.messages[-1].poll


@pytest.mark.parametrize("options", [(), ("--retry",), ("--format", "json")])
async def test_without_failures_the_command_says_so_and_ends_with_0(
    talk: Talk, options: tuple[str, ...]
) -> None:
    end = await failures(talk, *options)
    assert (end.code, end.stderr) == (0, f"{NONE}\n")
    assert end.stdout == ("[]\n" if "json" in options else "")


@pytest.mark.parametrize("options", [(), ("--retry",)])
async def test_without_a_database_nothing_is_made(tmp_path: Path, options: tuple[str, ...]) -> None:
    path = tmp_path / "bot.sqlite3"
    end = await command("failures", *options, folder=tmp_path, DATABASE_PATH=str(path))
    assert (end.code, end.stdout, end.stderr.count("\n")) == (2, "", 1)
    assert end.stderr.startswith(f"There is no database {path}: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
async def test_the_real_process_notices_what_is_to_be_tried_again(tmp_path: Path) -> None:
    async with served() as (telegram, url):
        bot = BotProcess(telegram, url, tmp_path)
        learner = LiveLearner(telegram)
        path = tmp_path / "data" / "quiz-tutor.sqlite3"
        try:
            await bot.start()
            telegram.give({"message": {"text": "?"}})
            await bot.logs("is set aside")
            learner.sends("/help")
            await learner.hears("What I understand")
            with closing(sqlite3.connect(path)) as raw, raw:
                # As if this version could read it.
                raw.execute("UPDATE inbox SET body = ? WHERE state = 'failed'", (asks(learner),))
            await command("failures", "--retry", folder=tmp_path)
            await learner.hears("You have not answered")
        finally:
            await bot.close()


def asks(learner: LiveLearner) -> str:
    """An update in which they ask for their statistics."""
    person = {"id": learner.id, "is_bot": False, "first_name": "Ada", "language_code": "en"}
    message = {
        "message_id": 900,
        "date": 1772442000,
        "chat": {"id": learner.id, "type": "private"},
        "from": person,
        "text": "/stats",
    }
    return json.dumps({"update_id": 900, "message": message})
