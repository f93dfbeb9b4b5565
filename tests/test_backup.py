"""Copies: made while a bot runs, put back while none does, and never half of either."""

import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quizzes.attempt import QuestionRef
from storage.copies import PART, SKIPPED_IDS, back_up, restore
from storage.schema import APPLICATION_ID, migrations
from storage.store import Store
from storage.trouble import DatabaseError
from tests.clock import START
from tests.conversation import Learner, Talk
from tests.process import Ended, command
from tests.stores import files_end_at, hears, held, opened, python

SCHEMAS = Path(__file__).parent / "schemas"
FRANCE = QuestionRef("capitals", "france")
NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
KEPT = "bot.sqlite3.20260304T050607Z"
NEWEST = migrations()[-1][0]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database is."""
    return tmp_path / "data" / "bot.sqlite3"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Where its copy is."""
    folder = tmp_path / "copies"
    folder.mkdir()
    return folder / "copy.sqlite3"


def answer(store: Store) -> None:
    """Store one more answer, and whose database it is."""
    store.notes.put("bot", "4242")
    store.learners.meet(1, "Ada", "en", START)
    poll_id = store.polls.add(1, FRANCE, "en", "print", [0, 1], [0], START)
    store.answers.add(poll_id, 1, [0], True, START)


async def fill(path: Path, answers: int = 1, work: Callable[[Store], None] = answer) -> None:
    """A database with so many answers more."""
    async with opened(path) as database:
        for _ in range(answers):
            await database.transaction(work)


async def answers(path: Path) -> int:
    """How many answers a database holds, as the bot finds it."""
    async with opened(path) as database:
        return len(await database.transaction(lambda store: store.answers.given()))


def ask(path: Path, query: str) -> list[tuple[object, ...]]:
    """What a plain SQLite finds in a file."""
    with closing(sqlite3.connect(path)) as raw:
        return raw.execute(query).fetchall()


def refusal(work: Callable[[], object]) -> str:
    with pytest.raises(DatabaseError) as refused:
        work()
    return str(refused.value)


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def damage(path: Path) -> None:
    """Overwrite the last pages, which are read only when something in them is asked for."""
    with path.open("r+b") as file:
        file.seek(-3 * 4096, os.SEEK_END)
        file.write(b"\xff" * 3 * 4096)


# Backup


