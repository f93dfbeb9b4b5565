"""The report of `quiz-tutor check`: what stands where, in which form, and the exit code."""

import io
import json
from pathlib import Path

import pytest

from bot.check import missing_translations, run_check
from quizzes.catalog import load

ODD = Path(__file__).parent / "banks" / "odd"
QUIZ = """\
language: en
title: Sums
questions:
  - id: one-and-one
    ask: What is 1 + 1?
    choices: [{text: 2, correct: true}, {text: 3}]
    snippet: {language: python, code: print(1 + 1)}
"""


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def write(bank: Path, quiz: str, name: str = "sums") -> Path:
    file = bank / name / "quiz.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(quiz, encoding="utf-8")
    return file


def test_faults_go_to_stdout_and_the_summary_to_stderr(tmp_path: Path) -> None:
    file = write(tmp_path, QUIZ.replace("title: Sums\n", ""))
    stdout, stderr = io.StringIO(), io.StringIO()
    assert run_check([tmp_path], "text", stdout, stderr) == 1
    assert stdout.getvalue() == (
        f"{file}:1: `title` is missing: the file needs it\n"
        f"{file}:3: warning: no explanation: add `explain`\n"
    )
    assert stderr.getvalue() == "1 quiz, 1 file, 1 question: 1 fault, 1 warning\n"


def test_warnings_alone_are_no_failure(tmp_path: Path) -> None:
    write(tmp_path, QUIZ)
    stderr = io.StringIO()
    assert run_check([tmp_path], "text", io.StringIO(), stderr) == 0
    assert stderr.getvalue() == "1 quiz, 1 file, 1 question: no faults, 1 warning\n"


@pytest.mark.parametrize("output", ["text", "json"])
def test_a_path_that_does_not_exist_ends_with_2_and_one_sentence(
    tmp_path: Path, output: str
) -> None:
    stdout, stderr = io.StringIO(), io.StringIO()
    paths = [ODD, tmp_path / "none"]
    assert run_check(paths, "json" if output == "json" else "text", stdout, stderr) == 2
    assert stdout.getvalue() == ""
    assert stderr.getvalue() == (
        f"{tmp_path}/none does not exist: name a bank, a quiz or a file.\n"
    )


def test_json_is_a_list_of_path_line_severity_and_message(tmp_path: Path) -> None:
    file = write(tmp_path, QUIZ.replace("title: Sums\n", ""))
    stdout = io.StringIO()
    assert run_check([tmp_path], "json", stdout, io.StringIO()) == 1
    assert json.loads(stdout.getvalue()) == [
        {
            "path": str(file),
            "line": 1,
            "severity": "fault",
            "message": "`title` is missing: the file needs it",
        },
        {
            "path": str(file),
            "line": 3,
            "severity": "warning",
            "message": "no explanation: add `explain`",
        },
    ]


def test_json_without_faults_is_an_empty_list(tmp_path: Path) -> None:
    write(tmp_path, f"{QUIZ}    explain: One more than one.\n")
    stdout = io.StringIO()
    assert run_check([tmp_path], "json", stdout, io.StringIO()) == 0
    assert json.loads(stdout.getvalue()) == []


def test_missing_translations_are_listed_by_language() -> None:
    catalog, _ = load([ODD / "several-right", ODD / "as-written"])
    assert missing_translations(catalog) == {
        "ar": ("as-written",),
        "en": ("several-right",),
        "he": ("as-written",),
        "pt-BR": ("several-right",),
        "uk": ("as-written",),
    }
    stdout = io.StringIO()
    paths = [ODD / "several-right", ODD / "as-written"]
    assert run_check(paths, "text", stdout, io.StringIO(), missing=True) == 0
    assert stdout.getvalue().splitlines()[0] == "ar: no translation of as-written"
    stdout = io.StringIO()
    assert run_check(paths, "json", stdout, io.StringIO(), missing=True) == 0
    assert json.loads(stdout.getvalue())[0] == {
        "path": str(ODD / "as-written" / "ar.yaml"),
        "line": 1,
        "severity": "missing",
        "message": "no translation of `as-written` into ar",
    }


def test_a_terminal_sees_colours_and_the_same_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "20")
    write(tmp_path, QUIZ.replace("Sums", "'[bold]:smile:' x").replace("ask:", "ask: '[/red]'"))
    plain, coloured = io.StringIO(), Terminal()
    run_check([tmp_path], "text", plain, io.StringIO())
    run_check([tmp_path], "text", coloured, io.StringIO())
    assert "\x1b[" not in plain.getvalue()
    assert "\x1b[" in coloured.getvalue()
    assert _without_colours(coloured.getvalue()) == plain.getvalue()


def _without_colours(text: str) -> str:
    parts = text.split("\x1b[")
    return parts[0] + "".join(part.split("m", 1)[1] for part in parts[1:])


def test_what_a_stream_cannot_write_is_escaped(tmp_path: Path) -> None:
    write(tmp_path, QUIZ, name="сума")
    raw = io.BytesIO()
    stdout = io.TextIOWrapper(raw, encoding="ascii")
    assert run_check([tmp_path], "text", stdout, io.StringIO()) == 1
    stdout.flush()
    assert b"the folder's name `\\u0441\\u0443\\u043c\\u0430` is no id" in raw.getvalue()


def test_a_file_name_that_is_no_text_is_escaped(tmp_path: Path) -> None:
    write(tmp_path, QUIZ, name="sums\udcff")
    raw = io.BytesIO()
    stdout = io.TextIOWrapper(raw, encoding="utf-8")
    assert run_check([tmp_path], "text", stdout, io.StringIO()) == 1
    stdout.flush()
    assert b"sums\\udcff/quiz.yaml:1: the folder's name" in raw.getvalue()
