"""An author's quizzes in the demo: when a save is noticed, and what can't be started."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.demo.authoring import LOOK_SECONDS, Edition, Watch, follow, read
from quizzes.catalog import SHIPPED_BANK
from tests.clock import ManualClock
from tests.conversation import BANKS

BREAKING = ("correct: true", "corect: true")


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """A bank with one sound quiz, `capitals`, in English and Ukrainian."""
    shutil.copytree(BANKS / "talk" / "capitals", tmp_path / "bank" / "capitals")
    return tmp_path / "bank"


@pytest.fixture
def quiz(bank: Path) -> Path:
    return bank / "capitals" / "quiz.yaml"


def watching(path: Path) -> Watch:
    """A watch that has seen what is there."""
    watch = Watch(str(path), read(str(path)))
    assert [watch.look(), watch.look()] == [None, None]
    return watch


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def found(watch: Watch) -> Edition:
    """What the second look after a change finds; the first waits for the files to stand still."""
    assert watch.look() is None
    edition = watch.look()
    assert edition is not None
    assert watch.look() is None
    return edition


def title(edition: Edition, language: str = "en") -> str | None:
    quiz = edition.catalog.quiz("capitals", language, None)
    return quiz.title if quiz else None


def test_files_that_nobody_touches_make_no_edition(bank: Path) -> None:
    watch = watching(bank)
    assert [watch.look() for _ in range(3)] == [None, None, None]


@pytest.mark.parametrize("path", ["", "capitals", "capitals/quiz.yaml"])
def test_a_saved_change_makes_an_edition_of_a_bank_a_folder_and_a_file(
    bank: Path, quiz: Path, path: str
) -> None:
    watch = watching(bank / path)
    change(quiz, "Capitals", "Cities")
    edition = found(watch)
    assert (title(edition), edition.broken) == ("Cities", ())


def test_a_translation_that_is_saved_makes_an_edition(bank: Path) -> None:
    watch = watching(bank)
    change(bank / "capitals" / "uk.yaml", "Столиці", "Міста")
    assert title(found(watch), "uk") == "Міста"


def test_an_editor_that_saves_by_renaming_a_new_file_is_noticed(bank: Path, quiz: Path) -> None:
    watch = watching(bank)
    before = quiz.stat()
    draft = quiz.with_name(".quiz.yaml.swp")
    draft.write_text(quiz.read_text("utf-8").replace("Capitals", "Catipals", 1), "utf-8")
    os.utime(draft, ns=(before.st_atime_ns, before.st_mtime_ns))
    draft.rename(quiz)
    assert title(found(watch)) == "Catipals"


def test_a_file_that_is_still_being_written_is_not_read(bank: Path, quiz: Path) -> None:
    watch = watching(bank)
    text = quiz.read_text("utf-8").replace("Capitals", "Cities", 1)
    for length in (0, 100, 300, len(text)):
        quiz.write_text(text[:length], "utf-8")
        assert watch.look() is None
    assert title(watch.look() or pytest.fail("Nothing was found.")) == "Cities"


def test_saving_without_a_change_makes_no_edition(bank: Path, quiz: Path) -> None:
    watch = watching(bank)
    quiz.write_text(quiz.read_text("utf-8"), "utf-8")
    os.utime(quiz, ns=(1, 1))
    assert [watch.look() for _ in range(3)] == [None, None, None]


def test_a_fault_is_told_with_file_and_line_and_the_mended_file_as_an_edition_again(
    bank: Path, quiz: Path
) -> None:
    watch = watching(bank)
    change(quiz, *BREAKING)
    lines = quiz.read_text("utf-8").splitlines()
    line = 1 + next(at for at, text in enumerate(lines) if "corect" in text)
    places = [(fault.path, fault.line) for fault in found(watch).broken]
    assert (str(quiz), line) in places
    change(quiz, *reversed(BREAKING))
    assert found(watch).broken == ()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda bank: shutil.rmtree(bank), "does not exist"),
        (lambda bank: (bank / "capitals" / "quiz.yaml").unlink(), "holds no quiz"),
        (lambda bank: (bank / "capitals" / "quiz.yaml").write_bytes(b"\xff"), "UTF-8"),
        (lambda bank: (bank / "capitals" / "quiz.yaml").write_bytes(b""), "empty"),
    ],
)
def test_what_is_deleted_or_no_text_is_a_fault(
    bank: Path, spoil: Callable[[Path], None], message: str
) -> None:
    watch = watching(bank)
    spoil(bank)
    assert message in found(watch).broken[0].message


def test_a_quiz_that_is_added_or_renamed_makes_an_edition(bank: Path) -> None:
    watch = watching(bank)
    shutil.copytree(bank / "capitals", bank / "cities")
    assert found(watch).catalog.quizzes == ("capitals", "cities")
    (bank / "capitals").rename(bank / "towns")
    assert found(watch).catalog.quizzes == ("cities", "towns")


async def test_the_files_are_looked_at_twice_a_second(bank: Path, quiz: Path) -> None:
    clock = ManualClock()
    published: asyncio.Queue[Edition] = asyncio.Queue()
    watch = watching(bank)
    change(quiz, "Capitals", "Cities")
    assert watch.look() is None
    following = asyncio.create_task(follow(watch, clock, published.put_nowait))
    await asyncio.sleep(0)
    await clock.advance(LOOK_SECONDS)
    edition = await asyncio.wait_for(published.get(), 30)
    following.cancel()
    assert (LOOK_SECONDS, title(edition)) == (0.5, "Cities")


def start(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The demo as a command that is expected to end by itself."""
    return subprocess.run(
        [sys.executable, "-m", "bot", "demo", "--no-browser", *options],
        cwd=folder,
        env={"PYTHONPATH": str(SHIPPED_BANK.parent.parent), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def says(folder: Path, path: str, **environment: str) -> list[str]:
    """What the demo writes until it is ready and told to end."""
    with subprocess.Popen(
        [sys.executable, "-m", "bot", "demo", "--no-browser", "--quiz", path],
        cwd=folder,
        env={"PYTHONPATH": str(SHIPPED_BANK.parent.parent), "PATH": "/usr/bin:/bin"} | environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as demo:
        assert demo.stdout is not None
        lines = [demo.stdout.readline(), demo.stdout.readline()]
        demo.terminate()
        return "".join((*lines, demo.stdout.read())).splitlines()


def test_the_demo_says_which_quiz_it_plays(bank: Path) -> None:
    address, *more = says(bank.parent, "bank")
    assert address.startswith("The demo is at http://127.0.0.1:")
    assert more == ["It plays Capitals: 3 questions in en, uk."]


def test_the_demo_says_how_much_it_plays_of_a_bank(bank: Path) -> None:
    shutil.copytree(BANKS / "talk" / "capitals", bank / "cities")
    (bank / "capitals" / "uk.yaml").unlink()
    assert says(bank.parent, "bank")[1:] == ["It plays 2 quizzes: 6 questions in en, uk."]


def test_a_title_that_the_terminal_cannot_show_does_not_break_the_demo(
    bank: Path, quiz: Path
) -> None:
    change(quiz, "Capitals", "Łódź")
    lines = says(bank.parent, "bank", PYTHONIOENCODING="ascii")
    assert lines[1:] == [r"It plays \u0141\xf3d\u017a: 3 questions in en, uk."]


def test_broken_quizzes_are_refused_at_start_with_every_fault(bank: Path, quiz: Path) -> None:
    for _ in range(2):
        change(quiz, *BREAKING)
    ended = start(bank.parent, "--quiz", "bank")
    faults = [str(fault) for fault in read(str(bank)).broken]
    expected = [fault.replace(f"{bank.parent}/", "") for fault in faults]
    assert (ended.returncode, ended.stdout.splitlines()) == (2, expected)
    assert ended.stderr == (
        f"A quiz is broken: {expected[0]} (and {len(expected) - 1} more). "
        "Mend it and start again.\n"
    )


def test_a_path_that_does_not_exist_is_refused_at_start(tmp_path: Path) -> None:
    ended = start(tmp_path, "--quiz", "nowhere")
    assert (ended.returncode, ended.stdout, ended.stderr) == (
        2,
        "",
        "nowhere does not exist: name a bank, a quiz or a file.\n",
    )