async def test_a_copy_is_one_private_file_that_is_whole(path: Path, copy: Path) -> None:
    umask = os.umask(0)
    try:
        async with opened(path) as database:
            await database.transaction(answer)
            made = back_up(path, copy)
    finally:
        os.umask(umask)
    assert (made.answers, made.learners, made.size) == (1, 1, copy.stat().st_size)
    assert copy.stat().st_mode & 0o777 == 0o600
    assert ask(copy, "PRAGMA integrity_check") == [("ok",)]
    assert ask(copy, "PRAGMA foreign_key_check") == []
    assert ask(copy, "PRAGMA user_version") == [(NEWEST,)]
    assert ask(copy, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert names(copy.parent) == ["copy.sqlite3"]  # and nothing beside it, which could get lost


async def test_a_backup_waits_for_no_writer_and_no_writer_waits_for_it(
    path: Path, copy: Path
) -> None:
    await fill(path)
    with held(path):
        assert back_up(path, copy).answers == 1


_WRITE = """
import asyncio, sys
from pathlib import Path
from bot.clock import SystemClock
from storage.database import Database

def count_up(store):
    number = int(store.notes.get("count") or 0) + 1
    store.notes.put("count", str(number))
    for i in range(50):
        store.notes.put(f"filling {number % 20} {i}", str(number) * 500)
    store.notes.put("same count", str(number))
    return number

async def main():
    database = await Database.open(Path(sys.argv[1]), SystemClock())
    while True:
        print(await database.transaction(count_up), flush=True)

asyncio.run(main())
"""


def test_a_copy_holds_one_moment_however_much_is_written_meanwhile(path: Path, copy: Path) -> None:
    with python(_WRITE, path) as process:
        for i in range(10):
            before = int(hears(process))
            target = copy.with_name(f"{i}.sqlite3")
            back_up(path, target)
            found = ask(target, "SELECT value FROM notes WHERE name LIKE '%count'")
            assert len(set(found)) == 1
            assert int(str(found[0][0])) >= before


async def test_a_database_that_was_not_closed_is_copied_with_its_log(
    path: Path, copy: Path
) -> None:
    with python(_WRITE, path) as process:
        for _ in range(5):
            assert hears(process)
        process.kill()
        process.wait()
    assert Path(f"{path}-wal").stat().st_size > 0
    back_up(path, copy)
    ((number,),) = ask(copy, "SELECT value FROM notes WHERE name = 'count'")
    assert int(str(number)) >= 5


@pytest.mark.parametrize("taken", ["copy.sqlite3", "copy.sqlite3-wal", "copy.sqlite3-journal"])
async def test_nothing_is_overwritten(path: Path, copy: Path, taken: str) -> None:
    await fill(path)
    file = copy.with_name(taken)
    file.write_text("mine")
    assert refusal(lambda: back_up(path, copy)) == (
        f"{file} exists already: name a file that does not."
    )
    assert (names(copy.parent), file.read_text()) == ([taken], "mine")


async def test_a_copy_that_finds_no_space_leaves_nothing(path: Path, copy: Path) -> None:
    await fill(path)
    with files_end_at(50_000):
        sentence = refusal(lambda: back_up(path, copy))
    assert sentence.startswith(f"{copy} can't be written (")
    assert "space" in sentence
    assert names(copy.parent) == []


_STAND_STILL = """
import sys
from pathlib import Path
from storage.copies import back_up

def wait(event, arguments):
    if event == "os.rename":
        print("all but named", flush=True)
        sys.stdin.readline()

sys.addaudithook(wait)
back_up(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def parts(folder: Path) -> list[str]:
    return [name for name in names(folder) if name.endswith(PART)]


async def test_what_a_killed_backup_left_goes_with_the_next_one(path: Path, copy: Path) -> None:
    await fill(path)
    with python(_STAND_STILL, path, copy) as process:
        assert hears(process) == "all but named"
        process.kill()
        process.wait()
    assert names(copy.parent) == parts(copy.parent) != []
    other = copy.with_name("other.sqlite3")
    back_up(path, other)
    assert names(copy.parent) == ["other.sqlite3"]


async def test_a_backup_leaves_another_to_the_same_folder_alone(path: Path, copy: Path) -> None:
    await fill(path)
    first = copy.with_name("first.sqlite3")
    with python(_STAND_STILL, path, first) as process:
        assert hears(process) == "all but named"
        back_up(path, copy)
        assert len(parts(copy.parent)) == 1
        process.communicate("\n")
        assert process.returncode == 0
    assert names(copy.parent) == ["copy.sqlite3", "first.sqlite3"]
    assert back_up(first, first.with_name("second.sqlite3")).answers == 1


async def test_a_place_that_cannot_be_written_is_named(path: Path, copy: Path) -> None:
    await fill(path)
    copy.touch()
    sentence = refusal(lambda: back_up(path, copy / "copy.sqlite3"))
    assert sentence.startswith(f"{copy}/copy.sqlite3 can't be written (Not a directory)")


async def test_a_damaged_database_is_not_copied(path: Path, copy: Path) -> None:
    await fill(path, 20)
    damage(path)
    assert refusal(lambda: back_up(path, copy)) == (
        f"{path} is damaged, so no copy of it is made: use an older copy."
    )
    assert names(copy.parent) == []


def test_without_a_database_there_is_no_copy(path: Path, copy: Path) -> None:
    assert refusal(lambda: back_up(path, copy)).startswith(f"There is no database {path}")
    assert names(copy.parent) == []


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("", "The database {path} is empty: run the bot first"),
        ("CREATE TABLE photos (id INTEGER)", "The database belongs to another program"),
    ],
)
def test_what_is_no_database_of_a_bot_is_not_copied(
    path: Path, copy: Path, script: str, sentence: str
) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(script)
    assert refusal(lambda: back_up(path, copy)).startswith(sentence.format(path=path))
    assert names(copy.parent) == []


def test_a_folder_in_the_databases_place_is_not_copied(path: Path, copy: Path) -> None:
    path.mkdir(parents=True)
    assert refusal(lambda: back_up(path, copy)).startswith(f"There is no database {path}")
    assert names(copy.parent) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
async def test_a_database_that_may_not_be_read_is_not_copied(path: Path, copy: Path) -> None:
    await fill(path)
    path.chmod(0)
    assert refusal(lambda: back_up(path, copy)).startswith(f"The database {path} can't be used")
    assert names(copy.parent) == []


@pytest.mark.parametrize("version", range(1, NEWEST + 1))
async def test_a_database_of_an_older_version_is_copied_and_restored(
    path: Path, copy: Path, version: int
) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript((SCHEMAS / f"{version:04}.sql").read_text("utf-8"))
    made = back_up(path, copy)
    assert ask(copy, "PRAGMA user_version") == [(version,)]
    path.unlink()
    assert restore(path, copy, NOW).copy.answers == made.answers
    assert await answers(path) == made.answers


# Restore


async def test_what_was_stored_after_the_copy_is_gone_and_kept_beside(
    path: Path, copy: Path
) -> None:
    await fill(path, 2)
    back_up(path, copy)
    await fill(path, 3)
    done = restore(path, copy, NOW)
    assert done.kept == path.with_name(KEPT)
    assert path.stat().st_mode & 0o777 == 0o600
    assert (await answers(path), await answers(done.kept)) == (2, 5)


async def test_a_copy_is_restored_where_there_is_no_database(path: Path, copy: Path) -> None:
    await fill(path, 2)
    back_up(path, copy)
    other = path.parent.parent / "elsewhere" / "bot.sqlite3"
    done = restore(other, copy, NOW)
    assert done.kept is None
    assert await answers(other) == 2


async def test_a_log_without_its_database_is_not_applied_to_the_copy(
    path: Path, copy: Path
) -> None:
    await fill(path)
    back_up(path, copy)
    with python(_WRITE, path) as process:
        assert hears(process)
        process.kill()
        process.wait()
    path.unlink()
    restore(path, copy, NOW)
    assert ask(path, "SELECT count(*) FROM notes") == [(1,)]
    assert ask(path, "PRAGMA integrity_check") == [("ok",)]


async def test_what_is_kept_has_all_that_was_stored_before_a_crash(path: Path, copy: Path) -> None:
    await fill(path)
    back_up(path, copy)
    with python(_WRITE, path) as process:
        for _ in range(5):
            assert hears(process)
        process.kill()
        process.wait()
    kept = restore(path, copy, NOW).kept
    assert kept is not None
    ((number,),) = ask(kept, "SELECT value FROM notes WHERE name = 'count'")
    assert int(str(number)) >= 5


@pytest.mark.parametrize("header", [True, False])
async def test_a_damaged_database_is_replaced_and_kept(
    path: Path, copy: Path, header: bool
) -> None:
    await fill(path, 20)
    back_up(path, copy)
    if header:
        path.write_bytes(b"\xff" * 8192)
    else:
        damage(path)
    before = path.read_bytes()[4096:]
    kept = restore(path, copy, NOW).kept
    assert kept is not None
    assert kept.read_bytes()[4096:] == before
    assert await answers(path) == 20


async def test_while_a_bot_runs_nothing_is_restored(path: Path, copy: Path) -> None:
    await fill(path)
    back_up(path, copy)
    async with opened(path) as database:
        sentence = refusal(lambda: restore(path, copy, NOW))
        await database.transaction(answer)
    assert sentence.startswith(f"Another instance is running on the database {path}")
    assert await answers(path) == 2


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("PRAGMA user_version = 9999", f"has version 9999 and this program knows {NEWEST}"),
        ("UPDATE notes SET value = '77'", "is a copy of another bot's database (id 77"),
        ("PRAGMA application_id = 77", "is no copy of a bot's database"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM learners", "is damaged"),
    ],
)
async def test_a_copy_that_does_not_fit_is_refused(
    path: Path, copy: Path, script: str, sentence: str
) -> None:
    await fill(path)
    back_up(path, copy)
    with closing(sqlite3.connect(copy)) as raw:
        raw.executescript(script)
    assert sentence in refusal(lambda: restore(path, copy, NOW))
    assert [name for name in names(path.parent) if name.endswith((".part", "Z"))] == []
    assert await answers(path) == 1


async def test_a_damaged_copy_is_refused(path: Path, copy: Path) -> None:
    await fill(path, 20)
    back_up(path, copy)
    damage(copy)
    assert "is damaged" in refusal(lambda: restore(path, copy, NOW))
    assert await answers(path) == 20


@pytest.mark.parametrize("content", [b"", b"Dear diary, " * 1000])
async def test_a_file_that_is_no_copy_is_refused(path: Path, copy: Path, content: bytes) -> None:
    await fill(path)
    copy.write_bytes(content)
    assert "name a file that `quiz-tutor backup` made" in refusal(lambda: restore(path, copy, NOW))
    assert await answers(path) == 1


async def test_a_database_is_no_copy_of_itself(path: Path) -> None:
    await fill(path)
    link = path.with_name("link")
    link.symlink_to(path)
    assert "is the database itself" in refusal(lambda: restore(path, link, NOW))


def test_another_programs_database_is_not_replaced(path: Path, copy: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(copy)) as raw:
        raw.executescript((SCHEMAS / f"{NEWEST:04}.sql").read_text("utf-8"))
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE photos (id INTEGER)")
    before = path.read_bytes()
    assert "belongs to another program" in refusal(lambda: restore(path, copy, NOW))
    assert path.read_bytes() == before


async def test_a_restore_that_finds_no_space_leaves_what_was_there(path: Path, copy: Path) -> None:
    await fill(path)
    back_up(path, copy)
    await fill(path)
    with files_end_at(50_000):
        assert "can't be written" in refusal(lambda: restore(path, copy, NOW))
    assert names(path.parent) == ["bot.sqlite3", "bot.sqlite3.lock"]
    assert await answers(path) == 2


_DIE = """
import os, signal, sys
from datetime import datetime, UTC
from pathlib import Path
from storage.copies import restore

path, copy, left = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])

