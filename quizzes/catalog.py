"""Reads banks of quizzes: the only input and output on this floor."""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from quizzes.assembly import assembled, translated
from quizzes.document import Document, Problem
from quizzes.entries import read_quiz, read_translation
from quizzes.fault import Fault as Fault
from quizzes.format import PROSE, STRUCTURE, TranslationFile, fault_of_id
from quizzes.language import fallbacks, fault_of_tag
from quizzes.proof import proofread_quiz, proofread_translation
from quizzes.quiz import Quiz
from quizzes.yaml_lines import decode, read

SHIPPED_BANK = Path(__file__).parent / "bank"
_SOURCE = "quiz.yaml"


@dataclass(frozen=True, slots=True)
class Extent:
    """How much was read, sound or not."""

    quizzes: int = 0
    files: int = 0
    questions: int = 0


@dataclass(frozen=True)
class Shelf:
    """One quiz in all its languages."""

    folder: str
    own: Quiz
    translations: dict[str, Quiz]

    @cached_property
    def versions(self) -> dict[str, Quiz]:
        """The quiz in each language, by its tag in lower case."""
        versions = {tag.lower(): quiz for tag, quiz in self.translations.items()}
        return versions | {self.own.language.lower(): self.own}


@dataclass(frozen=True, slots=True)
class Catalog:
    """The sound quizzes of some banks, each in its own language and its sound translations."""

    shelves: dict[str, Shelf]
    """By quiz id, in alphabetical order."""
    extent: Extent = Extent()

    @property
    def quizzes(self) -> tuple[str, ...]:
        """The quiz ids in alphabetical order."""
        return tuple(self.shelves)

    def languages(self, quiz_id: str) -> tuple[str, ...]:
        """The languages of a quiz, its own first; none for an unknown quiz."""
        shelf = self.shelves.get(quiz_id)
        return (shelf.own.language, *shelf.translations) if shelf else ()

    def quiz(self, quiz_id: str, language: str | None, default_language: str | None) -> Quiz | None:
        """A quiz in the language that suits the learner best, or None for an unknown quiz.

        That is their language, its base (`pt` for `pt-BR`), the default language, its base, or
        else the quiz's own. Whatever a client sends as a language is taken, None and "" included.
        """
        shelf = self.shelves.get(quiz_id)
        if shelf is None:
            return None
        for tag in (*fallbacks(language), *fallbacks(default_language)):
            if tag in shelf.versions:
                return shelf.versions[tag]
        return shelf.own


def load(paths: Iterable[Path | str]) -> tuple[Catalog, list[Fault]]:
    """Read banks, folders of one quiz, or single files; every fault of all of them, sorted.

    Never raises for what it finds on disk. A file named twice, or by its bank too, is read once. A
    translation named alone is read with its quiz.yaml.
    """
    reader = _Reader()
    for path in paths:
        reader.find(os.fspath(path))
    reader.read()
    shelves = dict(sorted(reader.shelves.items()))
    return Catalog(shelves, reader.extent()), sorted(reader.faults)


@dataclass(slots=True)
class _Folder:
    """The folder of one quiz and what of it is asked for."""

    path: str
    whole: bool
    names: set[str]

    def file(self, name: str) -> str:
        return os.path.join(self.path, name)


