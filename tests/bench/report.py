"""What a benchmark found, as a table and as JSON."""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Report:
    """One table. The first column says what a row is about."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    notes: tuple[str, ...] = ()
    """How it was measured, and the goal."""

    def show(self, console: Console) -> None:
        """Write it for people."""
        table = Table(title=self.title, title_justify="left", title_style="bold")
        for i, column in enumerate(self.columns):
            table.add_column(column, justify="right" if i else "left", no_wrap=not i)
        for row in self.rows:
            table.add_row(*row)
        console.print(table)
        for note in self.notes:
            console.print(note, highlight=False)
        console.print()

    def as_json(self) -> dict[str, Any]:
        """The same for programs."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}


def spread(values: Sequence[float], digits: int = 1) -> str:
    """The median, and between which values it lies where there are several."""
    if len(values) == 1:
        return f"{values[0]:.{digits}f}"
    least, most = min(values), max(values)
    return f"{median(values):.{digits}f} ({least:.{digits}f} to {most:.{digits}f})"


def ratio(those: Sequence[float], these: Sequence[float]) -> float:
    """How many times as large those are, as the median over runs side by side."""
    return median(a / b for a, b in zip(those, these, strict=True))


def at_share(values: Sequence[float], share: float) -> float:
    """The value that so large a share of all does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def machine() -> str:
    """What the figures were measured on."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    cores = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    return f"{platform.system()} {platform.machine()}, {cores}, {python}."
