"""What is wrong with a quiz file, and where."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["fault", "warning"]

_LONGEST_SHOWN = 60


def shown(value: str) -> str:
    """A value as a message quotes it: short, on one line, without control characters."""
    if len(value) > _LONGEST_SHOWN:
        value = value[: _LONGEST_SHOWN - 3] + "..."
    return "".join(character if character.isprintable() else " " for character in value)


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing that an author should mend. Sorts by path, then by line.

    A fault keeps its quiz or translation out of the catalog; a warning does not.
    """

    path: str
    """The file or folder, beginning as the caller gave it."""
    line: int
    """From 1; 1 where the fault is the file's or the folder's as a whole."""
    message: str
    severity: Severity = "fault"

    def __str__(self) -> str:
        mark = "warning: " if self.severity == "warning" else ""
        return f"{self.path}:{self.line}: {mark}{self.message}"
