"""Strict YAML with the line of everything in it; goes on after what it cannot read.

Every scalar is text exactly as written. What makes YAML a trap (tags, anchors, keys given twice,
comments that swallow text) is a problem with a line and advice, and so is each value that YAML
cannot read: it is taken as if it were quoted, so that one run names all of them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from quizzes.document import Document, Location, Place, Problem, Quoted
from quizzes.fault import shown
from quizzes.yaml_mend import Stop, events, mend, quotation

_MOST_NESTED = 20
_MOST_MENDED = 50

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
)


def decode(content: bytes) -> str | Problem:
    """The text of a file, line breaks as `\\n`, or why it is none."""
    wide = _wide_encoding(content)
    if wide is not None:
        encoding, byte = wide
        return Problem(1, f"not UTF-8, byte {byte}: this is {encoding}, save the file as UTF-8")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return Problem(line, f"not UTF-8, byte {error.start}: save the file as UTF-8")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _wide_encoding(content: bytes) -> tuple[str, int] | None:
    if content.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return "UTF-32", 0
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16", 0
    if b"\x00" in content[:2]:
        return "UTF-16", content.index(b"\x00")
    return None


def read(text: str, *, prose: frozenset[str], structure: frozenset[str]) -> Document:
    """Read a file's text, as `decode` gives it.

    `prose` are the keys of texts, where a comment swallows what an author meant; `structure` are
    the keys of lists and mappings, which are never taken as if they were quoted.
    """
    lines = text.split("\n")
    problems = list(_hidden_characters(lines)) if _UNPRINTABLE.search(text) else []
    mended: set[int] = set()
    while True:
        try:
            builder = _Builder(lines, prose)
            builder.read()
        except yaml.MarkedYAMLError as error:
            stop = Stop.of(error, len(lines))
            if len(mended) == _MOST_MENDED:
                message = "YAML cannot read this line either: mend those above, then check again"
                return Document(problems=(*problems, Problem(stop.line + 1, message)))
            mended_file = mend(lines, stop, mended, structure)
            if mended_file is None:
                problem = Problem(stop.line + 1, _unreadable(error))
                return Document(problems=(*problems, problem))
            lines = mended_file.lines
            mended.add(mended_file.number)
            problems.append(Problem(mended_file.number + 1, mended_file.message))
            continue
        except _RefusedError as refusal:
            return Document(problems=(*problems, refusal.problem))
        misread = builder.misread | {
            location for location, place in builder.places.items() if place.line - 1 in mended
        }
        problems += builder.problems
        return Document(builder.data, builder.places, tuple(problems), frozenset(misread))


def _hidden_characters(lines: list[str]) -> Iterator[Problem]:
    """Name characters that YAML refuses and no editor shows, and put spaces in their place."""
    for number, line in enumerate(lines):
        found = _UNPRINTABLE.search(line)
        if found:
            code = f"U+{ord(found[0]):04X}"
            yield Problem(number + 1, f"holds the invisible character {code}: delete it")
            lines[number] = _UNPRINTABLE.sub(" ", line)


class _RefusedError(Exception):
    """The file uses what makes reading on pointless or unsafe."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.problem = Problem(line, message)


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end has not come yet."""

    container: dict[str, object] | list[object]
    location: Location
    key: str | None = None
    key_line: int = 0
    ignored: bool = False
    """Stands where nothing is kept: for a key that is no text, or a key given twice."""


class _Builder:
    """Builds data from the parser's events: no recursion, so that no nesting can exhaust it."""

    def __init__(self, lines: list[str], prose: frozenset[str]) -> None:
        self._lines = lines
        self._prose = prose
        self._open: list[_Open] = []
        self.data: object = None
        self.places: dict[Location, Place] = {}
        self.problems: list[Problem] = []
        self.misread: set[Location] = set()

    def read(self) -> None:
        documents = 0
        for event in events(self._lines):
            line = _line(event)
            match event:
                case yaml.ScalarEvent():
                    self._scalar(event, line)
                case yaml.CollectionStartEvent():
                    self._begin(event, line)
                case yaml.CollectionEndEvent():
                    self._open.pop()
                case yaml.DocumentStartEvent():
                    documents += 1
                    if documents > 1:
                        raise _RefusedError(line, "a second document begins here: delete the `---`")
                case yaml.AliasEvent():
                    self._alias(event, line)
        if documents == 0:
            raise _RefusedError(1, "the file is empty")

    def _begin(self, event: yaml.CollectionStartEvent, line: int) -> None:
        if event.anchor is not None:
            raise _RefusedError(
                line,
                f"`&{shown(event.anchor)}` marks a part to be used again,"
                " which quiz files do not do: write it out each time",
            )
        if len(self._open) == _MOST_NESTED:
            raise _RefusedError(line, f"nested deeper than {_MOST_NESTED} levels")
        is_mapping = isinstance(event, yaml.MappingStartEvent)
        container: dict[str, object] | list[object] = {} if is_mapping else []
        parent = self._open[-1] if self._open else None
        if parent and isinstance(parent.container, dict) and parent.key is None:
            self._key("{...}" if is_mapping else "[...]", parent, line)
            # A key that is itself a collection: kept as a name, what is in it is not.
            self._open.append(_Open(container, parent.location, ignored=True))
            return
        location, ignored = self._put(container, line)
        if event.tag is not None:
            self._tag(event.tag, location, line)
        self._open.append(_Open(container, location, ignored=ignored))

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        plain = event.style is None or event.style == ""
        parent = self._open[-1] if self._open else None
        if parent and isinstance(parent.container, dict) and parent.key is None:
            self._key(event.value, parent, line)
            if event.tag is not None or event.anchor is not None:
                message = f"a tag or a mark stands before the key `{shown(event.value)}`: delete it"
                self.problems.append(Problem(line, message))
            return
        key = parent.key if parent else None
        if event.tag is not None:
            location, _ = self._put(f"{_written(event.tag)} {event.value}".rstrip(), line)
            self._tag(event.tag, location, line)
        elif event.anchor is not None:
            location, _ = self._put(f"&{event.anchor} {event.value}".rstrip(), line)
            self._note(
                location, f"YAML reads `&{shown(event.anchor)}` as a mark, not as text: quote it"
            )
        elif plain and key in self._prose and (comment := self._comment_after(event)):
            text = f"{event.value} {comment}".lstrip()
            location, _ = self._put(text, line)
            self._note(
                location, f"YAML drops what follows ` #`: write {key}: {quotation(shown(text))}"
            )
        else:
            self._put(event.value if plain else Quoted(event.value), line)

    def _alias(self, event: yaml.AliasEvent, line: int) -> None:
        parent = self._open[-1] if self._open else None
        text = f"*{event.anchor}"
        if parent and isinstance(parent.container, dict) and parent.key is None:
            self._key(text, parent, line)
            return
        location, _ = self._put(text, line)
        self._note(location, f"YAML reads `{shown(text)}` as a reference, not as text: quote it")

    def _key(self, key: str, parent: _Open, line: int) -> None:
        parent.key, parent.key_line = key, line
        first = self.places.get((*parent.location, key))
        if first and not parent.ignored:
            message = f"`{shown(key)}` is given twice, first in line {first.line}: keep one"
            self.problems.append(Problem(line, message))

    def _put(self, value: object, line: int) -> tuple[Location, bool]:
        """Keep a value in what is open; where it stands, and whether it is to be ignored."""
        if not self._open:
            self.data = value
            self.places[()] = Place(line, line)
            return (), False
        parent = self._open[-1]
        if isinstance(parent.container, list):
            location: Location = (*parent.location, len(parent.container))
            parent.container.append(value)
            if not parent.ignored:
                self.places[location] = Place(line, line)
            return location, parent.ignored
        key = parent.key or ""
        parent.key = None
        location = (*parent.location, key)
        if parent.ignored or key in parent.container:
            return location, True
        parent.container[key] = value
        self.places[location] = Place(parent.key_line, line)
        return location, False

    def _tag(self, tag: str, location: Location, line: int) -> None:
        message = f"YAML reads `{shown(_written(tag))}` as a tag, not as text: quote it"
        self._note(location, message, line)

    def _note(self, location: Location, message: str, line: int | None = None) -> None:
        place = self.places.get(location)
        self.problems.append(Problem(place.line if place else line or 1, message))
        self.misread.add(location)

    def _comment_after(self, event: yaml.ScalarEvent) -> str:
        """The comment behind a plain scalar on its last line."""
        end = event.end_mark
        if end is None:
            return ""
        rest = self._lines[end.line][end.column :].strip()
        return rest if rest.startswith("#") else ""


def _unreadable(error: yaml.MarkedYAMLError) -> str:
    if "nesting depth" in (error.problem or ""):
        # The C scanner runs ahead of its events, and has a bound of its own.
        return f"nested deeper than {_MOST_NESTED} levels"
    return (
        f"not readable as YAML ({error.problem}):"
        " check indentation and quotes of this line and the one above"
    )


def _written(tag: str) -> str:
    return tag.replace("tag:yaml.org,2002:", "!!")


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1