def count_down(event, arguments):
    global left
    if event == "open" or event.startswith(("os.", "sqlite3.")):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(count_down)
restore(path, copy, datetime(2026, 3, 4, minute=left, tzinfo=UTC))
"""


@pytest.mark.slow
async def test_a_crash_at_any_moment_of_a_restore_leaves_the_old_or_the_new(
    path: Path, copy: Path
) -> None:
    await fill(path, 2)
    back_up(path, copy)
    found = set()
    for moment in range(1, 200):
        await fill(path, 3 - await answers(path))
        with python(_DIE, path, copy, moment) as process:
            code = process.wait()
        found.add(await answers(path))
        if code == 0:
            break
        assert code == -signal.SIGKILL
        assert ask(path, "PRAGMA integrity_check") == [("ok",)]
    # What a crash left half, or under two names, is gone with the next restore.
    assert code == 0
    assert path.stat().st_nlink == 1
    assert [name for name in names(path.parent) if name.endswith(".part")] == []
    assert moment > 10
    assert found == {2, 3}


# What it means to a bot and its learners


async def run(talk: Talk, *arguments: str | Path) -> Ended:
    """A command on the bot's database."""
    path = talk.settings.database_path
    words = [str(argument) for argument in arguments]
    return await command(*words, folder=path.parent, DATABASE_PATH=str(path))


