"""README.md and CONTRIBUTING.md say what the code does: commands, settings, quizzes, checks."""

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from bot.__main__ import app
from bot.commands import ADMIN_COMMANDS, COMMANDS, GROUP_COMMANDS
from quizzes.catalog import load
from storage.personal import _OWN
from tests.test_container import EXAMPLE, setting_names

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
DOCUMENTS = {"README.md": README, "CONTRIBUTING.md": CONTRIBUTING}

COMMAND_LINE: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def section(heading: str) -> str:
    """What stands under a heading of the README."""
    _, found, rest = README.partition(f"\n## {heading}\n")
    assert found, f"The README has no section {heading!r}."
    return rest.partition("\n## ")[0]


def rows(text: str) -> Iterator[list[str]]:
    """The cells of each row of the tables in a text, without their headings."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| `") and len(cells) > 1:
            yield cells


def quoted(text: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`\n]+)`", text)


def code_block(text: str, after: str) -> list[str]:
    """The lines of the first code block after a text."""
    block = text.partition(after)[2].partition("```sh\n")[2].partition("```")[0]
    return block.splitlines()


# The command line


def test_every_command_of_the_command_line_is_in_the_readme() -> None:
    assert [name for name in COMMAND_LINE if f"quiz-tutor {name}" not in README] == []


def test_every_option_of_the_command_line_is_in_the_readme() -> None:
    options = {
        (name, max(option.opts + option.secondary_opts, key=len))
        for name, command in COMMAND_LINE.items()
        for option in command.params
        if option.param_type_name == "option"
    }
    assert ("demo", "--no-browser") in options
    assert sorted(pair for pair in options if pair[1] not in README) == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_names_no_command_that_there_is_not(name: str) -> None:
    named = re.findall(r"\bquiz-tutor ([a-z]+)\b(?!\.)", DOCUMENTS[name])
    assert named
    assert sorted(set(named) - set(COMMAND_LINE)) == []


# Settings


def test_the_readme_has_a_row_for_every_setting() -> None:
    named = [name for first, *_ in rows(section("Settings")) for name in quoted(first)]
    assert sorted(named) == sorted(setting_names())


def test_the_readme_says_the_defaults() -> None:
    shown = dict(re.findall(r"^#?([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE))
    for first, *_, default in rows(section("Settings")):
        expected = [shown[name] for name in quoted(first) if shown[name]]
        said = [] if default.startswith("none") else quoted(default)
        assert said == expected, first


# The commands of the bot


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("In the private chat", [*COMMANDS]),
        ("In a group", [name for name in (*GROUP_COMMANDS, *ADMIN_COMMANDS) if name != "start"]),
    ],
)
def test_the_readme_has_every_command_of_the_bot(heading: str, expected: list[str]) -> None:
    first_cells = " ".join(cells[0] for cells in rows(section(heading)))
    assert sorted(quoted(first_cells)) == sorted(f"/{name}" for name in expected)


# What learners and authors rely on


def test_the_readme_has_every_table_that_holds_something_of_a_learner() -> None:
    named = [name for first, *_ in rows(section("What is stored")) for name in quoted(first)]
    assert sorted(named) == sorted(_OWN)


def test_the_quiz_in_the_readme_is_sound_and_translated_as_it_says(tmp_path: Path) -> None:
    files = re.findall(r"```yaml\n# my-quizzes/([^:\s]+)(.*?)```", README, re.DOTALL)
    for name, content in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"#{content}", "utf-8")
    catalog, faults = load([tmp_path])
    assert [str(fault) for fault in faults] == []
    assert list(catalog.languages("capitals")) == ["en", "uk"]


# Files and modules


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_file_that_is_named_exists(name: str) -> None:
    ours = {path.name for path in ROOT.iterdir()}
    named = {
        text
        for text in quoted(DOCUMENTS[name])
        if re.fullmatch(r"[\w./-]+", text) and text.split("/")[0] in ours
    }
    links = set(re.findall(r"\]\(([^):#]+)\)", DOCUMENTS[name]))
    assert named
    assert [path for path in sorted(named | links) if not (ROOT / path).exists()] == []


def test_a_module_that_the_readme_runs_exists() -> None:
    modules = set(re.findall(r"python -m ((?:tests|bot)[\w.]*)", README))
    assert modules
    assert [name for name in sorted(modules) if importlib.util.find_spec(name) is None] == []


# The checks


def test_ci_and_pre_commit_and_contributors_run_the_same_checks() -> None:
    told = code_block(CONTRIBUTING, "\n## Checks\n")
    ci = (ROOT / ".ci" / "run").read_text().partition('step "The checks of CONTRIBUTING.md"\n')[2]
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]

    assert told
    assert ci.partition("\n\n")[0].splitlines() == told
    assert [hook["entry"] for hook in local["hooks"]] == told
    assert {hook["language"] for hook in local["hooks"]} == {"system"}


def test_contributors_install_what_the_readme_installs() -> None:
    (installs,) = code_block(CONTRIBUTING, "\n## Set up\n")
    (line,) = code_block(README, "\n## Run the tests\n")
    assert line == f"{installs} && .venv/bin/pytest"
