"""`quiz-tutor check --snippets`: what a snippet does, and what is said of it."""

import io
import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.__main__ import app
from bot.check import SnippetRun, run_check
from bot.snippets import examples
from quizzes.catalog import SHIPPED_BANK, load

LINE = 12
"""Where the snippet of the quiz below stands."""


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def write(
    bank: Path,
    code: str,
    prints: str | None = None,
    language: str = "python",
    name: str = "sums",
) -> Path:
    """A quiz of one question with this snippet; its file."""
    text = f"""\
language: en
title: Sums
questions:
  - id: one-and-one
    ask: What is 1 + 1?
    choices:
      - text: two
        correct: true
      - text: three
        why: Counted once too often.
    explain: One more than one.
    snippet:
      language: {language}
      code: {json.dumps(code, ensure_ascii=False)}
"""
    if prints is not None:
        text += f"      prints: {json.dumps(prints, ensure_ascii=False)}\n"
    file = bank / name / "quiz.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    return file


def checked(path: Path, how: SnippetRun | None = None) -> tuple[int, str, str]:
    """Exit code, stdout and summary of the snippets."""
    stdout, stderr = io.StringIO(), io.StringIO()
    code = run_check([path], "text", stdout, stderr, snippets=how or SnippetRun())
    return code, stdout.getvalue(), stderr.getvalue().splitlines()[-1]


@pytest.mark.parametrize(
    ("code", "prints"),
    [
        ("print(1 + 1)", "2"),
        ("print(1 + 1)\n\n", "2\n\n"),
        ("print('a\\tb')", "a   b"),
        ("print('два → 2 😀')", "два → 2 😀"),
        ("print(1)\nprint()\nprint(2)", "1\n\n2"),
        ("print('[0.1 1. ]  ')", "[0.1 1. ]"),
        ("print(input.__name__)", None),
        ("x = 1", None),
    ],
)
def test_a_snippet_that_prints_what_the_quiz_says_has_no_fault(
    tmp_path: Path, code: str, prints: str | None
) -> None:
    write(tmp_path, code, prints)
    assert checked(tmp_path) == (0, "", "1 snippet of Python: 1 ran")


@pytest.mark.parametrize(
    ("code", "prints", "expected"),
    [
        ("print(1 + 1)", "3", "printed `2` instead of `3`"),
        ("print(1)\nprint(2)", "1\n3", "printed `2` instead of `3` in line 2"),
        ("print(1)\nprint(2)", "1", "printed `2` instead of nothing in line 2"),
        ("print(1)", "1\n2", "printed nothing instead of `2` in line 2"),
        ("x = 1", "1", "printed nothing instead of `1`"),
        ("print(1)\nprint()\nprint(2)", "1\n2", "printed an empty line instead of `2` in line 2"),
        ("print(' 1')", "1", "printed ` 1` instead of `1`"),
        ("print(1)\n1 / 0", "1", "failed: ZeroDivisionError: division by zero"),
        ("print(", "1", "failed: SyntaxError: '(' was never closed"),
        ("import sys\nsys.exit(3)", None, "was ended with code 3"),
        ("import os\nos.abort()", None, "was ended by signal 6"),
        ("input()", None, "failed: EOFError: EOF when reading a line"),
        ("import json.no", None, "failed: ModuleNotFoundError: No module named 'json.no'"),
        ("while True:\n    print('x' * 999)", None, "printed more than 100000 bytes"),
    ],
)  # fmt: skip
def test_a_snippet_that_does_otherwise_is_a_fault_in_its_line(
    tmp_path: Path, code: str, prints: str | None, expected: str
) -> None:
    file = write(tmp_path, code, prints)
    assert checked(tmp_path)[:2] == (
        1,
        f"{file}:{LINE}: the snippet of question `one-and-one` {expected}\n",
    )


def test_a_snippet_that_does_not_end_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    code = """\
import subprocess, sys

child = [sys.executable, "-c", "while 1: 1"]
subprocess.run(child)
"""
    file = write(tmp_path, code)
    assert checked(tmp_path, SnippetRun(seconds=1)) == (
        1,
        f"{file}:{LINE}: the snippet of question `one-and-one` ran longer than 1 s\n",
        "1 snippet of Python: 1 ran",
    )


