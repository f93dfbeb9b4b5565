"""The report of `quiz-tutor check`: what is wrong with some quizzes, for people and for tools."""

import asyncio
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from bot.printing import Format, writable
from bot.snippets import SECONDS, Skipped, SnippetReport, examples, run_all
from quizzes.catalog import Catalog, Fault, load

SOUND, FAULTY, NO_SUCH_PATH = 0, 1, 2
"""The exit codes of `check`."""


@dataclass(frozen=True, slots=True)
class SnippetRun:
    """How snippets are run, where they are."""

    seconds: float = SECONDS
    """The most that one may take."""
    require_all: bool = False
    """Whether a snippet whose modules are not installed is a fault."""


def run_check(
    paths: Sequence[Path | str],
    output: Format,
    stdout: TextIO,
    stderr: TextIO,
    *,
    missing: bool = False,
    snippets: SnippetRun | None = None,
) -> int:
    """Check banks, folders of one quiz or single files; return the command's exit code.

    Faults go to stdout, beginning with the path as it was given, a summary to stderr. `missing`
    adds the translations that the quizzes lack, which are no faults. `snippets` runs the snippets
    of the sound quizzes.
    """
    for path in paths:
        if not os.path.lexists(path):
            _write(stderr, f"{os.fspath(path)} does not exist: name a bank, a quiz or a file.")
            return NO_SUCH_PATH
    catalog, faults = load(paths)
    lacking = missing_translations(catalog) if missing else {}
    report = _run_snippets(catalog, snippets, stderr) if snippets else None
    skipped: tuple[Skipped, ...] = ()
    if snippets and report:
        insisted = [one.fault() for one in report.skipped] if snippets.require_all else []
        skipped = () if snippets.require_all else report.skipped
        faults = sorted([*faults, *report.faults, *insisted])
    if output == "json":
        _write(stdout, _as_json(faults, catalog, lacking, skipped))
    else:
        _write_faults(stdout, faults)
        for language, quizzes in lacking.items():
            _write(stdout, f"{language}: no translation of {', '.join(quizzes)}")
    _write(stderr, summary(catalog, faults))
    if report:
        _write(stderr, snippet_summary(report))
    return FAULTY if any(fault.severity == "fault" for fault in faults) else SOUND


def missing_translations(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """By language: the quizzes without it, of all languages that any quiz has."""
    spoken = {quiz: catalog.languages(quiz) for quiz in catalog.quizzes}
    languages = sorted({language for found in spoken.values() for language in found})
    lacking = {
        language: tuple(quiz for quiz, found in spoken.items() if language not in found)
        for language in languages
    }
    return {language: quizzes for language, quizzes in lacking.items() if quizzes}


def summary(catalog: Catalog, faults: Iterable[Fault]) -> str:
    """What was read and what came of it, in one line."""
    extent = catalog.extent
    severities = [fault.severity for fault in faults]
    read = (
        _count(extent.quizzes, "quiz", "quizzes"),
        _count(extent.files, "file", "files"),
        _count(extent.questions, "question", "questions"),
    )
    found = (
        _count(severities.count("fault"), "fault", "faults"),
        _count(severities.count("warning"), "warning", "warnings"),
    )
    return f"{', '.join(read)}: {', '.join(found)}"


def snippet_summary(report: SnippetReport) -> str:
    """How many snippets ran, and for want of what the others did not."""
    number = len(report.skipped)
    ran = f"{_count(report.found, 'snippet', 'snippets')} of Python: {report.found - number} ran"
    modules = Counter(one.module for one in report.skipped)
    wanting = ", ".join(f"{module} ({times})" for module, times in sorted(modules.items()))
    return f"{ran}, {number} skipped for want of {wanting}" if number else ran


def _run_snippets(catalog: Catalog, how: SnippetRun, stderr: TextIO) -> SnippetReport:
    """Run the snippets; a person at a terminal sees how far it has come."""
    to_run = examples(catalog)
    bar = Progress(
        TextColumn("running the snippets"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(file=stderr),
        disable=not stderr.isatty(),
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=len(to_run))
        return asyncio.run(run_all(to_run, how.seconds, lambda: bar.advance(task)))


def _count(number: int, one: str, many: str) -> str:
    return f"{number or 'no'} {one if number == 1 else many}"


def _as_json(
    faults: Iterable[Fault],
    catalog: Catalog,
    lacking: dict[str, tuple[str, ...]],
    skipped: Iterable[Skipped],
) -> str:
    rows: list[dict[str, str | int]] = [
        {
            "path": fault.path,
            "line": fault.line,
            "severity": fault.severity,
            "message": fault.message,
        }
        for fault in faults
    ]
    rows += [
        {
            "path": os.path.join(catalog.shelves[quiz].folder, f"{language}.yaml"),
            "line": 1,
            "severity": "missing",
            "message": f"no translation of `{quiz}` into {language}",
        }
        for language, quizzes in lacking.items()
        for quiz in quizzes
    ]
    rows += [
        {
            "path": fault.path,
            "line": fault.line,
            "severity": "skipped",
            "message": fault.message,
        }
        for fault in (one.fault() for one in skipped)
    ]
    return json.dumps(rows, indent=2)


def _write_faults(stdout: TextIO, faults: Iterable[Fault]) -> None:
    if not stdout.isatty():
        for fault in faults:
            _write(stdout, str(fault))
        return
    console = Console(file=stdout, markup=False, highlight=False, emoji=False)
    for fault in faults:
        place = f"{fault.path}:{fault.line}:"
        line = Text(writable(stdout, str(fault)))
        line.stylize("bold", 0, len(writable(stdout, place)))
        if fault.severity == "warning":
            line.highlight_words(["warning:"], "yellow")
        else:
            line.stylize("red", len(writable(stdout, place)))
        console.print(line, soft_wrap=True)


def _write(stream: TextIO, line: str) -> None:
    stream.write(f"{writable(stream, line)}\n")
