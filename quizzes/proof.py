"""What no single value shows: rules between the parts of a file, and between two files."""

from dataclasses import dataclass, field
from difflib import get_close_matches

from quizzes.document import Document, Location
from quizzes.fault import Fault, shown
from quizzes.wording import (
    CHOICE_LENGTH,
    FEWEST_CHOICES,
    LOOKALIKE_LENGTH,
    MESSAGE_LENGTH,
    MOST_CHOICES,
    QUESTION_LENGTH,
    QUESTION_LINES,
    SNIPPET_LINES,
    SNIPPET_WIDTH,
    clean,
    clean_code,
    is_blank,
    long_form_length,
    looks,
)


def proofread_quiz(path: str, document: Document) -> list[Fault]:
    """What is wrong between the parts of a quiz.yaml, faulty parts passed over."""
    proof = _Proof(path, document)
    _unique_ids(proof)
    questions = proof.questions()
    if document.at(("questions",)) == []:
        proof.fault(("questions",), "`questions` is empty: write one at least")
    for question in questions:
        code = proof.code((*question, "code"))
        _texts(proof, question, code)
        _right_choices(proof, question)
        _snippet(proof, (*question, "snippet"))
        if not proof.has((*question, "explain")):
            proof.warn(question, "no explanation: add `explain`", begins=True)
    if questions and not any(proof.has((*question, "snippet")) for question in questions):
        proof.warn(("questions",), "no question has a `snippet`: add one where code explains more")
    return proof.faults


def proofread_translation(path: str, document: Document, quiz: Document) -> list[Fault]:
    """What is wrong in a translation as such, and where it is out of step with its quiz.yaml."""
    proof = _Proof(path, document)
    source = _Proof("", quiz)
    _unique_ids(proof)
    _same_text(proof, source, (), (), "description")
    originals = {source.text((*question, "id")): question for question in source.questions()}
    for question in proof.questions():
        question_id = proof.text((*question, "id"))
        if question_id is None:
            continue
        original = originals.get(question_id)
        if original is None:
            meant = get_close_matches(question_id, [name for name in originals if name], n=1)
            advice = f"did you mean `{meant[0]}`?" if meant else "delete the question here"
            message = f"quiz.yaml has no question `{shown(question_id)}`: {advice}"
            proof.fault((*question, "id"), message)
            continue
        _texts(proof, question, source.code((*original, "code")))
        _same_text(proof, source, question, original, "explain")
        _same_choices(proof, source, (*question, "choices"), (*original, "choices"))
    if isinstance(document.at(("questions",)), list):
        translated = {proof.text((*question, "id")) for question in proof.questions()}
        for question_id in originals:
            if question_id is not None and question_id not in translated:
                proof.fault(
                    ("questions",), f"question `{shown(question_id)}` is missing: translate it"
                )
    return proof.faults


@dataclass(slots=True)
class _Proof:
    """A file that is read for faults; faulty parts of it are None or left out."""

    path: str
    document: Document
    faults: list[Fault] = field(default_factory=list)

    def fault(self, location: Location, message: str, *, begins: bool = False) -> None:
        line = self.document.begins(location) if begins else self.document.line(location)
        self.faults.append(Fault(self.path, line, message))

    def warn(self, location: Location, message: str, *, begins: bool = False) -> None:
        line = self.document.begins(location) if begins else self.document.line(location)
        self.faults.append(Fault(self.path, line, message, "warning"))

    def has(self, location: Location) -> bool:
        return location in self.document.places

    def text(self, location: Location) -> str | None:
        value = self.document.at(location)
        return clean(value) if isinstance(value, str) else None

    def code(self, location: Location) -> str | None:
        value = self.document.at(location)
        return clean_code(value) if isinstance(value, str) else None

    def entries(self, location: Location) -> list[Location]:
        """The mappings of a list."""
        items = self.document.at(location)
        if not isinstance(items, list):
            return []
        return [(*location, n) for n, item in enumerate(items) if isinstance(item, dict)]

    def questions(self) -> list[Location]:
        return self.entries(("questions",))


def _unique_ids(proof: _Proof) -> None:
    first_lines: dict[str, int] = {}
    for question in proof.questions():
        location = (*question, "id")
        question_id = proof.text(location)
        if question_id is None:
            continue
        line = proof.document.line(location)
        first = first_lines.setdefault(question_id, line)
        if first != line:
            message = (
                f"question `{shown(question_id)}` is there already, in line {first}: choose another"
            )
            proof.fault(location, f"{message} id")