def test_what_a_snippet_writes_to_stderr_is_a_warning(tmp_path: Path) -> None:
    file = write(tmp_path, "import sys\nprint(2)\nprint('slow!', file=sys.stderr)", "2")
    assert checked(tmp_path) == (
        0,
        f"{file}:{LINE}: warning: the snippet of question `one-and-one` wrote to stderr: slow!\n",
        "1 snippet of Python: 1 ran",
    )


def test_a_snippet_whose_module_is_missing_is_skipped_and_counted(tmp_path: Path) -> None:
    write(tmp_path, "import no_such_module.inside", "2")
    write(tmp_path, "from no_such_module import x", "2", name="more-sums")
    write(tmp_path, "print(2)", "2", name="most-sums")
    summary = "3 snippets of Python: 1 ran, 2 skipped for want of no_such_module (2)"
    assert checked(tmp_path) == (0, "", summary)


def test_who_insists_that_all_run_sees_a_fault_for_each_that_does_not(tmp_path: Path) -> None:
    file = write(tmp_path, "import no_such_module", "2")
    assert checked(tmp_path, SnippetRun(require_all=True)) == (
        1,
        f"{file}:{LINE}: the snippet of question `one-and-one` needs no_such_module,"
        " which is not installed here\n",
        "1 snippet of Python: 0 ran, 1 skipped for want of no_such_module (1)",
    )


def test_only_a_person_at_a_terminal_sees_how_far_the_snippets_have_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    write(tmp_path, "print(2)", "2")
    piped, terminal = io.StringIO(), Terminal()
    run_check([tmp_path], "text", io.StringIO(), piped, snippets=SnippetRun())
    run_check([tmp_path], "text", io.StringIO(), terminal, snippets=SnippetRun())
    assert piped.getvalue().splitlines() == [
        "1 quiz, 1 file, 1 question: no faults, no warnings",
        "1 snippet of Python: 1 ran",
    ]
    assert "running the snippets" in terminal.getvalue()
    assert terminal.getvalue().endswith(piped.getvalue())


def test_json_names_what_was_skipped(tmp_path: Path) -> None:
    file = write(tmp_path, "import no_such_module", "2")
    stdout = io.StringIO()
    assert run_check([tmp_path], "json", stdout, io.StringIO(), snippets=SnippetRun()) == 0
    assert json.loads(stdout.getvalue()) == [
        {
            "path": str(file),
            "line": LINE,
            "severity": "skipped",
            "message": "the snippet of question `one-and-one` needs no_such_module,"
            " which is not installed here",
        }
    ]


def test_snippets_in_other_languages_are_not_run(tmp_path: Path) -> None:
    write(tmp_path, "exit 1", language="bash")
    assert checked(tmp_path) == (0, "", "no snippets of Python: 0 ran")


def test_a_snippet_sees_no_file_and_no_secret_of_the_one_who_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOT_TOKEN", "1:secret")
    code = "import os\nprint('BOT_TOKEN' in os.environ, os.listdir())"
    write(tmp_path, code, "False ['snippet.py']")
    before = sorted(os.listdir())
    assert checked(tmp_path)[0] == 0
    assert sorted(os.listdir()) == before


def test_a_snippet_of_a_quiz_in_several_languages_runs_once() -> None:
    catalog, _ = load([SHIPPED_BANK])
    found = [example.question_id for example in examples(catalog)]
    own = [
        question.id
        for shelf in catalog.shelves.values()
        for question in shelf.own.questions
        if question.snippet
    ]
    assert found == own


def test_the_command_runs_snippets_where_it_is_asked_to(tmp_path: Path) -> None:
    write(tmp_path, "import no_such_module")
    command = CliRunner()
    assert "Python" not in command.invoke(app, ["check", str(tmp_path)]).stderr
    asked = command.invoke(app, ["check", "--snippets", str(tmp_path)])
    assert (asked.exit_code, asked.stdout) == (0, "")
    assert "1 skipped for want of no_such_module" in asked.stderr
    assert command.invoke(app, ["check", "--require-all", str(tmp_path)]).exit_code == 1


@pytest.mark.slow
def test_the_shipped_snippets_print_what_the_quizzes_say() -> None:
    code, stdout, summary = checked(SHIPPED_BANK)
    assert (code, stdout) == (0, "")
    assert summary.startswith(f"{len(examples(load([SHIPPED_BANK])[0]))} snippets of Python: ")
