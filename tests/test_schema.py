"""quizzes/schema.json, by which an editor checks quiz files while an author types."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from typer.testing import CliRunner

import quizzes
from bot.__main__ import app
from quizzes.catalog import SHIPPED_BANK

SCHEMA = Path(quizzes.__file__).parent / "schema.json"
BANKS = Path(__file__).parent / "banks"
SHIPPED = sorted(SHIPPED_BANK.glob("*/*.yaml"))
REFERENCE = "# yaml-language-server: $schema=../../schema.json"


class EditorLoader(yaml.SafeLoader):
    """Reads YAML as editors do, by its JSON schema: no dates, no merging."""


EditorLoader.yaml_implicit_resolvers = {
    first: [
        (tag, pattern)
        for tag, pattern in resolvers
        if tag.rpartition(":")[2] in ("bool", "int", "float", "null")
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def named(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


def test_the_file_is_what_the_command_prints() -> None:
    printed = CliRunner().invoke(app, ["schema"]).stdout
    assert SCHEMA.read_text("utf-8") == printed, (
        "quizzes/schema.json is out of date: run `quiz-tutor schema > quizzes/schema.json`"
    )


@pytest.mark.parametrize("path", [*SHIPPED, *sorted(BANKS.rglob("*.yaml"))], ids=named)
def test_the_schema_takes_every_quiz_file(path: Path) -> None:
    schema: Any = json.loads(SCHEMA.read_bytes())
    # By way of JSON, as an editor sees it.
    data = json.loads(json.dumps(yaml.load(path.read_bytes(), Loader=EditorLoader)))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(data)] == []


@pytest.mark.parametrize("path", SHIPPED, ids=named)
def test_each_shipped_file_tells_editors_where_the_schema_is(path: Path) -> None:
    assert path.read_text("utf-8").splitlines()[0] == REFERENCE
    assert (path.parent / REFERENCE.partition("=")[2]).resolve() == SCHEMA.resolve()