class _Reader:
    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.shelves: dict[str, Shelf] = {}
        self._folders: dict[str, _Folder] = {}
        self._owners: dict[str, str] = {}
        self._files = 0
        self._questions = 0

    def extent(self) -> Extent:
        return Extent(len(self._folders), self._files, self._questions)

    def find(self, path: str) -> None:
        """Note what a path asks for: a bank, the folder of a quiz, or one file."""
        if os.path.isdir(path):
            if os.path.lexists(os.path.join(path, _SOURCE)):
                self._ask_for(path)
            else:
                self._find_in_bank(path)
        elif os.path.lexists(path):
            folder, name = os.path.split(path)
            self._ask_for(folder, name)
        else:
            self._fault(path, "does not exist")

    def _find_in_bank(self, bank: str) -> None:
        found = False
        for name in self._listing(bank):
            folder = os.path.join(bank, name)
            if name.startswith(".") or not os.path.isdir(folder):
                continue
            if os.path.lexists(os.path.join(folder, _SOURCE)):
                self._ask_for(folder)
                found = True
                continue
            for near_miss in self._listing(folder):
                if near_miss.lower() in ("quiz.yaml", "quiz.yml"):
                    self._fault(os.path.join(folder, near_miss), f"name the file {_SOURCE}")
                    found = True
        if not found:
            self._fault(bank, f"holds no quiz: a quiz is a folder with a {_SOURCE}")

    def _ask_for(self, path: str, name: str | None = None) -> None:
        folder = self._folders.setdefault(os.path.realpath(path), _Folder(path, False, set()))
        if name is None:
            folder.whole = True
        else:
            folder.names.add(name)

    def _listing(self, path: str) -> list[str]:
        try:
            return sorted(os.listdir(path or os.curdir))
        except OSError as error:
            self._fault(path, f"cannot be read: {error.strerror}")
            return []

    def read(self) -> None:
        """Read all that was asked for."""
        for folder in self._folders.values():
            self._read_folder(folder)

    def _read_folder(self, folder: _Folder) -> None:
        quiz_id = os.path.basename(os.path.abspath(folder.path))
        path = folder.file(_SOURCE)
        fault = fault_of_id(quiz_id)
        if fault is not None:
            self._fault(path, f"the folder's name `{quiz_id}` {fault}")
        owner = self._owners.setdefault(quiz_id, folder.path)
        if owner != folder.path:
            self._fault(path, f"quiz `{quiz_id}` is there already, in {owner}: rename a folder")
        quiz, source = self._quiz(path, quiz_id)
        translations = {}
        for name in self._translation_names(folder):
            language = name.removesuffix(".yaml")
            translation = self._translation(folder.file(name), language, source)
            if quiz and translation:
                translations[language] = translated(quiz, language, translation)
        if quiz and fault is None and owner == folder.path:
            self.shelves[quiz_id] = Shelf(folder.path, quiz, translations)

    def _translation_names(self, folder: _Folder) -> list[str]:
        """The files to read as translations; faults for files that are none."""
        names = folder.names - {_SOURCE}
        if folder.whole:
            listing = self._listing(folder.path)
            names |= {n for n in listing if n.lower().endswith((".yaml", ".yml"))} - {_SOURCE}
            names = {name for name in names if not name.startswith((".", "#"))}
        translations = []
        for name in sorted(names):
            stem, extension = os.path.splitext(name)
            if extension != ".yaml":
                fault: str | None = f"is no file of a quiz: name it {_SOURCE} or <language>.yaml"
            else:
                fault = fault_of_tag(stem)
                fault = fault and f"the file's name `{stem}` {fault}"
            if fault is None:
                translations.append(name)
            else:
                self._fault(folder.file(name), fault)
        return translations

    def _document(self, path: str) -> Document | None:
        """A file as data, its faults noted; None where there is nothing to read further."""
        self._files += 1
        try:
            content = _content(path)
        except OSError as error:
            self._fault(path, f"cannot be read: {error.strerror}")
            return None
        text = decode(content)
        if isinstance(text, Problem):
            self._fault(path, text.message, text.line)
            return None
        document = read(text, prose=PROSE, structure=STRUCTURE)
        for problem in document.problems:
            self._fault(path, problem.message, problem.line)
        return document if document.data is not None else None

    def _quiz(self, path: str, quiz_id: str) -> tuple[Quiz | None, Document | None]:
        """A quiz where it is sound, and what its translations are held against."""
        document = self._document(path)
        if document is None:
            return None, None
        reading = read_quiz(path, document)
        questions = reading.document.at(("questions",))
        self._questions += len(questions) if isinstance(questions, list) else 0
        faults = [*reading.faults, *proofread_quiz(path, reading.document)]
        self.faults += faults
        if reading.entry is None or document.problems or _severe(faults):
            return None, reading.document
        return assembled(quiz_id, reading.entry), reading.document

    def _translation(
        self, path: str, language: str, source: Document | None
    ) -> TranslationFile | None:
        document = self._document(path)
        if document is None:
            return None
        reading = read_translation(path, document)
        faults = list(reading.faults)
        if source:
            faults += proofread_translation(path, reading.document, source)
            if source.at(("language",)) == language:
                message = f"{_SOURCE} is in `{language}` already: delete or rename this file"
                faults.append(Fault(path, 1, message))
        self.faults += faults
        return None if document.problems or _severe(faults) else reading.entry

    def _fault(self, path: str, message: str, line: int = 1) -> None:
        self.faults.append(Fault(path, line, message))


def _content(path: str) -> bytes:
    # Asked first: opening a pipe that stands where a file should would wait for ever.
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(0, "it is no file")
    with open(path, "rb") as file:
        return file.read()


def _severe(faults: list[Fault]) -> bool:
    return any(fault.severity == "fault" for fault in faults)
