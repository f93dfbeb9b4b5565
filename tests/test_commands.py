"""Every command is tried in a conversation: what a new one is easily added without."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.commands import ALL_GROUP_COMMANDS, COMMANDS


def sent_texts(tree: ast.AST) -> Iterator[str]:
    """What people write in the conversations of a module, as far as it stands there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            text = next(iter(node.args), None)
            if isinstance(text, ast.JoinedStr):
                text = next(iter(text.values), None)
            if node.func.attr == "sends" and isinstance(text, ast.Constant):
                yield str(text.value)


@pytest.fixture(scope="module")
def tried() -> set[str]:
    """The commands that the conversations of the tests begin a message with."""
    modules = Path(__file__).parent.glob("test_*.py")
    texts = [text for path in modules for text in sent_texts(ast.parse(path.read_text("utf-8")))]
    return {text.split()[0].split("@")[0] for text in texts if text.startswith("/")}


@pytest.mark.parametrize("name", sorted({*COMMANDS, *ALL_GROUP_COMMANDS}))
def test_a_command_is_tried_in_a_conversation(name: str, tried: set[str]) -> None:
    assert f"/{name}" in tried, f'no test in tests/ has `await ada.sends("/{name}")`'
