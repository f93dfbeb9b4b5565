"""Runs the snippets of quizzes, and compares what they print with what the quizzes say."""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from quizzes.catalog import Catalog
from quizzes.document import Problem
from quizzes.fault import Fault, shown
from quizzes.format import PROSE, STRUCTURE
from quizzes.quiz import Snippet
from quizzes.wording import clean_code
from quizzes.yaml_lines import decode, read

SECONDS = 60.0
"""Enough for an import of torch on a slow disk."""
AT_A_TIME = 2
MOST_OUTPUT_BYTES = 100_000

_PYTHON = frozenset(("python", "python3", "py"))
# A snippet gets nothing else of the environment: it is somebody's text, and a token may be there.
_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH")
_MISSING_MODULE = re.compile(r"ModuleNotFoundError: No module named '([^'.]+)")


@dataclass(frozen=True, slots=True)
class Example:
    """A snippet of Python and where it stands."""

    path: str
    line: int
    question_id: str
    snippet: Snippet

    def fault(self, what: str) -> Fault:
        """A fault that says what the snippet did."""
        return Fault(self.path, self.line, f"the snippet of question `{self.question_id}` {what}")

    def warning(self, what: str) -> Fault:
        """As `fault`, for what is only worth a look."""
        message = f"the snippet of question `{self.question_id}` {what}"
        return Fault(self.path, self.line, message, "warning")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A snippet that could not run here, for want of a module."""

    example: Example
    module: str

    def fault(self) -> Fault:
        """The same as a fault, for those who insist that all run."""
        return self.example.fault(f"needs {self.module}, which is not installed here")


@dataclass(frozen=True, slots=True)
class SnippetReport:
    """What came of running the snippets."""

    found: int
    faults: tuple[Fault, ...]
    skipped: tuple[Skipped, ...]


def examples(catalog: Catalog) -> list[Example]:
    """The snippets of Python in the sound quizzes; a translation has none of its own."""
    found = []
    for shelf in catalog.shelves.values():
        path = os.path.join(shelf.folder, "quiz.yaml")
        lines = _snippet_lines(path)
        found += [
            Example(path, lines.get(question.id, 1), question.id, question.snippet)
            for question in shelf.own.questions
            if question.snippet and question.snippet.language.lower() in _PYTHON
        ]
    return found


async def run_all(
    to_run: Iterable[Example], seconds: float, finished: Callable[[], None]
) -> SnippetReport:
    """Run snippets, some at a time, each for so many seconds at most.

    `finished` is called after each. What a snippet does to this machine is not held back: run only
    those of authors whom you trust.
    """
    room = asyncio.Semaphore(AT_A_TIME)

    async def run_next(example: Example) -> Fault | Skipped | None:
        async with room:
            outcome = await run(example, seconds)
        finished()
        return outcome

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(run_next(example)) for example in to_run]
    outcomes = [task.result() for task in tasks]
    return SnippetReport(
        len(tasks),
        tuple(outcome for outcome in outcomes if isinstance(outcome, Fault)),
        tuple(outcome for outcome in outcomes if isinstance(outcome, Skipped)),
    )


async def run(example: Example, seconds: float) -> Fault | Skipped | None:
    """Run one snippet in a folder and a process of its own; None where all is well."""
    with _file_with(example.snippet.code) as file:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-X", "utf8", file),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            cwd=file.parent,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(seconds):
                printed, complaints = await asyncio.gather(
                    _read(process.stdout, process), _read(process.stderr, process)
                )
                code = await process.wait()
        except TimeoutError:
            return example.fault(f"ran longer than {seconds:g} s")
        finally:
            if process.returncode is None:
                _kill(process)
                # What is left is read, too: a pipe that is not read to its end stays open.
                await process.communicate()
    if max(len(printed), len(complaints)) > MOST_OUTPUT_BYTES:
        return example.fault(f"printed more than {MOST_OUTPUT_BYTES} bytes")
    return _judge(example, _text(printed), _text(complaints).strip().split("\n")[-1], code)


@contextmanager
def _file_with(code: str) -> Iterator[Path]:
    """A program in a folder of its own, for a while."""
    with TemporaryDirectory(prefix="snippet-") as folder:
        file = Path(folder, "snippet.py")
        file.write_text(code, encoding="utf-8")
        yield file


async def _read(stream: asyncio.StreamReader | None, process: Process) -> bytes:
    """What a process writes; one that writes too much is ended."""
    content = b""
    while stream and (chunk := await stream.read(MOST_OUTPUT_BYTES)):
        if len(content) <= MOST_OUTPUT_BYTES:
            content += chunk
        if len(content) > MOST_OUTPUT_BYTES:
            _kill(process)
    return content


def _kill(process: Process) -> None:
    """End a process and what it started: they share a group of their own."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _text(content: bytes) -> str:
    return content.decode("utf-8", "backslashreplace")


def _judge(example: Example, printed: str, complaint: str, code: int) -> Fault | Skipped | None:
    """What an exit code and the output say; `complaint` is the last line of stderr."""
    if code != 0:
        missing = _MISSING_MODULE.match(complaint)
        if missing and find_spec(missing[1]) is None:
            return Skipped(example, missing[1])
        end = f"with code {code}" if code > 0 else f"by signal {-code}"
        return example.fault(f"failed: {shown(complaint)}" if complaint else f"was ended {end}")
    expected = example.snippet.prints
    if expected is not None and (difference := _difference(clean_code(printed), expected)):
        return example.fault(difference)
    return example.warning(f"wrote to stderr: {shown(complaint)}") if complaint else None


def _difference(printed: str, expected: str) -> str | None:
    """The first line that is not as expected, as the end of a sentence."""
    lines, wanted = printed.split("\n") if printed else [], expected.split("\n")
    for number, (line, other) in enumerate(zip_longest(lines, wanted), 1):
        if line != other:
            where = f" in line {number}" if len(wanted) > 1 or number > 1 else ""
            return f"printed {_quoted(line)} instead of {_quoted(other)}{where}"
    return None


def _quoted(line: str | None) -> str:
    if line is None:
        return "nothing"
    return f"`{shown(line)}`" if line else "an empty line"


def _snippet_lines(path: str) -> dict[str, int]:
    """The line of each question's snippet, by question id."""
    text = decode(Path(path).read_bytes())
    if isinstance(text, Problem):
        return {}
    document = read(text, prose=PROSE, structure=STRUCTURE)
    questions = document.at(("questions",))
    return {
        str(document.at(("questions", number, "id"))): document.line(
            ("questions", number, "snippet")
        )
        for number in range(len(questions) if isinstance(questions, list) else 0)
    }
