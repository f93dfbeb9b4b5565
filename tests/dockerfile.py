"""What a Dockerfile and a .dockerignore say, as far as ours go."""

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path


class DockerfileError(Exception):
    """A Dockerfile says what it should not, or what is not understood here."""


@dataclass(slots=True)
class Image:
    """What a Dockerfile leads to."""

    base: str = ""
    steps: list[tuple[str, str]] = field(default_factory=list)
    """COPY, RUN and WORKDIR with what follows them, in order."""
    environment: dict[str, str] = field(default_factory=dict)
    user: str = "root"
    folder: str = "/"
    volumes: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    """What PID 1 is, with its arguments."""

    @property
    def copied(self) -> list[str]:
        """What is taken out of the repository."""
        return [
            source
            for word, said in self.steps
            if word == "COPY"
            for source in shlex.split(said)[:-1]
        ]


def read(text: str) -> Image:
    """The image of a Dockerfile. Raises DockerfileError for what this reader does not know."""
    image = Image()
    for word, said in _instructions(text):
        match word:
            case "FROM" if not image.base:
                image.base = said
            case "ENV":
                pairs = (pair.partition("=") for pair in shlex.split(said))
                image.environment |= {name: value for name, _, value in pairs}
            case "COPY" | "RUN":
                image.steps.append((word, said))
            case "WORKDIR":
                image.steps.append((word, said))
                image.folder = said
            case "USER":
                image.user = said
            case "VOLUME":
                image.volumes.append(said)
            case "HEALTHCHECK":
                image.health = _exec_form(said.partition("CMD ")[2])
            case "ENTRYPOINT":
                image.command = _exec_form(said)
            case "CMD":
                image.command += _exec_form(said)
            case _:
                raise DockerfileError(f"Nobody here knows what `{word} {said}` means.")
    return image


def _instructions(text: str) -> Iterator[tuple[str, str]]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    for line in filter(str.strip, joined.splitlines()):
        word, _, said = line.partition(" ")
        yield word.upper(), said.strip()


def _exec_form(said: str) -> list[str]:
    try:
        words: list[str] = json.loads(said)
    except ValueError:
        raise DockerfileError(f"`{said}` goes through a shell, which keeps signals.") from None
    return words


def ignored(text: str) -> Sequence[str]:
    """The patterns of a .dockerignore."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def is_ignored(path: Path, patterns: Sequence[str]) -> bool:
    """Whether a path stays out: the last pattern that fits it or a folder above it decides."""
    result = False
    for pattern in patterns:
        wanted = pattern.removeprefix("!")
        name = wanted.removeprefix("**/")
        above = [path, *path.parents][:-1]
        found = [one.name if name != wanted else str(one) for one in above]
        if any(fnmatch(one, name) for one in found):
            result = not pattern.startswith("!")
    return result