async def test_the_commands_copy_while_the_bot_runs_and_restore_when_it_does_not(
    talk: Talk, ada: Learner, copy: Path
) -> None:
    await ada.sends("/quiz capitals")
    await ada.votes("Paris")

    made = await run(talk, "backup", copy)
    await ada.taps_first()
    await ada.votes_wrong()
    early = await run(talk, "restore", copy)
    await talk.stop()
    done = await run(talk, "restore", copy)
    await talk.start()
    await ada.sends("/stats")

    assert (made.code, made.stderr) == (0, "")
    assert made.stdout.startswith(f"{copy}: ")
    assert "answers: 1, learners: 1. Copied and checked in " in made.stdout
    assert (early.code, early.stdout) == (2, "")
    assert early.stderr.startswith("Another instance is running on the database")
    assert (done.code, done.stderr) == (0, "")
    assert "answers: 1, learners: 1" in done.stdout
    assert "What was there before is kept as " in done.stdout
    assert "Answers: 1" in ada.hears[0]


async def test_a_command_that_fails_says_so_in_one_sentence(talk: Talk, copy: Path) -> None:
    copy.touch()
    for end in (await run(talk, "backup", copy), await run(talk, "restore", copy.parent)):
        assert (end.code, end.stdout, end.stderr.count("\n")) == (2, "", 1)


