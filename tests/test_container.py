"""What an operator starts the bot with: the image, Compose, systemd and the list of settings."""

import ast
import configparser
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from dotenv import dotenv_values

import bot.settings
from bot.settings import Settings, from_environment
from tests.dockerfile import DockerfileError, ignored, is_ignored, read

ROOT = Path(__file__).parent.parent
SECONDS_TO_END = 5
START_FAULT = "2"
"""The exit code of a bot that can't be used as it is set up."""

IMAGE = read((ROOT / "Dockerfile").read_text())
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
SERVICE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["bot"]


class _Unit(configparser.ConfigParser):
    """A unit of systemd; of what is said repeatedly the last counts, but for Environment."""

    def optionxform(self, name: str) -> str:
        return name


def unit() -> configparser.SectionProxy:
    parser = _Unit(strict=False, interpolation=None)
    parser.read(ROOT / "quiz-tutor.service")
    return parser["Service"]


# The image


def test_the_image_takes_in_the_packages_and_nothing_else_that_runs() -> None:
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert sorted(name for name in IMAGE.copied if (ROOT / name).is_dir()) == sorted(packages)
    assert [name for name in IMAGE.copied if not (ROOT / name).exists()] == []


def test_the_image_has_the_python_on_which_the_bot_is_tested() -> None:
    version = IMAGE.base.removeprefix("python:").removesuffix("-slim")
    assert PROJECT["project"]["requires-python"] == f">={version}"
    assert f"Python {version}" in (ROOT / ".ci" / "run").read_text()


def test_what_the_image_stores_is_in_its_volume() -> None:
    (volume,) = IMAGE.volumes
    assert Path(IMAGE.environment["DATABASE_PATH"]).parent == Path(volume)


def test_the_image_runs_the_bot_itself_as_pid_1_without_privileges() -> None:
    user, group = map(int, IMAGE.user.split(":"))
    assert IMAGE.command == ["quiz-tutor", "run"]
    assert user > 0
    assert group > 0


def test_the_image_tells_of_its_health_to_itself_alone() -> None:
    assert IMAGE.environment["LISTEN"].startswith("127.0.0.1:")
    assert "/healthz" in IMAGE.health[-1]
    assert "EXPOSE" not in (ROOT / "Dockerfile").read_text()


def test_a_command_that_goes_through_a_shell_is_refused() -> None:
    with pytest.raises(DockerfileError, match="goes through a shell"):
        read("FROM python:3.11-slim\nENTRYPOINT quiz-tutor run\n")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (".env", True),
        (".env.example", True),
        (".git/config", True),
        (".venv/bin/python", True),
        ("data/quiz-tutor.sqlite3", True),
        ("tests/process.py", True),
        ("bot/__pycache__/app.cpython-311.pyc", True),
        ("bot/demo/__pycache__/show.cpython-311.pyc", True),
        ("quizzes/bank/.env", True),
        ("bot/app.py", False),
        ("bot/locales/uk.ftl", False),
        ("quizzes/bank/lion/quiz.yaml", False),
        ("storage/migrations/0001_initial.sql", False),
        ("pyproject.toml", False),
    ],
)
def test_nothing_but_the_product_reaches_the_build(path: str, expected: bool) -> None:
    patterns = ignored((ROOT / ".dockerignore").read_text())
    assert is_ignored(Path(path), patterns) == expected


# Compose and systemd


def test_compose_gives_the_bot_time_to_end_and_starts_it_again() -> None:
    assert int(SERVICE["stop_grace_period"].removesuffix("s")) > SECONDS_TO_END
    assert SERVICE["restart"] == "unless-stopped"


def test_compose_opens_no_port_and_lets_the_bot_write_to_its_data_alone() -> None:
    (volume,) = IMAGE.volumes
    assert "ports" not in SERVICE
    assert (SERVICE["read_only"], SERVICE["cap_drop"]) == (True, ["ALL"])
    assert SERVICE["volumes"] == [f"data:{volume}"]
    assert SERVICE["tmpfs"] == ["/tmp"]
    assert SERVICE["env_file"] == ".env"


def test_systemd_gives_the_bot_time_to_end_and_does_not_repeat_a_fault_at_start() -> None:
    service = unit()
    assert int(service["TimeoutStopSec"]) > SECONDS_TO_END
    assert service["Restart"] == "on-failure"
    assert service["RestartPreventExitStatus"] == START_FAULT
    assert service["ExecStart"].endswith("/quiz-tutor run")


def test_systemd_lets_the_bot_write_to_its_state_alone() -> None:
    service = unit()
    state = f"%S/{service['StateDirectory']}"
    said = (ROOT / "quiz-tutor.service").read_text()
    assert service["ProtectSystem"] == "strict"
    assert service["NoNewPrivileges"] == "yes"
    assert service["User"] not in ("", "root")
    assert f"Environment=DATABASE_PATH={state}/quiz-tutor.sqlite3" in said


# The list of settings

EXAMPLE = (ROOT / ".env.example").read_text()


def setting_names() -> list[str]:
    """The variables that the bot reads."""
    tree = ast.parse(Path(bot.settings.__file__).read_text())
    return [
        call.args[0].value
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "read"
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
    ]


def test_the_example_has_every_setting_once() -> None:
    shown = re.findall(r"^#?([A-Z_]+)=", EXAMPLE, re.MULTILINE)
    assert sorted(shown) == sorted(setting_names())


def test_the_example_shows_the_defaults(tmp_path: Path) -> None:
    everything = re.sub(r"^#(?=[A-Z_]+=)", "", EXAMPLE, flags=re.MULTILINE)
    assert everything != EXAMPLE
    (tmp_path / ".env").write_text(everything)
    values = dotenv_values(tmp_path / ".env")

    assert from_environment({}, tmp_path) == Settings()
    assert {name: bool(value) for name, value in values.items()} == {
        name: bool(getattr(Settings(), name.lower(), None)) for name in values
    }


def test_the_example_as_it_is_sets_nothing(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(EXAMPLE)
    assert from_environment({}, tmp_path) == Settings()
