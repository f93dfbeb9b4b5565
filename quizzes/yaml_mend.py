"""Goes on after a line that YAML cannot read, by taking its value as if it were quoted."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from quizzes.fault import shown

# PyYAML has the C parser, which is many times as fast, wherever it was built with libyaml.
_Loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader

# `- key: value`, `key: value` or `- value`; then `key:value`.
_ENTRY = re.compile(
    r"(?P<indent> *)(?P<dashes>(?:- +)*)(?:(?P<key>[A-Za-z_][\w-]*) *: +)?(?P<value>\S(?:.*\S)?) *"
)
_GLUED = re.compile(r"( *(?:- +)*[A-Za-z_][\w-]*):(\S.*)")
_BLOCK_HEADER = re.compile(r"[|>][-+1-9]*(?:\s+#.*)?")
_QUOTED = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')""")


def events(lines: list[str]) -> Iterator[yaml.Event]:
    """What the parser finds in a file, piece by piece.

    Raises yaml.MarkedYAMLError where it cannot go on.
    """
    yield from yaml.parse("\n".join(lines), Loader=_Loader)


def quotation(value: str) -> str:
    """The value in YAML quotes."""
    return f"'{value}'" if "'" not in value else json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the parser gave up, as positions of lines from 0."""

    line: int
    context: int | None

    @classmethod
    def of(cls, error: yaml.MarkedYAMLError, count: int) -> "Stop":
        mark = error.problem_mark or error.context_mark
        line = min(mark.line, count - 1) if mark else 0
        context = error.context_mark
        return cls(line, min(context.line, count - 1) if context else None)


@dataclass(frozen=True, slots=True)
class Mend:
    """A file in which one line reads otherwise, and what its author should do about that line."""

    lines: list[str]
    number: int
    """Of the line, from 0."""
    message: str


def mend(lines: list[str], stop: Stop, mended: set[int], structure: frozenset[str]) -> Mend | None:
    """Change the line that keeps YAML from reading on, so that the next stop comes later.

    `mended` are lines that were changed before, `structure` keys whose values are no texts. None
    where no change helps.
    """
    for number in _suspects(lines, stop):
        if number in mended:
            continue
        for attempt in _mends(lines, number, structure):
            following = _first_stop(attempt.lines)
            if following is None or following.line > stop.line:
                return attempt
    return None


def _suspects(lines: list[str], stop: Stop) -> list[int]:
    """Lines that may have stopped the parser, the likeliest first."""
    suspects = [stop.line]
    if stop.context is not None:
        suspects.append(stop.context)
    before = [number for number in range(stop.line, -1, -1) if lines[number].strip()]
    indent = _indent(lines[stop.line])
    # A value that goes on in deeper lines, and a quote that is still open.
    suspects += [n for n in before if _indent(lines[n]) < indent][:1]
    suspects += [n for n in before if _opens_a_quote(lines[n])][:1]
    suspects += before[1:2]
    return list(dict.fromkeys(suspects))


def _mends(lines: list[str], number: int, structure: frozenset[str]) -> Iterator[Mend]:
    line = lines[number]
    blank = line[: len(line) - len(line.lstrip())]
    if "\t" in blank:
        for width in (2, 4, 8):
            spaced = blank.expandtabs(width) + line.lstrip()
            changed = [*lines[:number], spaced, *lines[number + 1 :]]
            yield Mend(changed, number, "indented with a tab: use spaces")
        return
    glued = _GLUED.fullmatch(line)
    if glued:
        changed = [*lines[:number], f"{glued[1]}: {glued[2]}", *lines[number + 1 :]]
        yield Mend(changed, number, "a space is missing after the colon")
    entry = _ENTRY.fullmatch(line)
    if entry is None or not (entry["key"] or entry["dashes"]) or entry["key"] in structure:
        return
    value = entry["value"]
    if _BLOCK_HEADER.fullmatch(value):
        return
    depth = len(entry["indent"])
    if entry["key"]:
        depth += len(entry["dashes"])
    changed = lines.copy()
    changed[number] = line[: entry.start("value")] + quotation(value)
    goes_on = False
    for below in range(number + 1, len(lines)):
        if lines[below].strip():
            if _indent(lines[below]) <= depth:
                break
            goes_on = True
        changed[below] = ""
    yield Mend(changed, number, _advice(entry["key"], value, goes_on=goes_on))


def _advice(key: str | None, value: str, *, goes_on: bool) -> str:
    start = f"{key}: " if key else ""
    if value[0] in "\"'":
        opening = _QUOTED.match(value)
        if opening is None:
            return "the quote that opens here is not closed in this line: close it"
        rest = value[opening.end() :]
        if value[0] == "'" and rest[:1].isalpha() and value[-1] == "'":
            return f"an apostrophe ends the quote: write {start}{quotation(shown(value[1:-1]))}"
        if rest:
            return f"text follows the closing quote: write {start}{quotation(shown(value))}"
        return "an unknown escape begins with `\\`: write `\\\\`, or use single quotes"
    if goes_on:
        return f"YAML cannot read these lines as one text: write {start}| and indent them below it"
    return f"YAML cannot read this value: quote it, write {start}{quotation(shown(value))}"


def _first_stop(lines: list[str]) -> Stop | None:
    try:
        for _ in events(lines):
            pass
    except yaml.MarkedYAMLError as error:
        return Stop.of(error, len(lines))
    return None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _opens_a_quote(line: str) -> bool:
    entry = _ENTRY.fullmatch(line)
    return entry is not None and entry["value"][0] in "\"'" and not _QUOTED.match(entry["value"])
