"""What inline buttons carry back: written and read here alone, 64 bytes at most."""

from dataclasses import dataclass

DATA_BYTES = 64
"""The most that a button's callback data may hold (Bot API, InlineKeyboardButton)."""


@dataclass(frozen=True, slots=True)
class ListQuizzes:
    """Show a page of the quizzes, from 0."""

    page: int


@dataclass(frozen=True, slots=True)
class BeginQuiz:
    """Begin a quiz."""

    quiz_id: str


@dataclass(frozen=True, slots=True)
class GoOn:
    """Under an explanation: the next question, or the results after the last."""

    poll_id: int


@dataclass(frozen=True, slots=True)
class Resume:
    """Show the running attempt's question again, as long as so many were answered."""

    attempt_id: int
    answered: int


@dataclass(frozen=True, slots=True)
class BeginAnew:
    """End the running attempt and begin a quiz."""

    attempt_id: int
    quiz_id: str


@dataclass(frozen=True, slots=True)
class Practise:
    """Ask again what was missed in an attempt."""

    attempt_id: int


@dataclass(frozen=True, slots=True)
class ChooseLanguage:
    """Speak this language from now on."""

    language: str


Press = ListQuizzes | BeginQuiz | GoOn | Resume | BeginAnew | Practise | ChooseLanguage


def write(press: Press) -> str:
    """The callback data of a button."""
    match press:
        case ListQuizzes(page):
            return f"list:{page}"
        case BeginQuiz(quiz_id):
            return f"begin:{quiz_id}"
        case GoOn(poll_id):
            return f"next:{poll_id}"
        case Resume(attempt_id, answered):
            return f"resume:{attempt_id}:{answered}"
        case BeginAnew(attempt_id, quiz_id):
            return f"anew:{attempt_id}:{quiz_id}"
        case Practise(attempt_id):
            return f"practise:{attempt_id}"
        case ChooseLanguage(language):
            return f"language:{language}"


def read(data: str) -> Press | None:
    """What a button means; None for data that no button of ours carries."""
    word, *values = data.split(":")
    try:
        match word, values:
            case "list", [page]:
                return ListQuizzes(_number(page))
            case "begin", [quiz_id]:
                return BeginQuiz(quiz_id)
            case "next", [poll_id]:
                return GoOn(_number(poll_id))
            case "resume", [attempt_id, answered]:
                return Resume(_number(attempt_id), _number(answered))
            case "anew", [attempt_id, quiz_id]:
                return BeginAnew(_number(attempt_id), quiz_id)
            case "practise", [attempt_id]:
                return Practise(_number(attempt_id))
            case "language", [language]:
                return ChooseLanguage(language)
    except ValueError:
        pass
    return None


def _number(text: str) -> int:
    """A number as `write` writes it, within what SQLite can hold."""
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise ValueError(text)
    return int(text)