async def go_back(talk: Talk, copy: Path) -> None:
    """The bot ends, the copy is put back, and the bot starts again."""
    await talk.stop()
    restore(talk.settings.database_path, copy, talk.clock.now())
    await talk.start()


async def test_a_question_that_waited_and_was_sent_since_is_not_sent_again_and_counts(
    talk: Talk, ada: Learner, copy: Path
) -> None:
    talk.telegram.faults.refuse(
        "sendPoll", 429, "Too Many Requests: retry after 7", parameters={"retry_after": 7}
    )
    await ada.sends("/quiz capitals")
    back_up(talk.settings.database_path, copy)
    await talk.clock.advance(8)

    await go_back(talk, copy)
    await talk.clock.advance(60)
    assert len([message for message in ada.messages if message.poll]) == 1
    await ada.votes("Paris")

    assert ada.hears[0].startswith("✅ Right")
    await ada.sends("/stats")
    assert "Answers: 1" in ada.hears[0]


async def test_a_vote_since_the_copy_is_not_known_and_the_learner_goes_on_by_the_command(
    talk: Talk, ada: Learner, copy: Path
) -> None:
    await ada.sends("/quiz capitals")
    back_up(talk.settings.database_path, copy)
    await ada.votes("Paris")
    await ada.taps_first()

    await go_back(talk, copy)
    await ada.sends("/quiz capitals")
    await ada.taps_first()
    await ada.votes("Paris")

    assert ada.hears[0].startswith("✅ Right")


async def test_a_button_from_after_the_copy_is_never_taken_for_another(
    talk: Talk, ada: Learner, copy: Path
) -> None:
    back_up(talk.settings.database_path, copy)
    await ada.sends("/quiz capitals")
    await ada.votes("Paris")
    lost = next(message for message in reversed(ada.messages) if message.keyboard)
    await ada.taps("Next 2/3", on=lost)

    await go_back(talk, copy)
    await ada.sends("/quiz capitals")
    press = await ada.taps("Next 2/3", on=lost)

    assert press.answer is not None
    assert ada.news == []


async def test_no_id_is_given_twice_even_in_tables_that_were_empty(path: Path, copy: Path) -> None:
    await fill(path)
    back_up(path, copy)
    restore(path, copy, NOW)
    async with opened(path) as database:
        poll_id = await database.transaction(
            lambda store: store.polls.add(1, FRANCE, "en", "print", [0, 1], [0], START)
        )
        first = await database.transaction(
            lambda store: store.attempts.start(1, "quiz", "capitals", [FRANCE], START)
        )
    assert (poll_id, first.id) == (SKIPPED_IDS + 2, SKIPPED_IDS + 1)