def _right_choices(proof: _Proof, question: Location) -> None:
    location = (*question, "choices")
    choices = proof.document.at(location)
    if not isinstance(choices, list):
        return
    if not FEWEST_CHOICES <= len(choices) <= MOST_CHOICES:
        message = f"{_count(len(choices), 'choice')}: write {FEWEST_CHOICES} to {MOST_CHOICES}"
        proof.fault(location, message)
    # A `correct` that is neither true nor false is named elsewhere: it was meant as something.
    marks = [choice.get("correct", "false") for choice in choices if isinstance(choice, dict)]
    if all(mark == "false" for mark in marks):
        proof.fault(location, "no choice is right: add `correct: true` to one")


def _texts(proof: _Proof, question: Location, code: str | None) -> None:
    """Lengths and twins of what the poll and the message before it show."""
    ask = proof.text((*question, "ask"))
    choices = {
        choice: text
        for choice in proof.entries((*question, "choices"))
        if (text := proof.text((*choice, "text"))) is not None and not is_blank(text)
    }
    if ask is not None:
        _question_text(proof, (*question, "ask"), ask)
    for choice, text in choices.items():
        _choice_text(proof, (*choice, "text"), text)
    _twins(proof, choices)
    length = long_form_length(ask or "", code, list(choices.values()))
    if length > MESSAGE_LENGTH:
        proof.fault(
            question,
            f"question, code and choices are {length} characters together, over the"
            f" {MESSAGE_LENGTH} of a message: shorten them",
            begins=True,
        )


def _question_text(proof: _Proof, location: Location, ask: str) -> None:
    lines = ask.count("\n") + 1
    if len(ask) > QUESTION_LENGTH:
        proof.warn(
            location,
            f"`ask` is {len(ask)} characters long, over the {QUESTION_LENGTH} of a poll:"
            " it goes in a message before the poll",
        )
    elif lines > QUESTION_LINES:
        proof.warn(
            location,
            f"`ask` has {lines} lines, and a poll shows about {QUESTION_LINES}:"
            " join them, or put code in `code`",
        )


def _choice_text(proof: _Proof, location: Location, text: str) -> None:
    if len(text) > CHOICE_LENGTH:
        proof.warn(
            location,
            f"`text` is {len(text)} characters long, over the {CHOICE_LENGTH} of a poll's option:"
            " the poll shows letters, the choices go in a message before it",
        )
    elif "\n" in text:
        proof.warn(location, "`text` has a line break, which a poll shows as a space: remove it")


def _twins(proof: _Proof, choices: dict[Location, str]) -> None:
    whole: dict[str, int] = {}
    beginnings: dict[str, int] = {}
    for choice, text in choices.items():
        location = (*choice, "text")
        line = proof.document.line(location)
        look = looks(text)
        beginning = look[:LOOKALIKE_LENGTH]
        if look in whole:
            proof.fault(location, f"looks like the choice in line {whole[look]}: change one")
        elif beginning in beginnings:
            proof.fault(
                location,
                f"begins with the same {LOOKALIKE_LENGTH} characters as the choice in line"
                f" {beginnings[beginning]}: let them differ earlier",
            )
        whole.setdefault(look, line)
        beginnings.setdefault(beginning, line)


def _snippet(proof: _Proof, snippet: Location) -> None:
    location = (*snippet, "code")
    code = proof.code(location)
    if code is None:
        return
    lines = code.split("\n")
    if len(lines) > SNIPPET_LINES:
        message = f"the snippet has {len(lines)} lines: {SNIPPET_LINES} fit on a phone"
        proof.warn(location, message)
    for number, line in enumerate(lines, 1):
        if len(line) > SNIPPET_WIDTH:
            proof.warn(
                location,
                f"line {number} of the snippet is {len(line)} characters long:"
                f" {SNIPPET_WIDTH} fit on a phone",
            )


def _same_choices(proof: _Proof, source: _Proof, here: Location, there: Location) -> None:
    choices, originals = proof.document.at(here), source.document.at(there)
    if not isinstance(choices, list) or not isinstance(originals, list):
        return
    if len(choices) != len(originals):
        counts = f"{_count(len(choices), 'choice')}, but quiz.yaml has {len(originals)}"
        proof.fault(here, f"{counts}: translate each, in the same order")
        return
    for number in range(len(choices)):
        _same_text(proof, source, (*here, number), (*there, number), "why")


def _same_text(proof: _Proof, source: _Proof, here: Location, there: Location, key: str) -> None:
    """An optional text stands in both files or in neither."""
    if not isinstance(proof.document.at(here), dict):
        return
    translated, original = proof.has((*here, key)), source.has((*there, key))
    if original and not translated:
        line = source.document.line((*there, key))
        proof.fault(here, f"`{key}` is missing: translate line {line} of quiz.yaml", begins=True)
    elif translated and not original:
        proof.fault((*here, key), f"quiz.yaml has no `{key}` here: add it there, or delete this")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
