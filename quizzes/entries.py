"""Files of a quiz as models, and a sentence for each key or value that does not fit them."""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Generic, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from quizzes.document import Document, Location
from quizzes.fault import Fault, shown
from quizzes.format import (
    ChoiceEntry,
    Part,
    QuestionEntry,
    QuizFile,
    SnippetEntry,
    TranslatedChoice,
    TranslatedQuestion,
    TranslationFile,
)

_File = TypeVar("_File", QuizFile, TranslationFile)

# What the parts of a file are called, and the models that know their keys.
_PARTS: dict[str, tuple[str, type[Part], type[Part] | None]] = {
    "": ("the file", QuizFile, TranslationFile),
    "questions": ("a question", QuestionEntry, TranslatedQuestion),
    "choices": ("a choice", ChoiceEntry, TranslatedChoice),
    "snippet": ("a snippet", SnippetEntry, None),
}


@dataclass(frozen=True, slots=True)
class Reading(Generic[_File]):
    """What came of reading a file's data."""

    entry: _File | None
    """The file as a model, texts cleaned; None where there are faults."""
    faults: tuple[Fault, ...]
    """What is wrong with its keys and values."""
    document: Document
    """The file with each misspelt key as it was meant, so that it counts as there."""


def read_quiz(path: str, document: Document) -> Reading[QuizFile]:
    """Read a quiz.yaml."""
    return _read(QuizFile, path, document)


def read_translation(path: str, document: Document) -> Reading[TranslationFile]:
    """Read a translation."""
    return _read(TranslationFile, path, document)


def _read(file: type[_File], path: str, document: Document) -> Reading[_File]:
    translation = file is TranslationFile
    faults: list[Fault] = []
    while True:
        try:
            entry = file.model_validate(document.data)
        except ValidationError as error:
            details = error.errors(include_url=False)
            misspelt = _misspelt(document, details, translation=translation)
            if not misspelt:
                faults += _faults(path, document, details, translation=translation)
                return Reading(None, tuple(faults), document)
            # What stands below a misspelt key is looked at in the next turn.
            named = [detail for detail in details if detail["loc"] in misspelt]
            faults += _faults(path, document, named, translation=translation)
            document = document.respelt(misspelt)
        else:
            return Reading(None if faults else entry, tuple(faults), document)


def _misspelt(
    document: Document, details: list[ErrorDetails], *, translation: bool
) -> dict[Location, str]:
    """The keys that were meant where unknown ones stand, if they are missing there."""
    first: dict[Location, Location] = {}
    for detail in details:
        location = detail["loc"]
        if detail["type"] == "extra_forbidden":
            key = _meant(location, translation=translation)
            if key is not None and (*location[:-1], key) not in document.places:
                first.setdefault((*location[:-1], key), location)
    return {location: str(meant[-1]) for meant, location in first.items()}


def _faults(
    path: str, document: Document, details: list[ErrorDetails], *, translation: bool
) -> list[Fault]:
    faults = []
    for detail in details:
        location: Location = detail["loc"]
        if location in document.misread and detail["type"].endswith("_type"):
            continue
        if detail["type"] == "missing":
            line = document.begins(location[:-1])
        else:
            line = document.line(location)
        faults.append(Fault(path, line, _sentence(detail, translation=translation)))
    return faults


def _sentence(detail: ErrorDetails, *, translation: bool) -> str:
    location = detail["loc"]
    name = location[-1] if location else ""
    match detail["type"]:
        case "missing":
            return f"`{name}` is missing: {_part(location[:-1])[0]} needs it"
        case "extra_forbidden":
            return _unknown_key(location, translation=translation)
        case "value_error":
            return f"`{name}` {detail['ctx']['error']}"
        case "string_type":
            return f"`{name}` is read by YAML as a list or a mapping: put the text in quotes"
        case "tuple_type":
            return f"`{name}` is no list: begin each of its entries with `- `"
        case "literal_error":
            return f"`{name}` is `{_input(detail['input'])}`: write {detail['ctx']['expected']}"
        case _:
            first = _known((*location, ""), translation=translation)[0]
            return f"{_part(location)[0]} is a mapping: begin it with `{first}:`"


def _input(value: object) -> str:
    return shown(value) if isinstance(value, str) else "a list or a mapping"


def _part(location: Location) -> tuple[str, type[Part], type[Part] | None]:
    names = [step for step in location if isinstance(step, str)]
    return _PARTS[names[-1] if names else ""]


def _unknown_key(location: Location, *, translation: bool) -> str:
    key = shown(str(location[-1]))
    if translation and _is_of_the_quiz(location):
        return f"`{key}` belongs in quiz.yaml, not in a translation: delete it here"
    meant = _meant(location, translation=translation)
    if meant is not None:
        return f"unknown key `{key}`: did you mean `{meant}`?"
    known = ", ".join(_known(location, translation=translation))
    return f"unknown key `{key}`: {_part(location[:-1])[0]} takes {known}"


def _meant(location: Location, *, translation: bool) -> str | None:
    """The key that an unknown one is most like."""
    if translation and _is_of_the_quiz(location):
        return None
    known = _known(location, translation=translation)
    return next(iter(get_close_matches(str(location[-1]).lower(), known, n=1)), None)


def _is_of_the_quiz(location: Location) -> bool:
    return location[-1] in _known(location, translation=False)


def _known(location: Location, *, translation: bool) -> list[str]:
    """The keys that may stand where this one stands."""
    _, model, translated = _part(location[:-1])
    return list(((translated or model) if translation else model).model_fields)
