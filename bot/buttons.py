"""What inline buttons carry back: written and read here alone, 64 bytes at most."""

from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class JoinRound:
    """Play in a round."""

    round_id: int


@dataclass(frozen=True, slots=True)
class SetSeconds:
    """In a lobby: the time for a question."""

    round_id: int
    seconds: int


@dataclass(frozen=True, slots=True)
class SetQuestions:
    """In a lobby: how many questions; 0 is all."""

    round_id: int
    number: int


@dataclass(frozen=True, slots=True)
class StartRound:
    """In a lobby: begin."""

    round_id: int


@dataclass(frozen=True, slots=True)
class ResumeRound:
    """Go on after a pause."""

    round_id: int


@dataclass(frozen=True, slots=True)
class FullList:
    """Under a round's results: everybody's place."""

    round_id: int


@dataclass(frozen=True, slots=True)
class Rematch:
    """Under a round's results: a lobby for the same quiz."""

    round_id: int


@dataclass(frozen=True, slots=True)
class InMyLanguage:
    """Under a reveal: the explanation in the presser's own language, in private."""

    poll_id: int


@dataclass(frozen=True, slots=True)
class SetOpeners:
    """In a group's settings: who may open a round."""

    openers: Literal["all", "admins"]


@dataclass(frozen=True, slots=True)
class Review:
    """Ask what is due."""


@dataclass(frozen=True, slots=True)
class ReviewAnew:
    """End the running attempt and ask what is due."""

    attempt_id: int


@dataclass(frozen=True, slots=True)
class ShowPicture:
    """Under one's numbers: the same as a picture."""


@dataclass(frozen=True, slots=True)
class ChooseZone:
    """Count the learner's days in this time zone."""

    zone: str


@dataclass(frozen=True, slots=True)
class RemindAt:
    """Remind the learner at this time of day."""

    hour: int
    minute: int


@dataclass(frozen=True, slots=True)
class RemindOff:
    """Remind the learner no more."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Delete all that is stored of the learner."""


@dataclass(frozen=True, slots=True)
class ReportQuestion:
    """Under an explanation: something is wrong with the question."""

    poll_id: int


Press = (
    ListQuizzes
    | BeginQuiz
    | GoOn
    | Resume
    | BeginAnew
    | Practise
    | ChooseLanguage
    | JoinRound
    | SetSeconds
    | SetQuestions
    | StartRound
    | ResumeRound
    | FullList
    | Rematch
    | InMyLanguage
    | SetOpeners
    | Review
    | ReviewAnew
    | ShowPicture
    | ChooseZone
    | RemindAt
    | RemindOff
    | Forget
    | ReportQuestion
)


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
        case JoinRound(round_id):
            return f"join:{round_id}"
        case SetSeconds(round_id, seconds):
            return f"seconds:{round_id}:{seconds}"
        case SetQuestions(round_id, number):
            return f"questions:{round_id}:{number}"
        case StartRound(round_id):
            return f"start:{round_id}"
        case ResumeRound(round_id):
            return f"go on:{round_id}"
        case FullList(round_id):
            return f"places:{round_id}"
        case Rematch(round_id):
            return f"rematch:{round_id}"
        case InMyLanguage(poll_id):
            return f"mine:{poll_id}"
        case SetOpeners(openers):
            return f"openers:{openers}"
        case Review():
            return "review"
        case ReviewAnew(attempt_id):
            return f"review:{attempt_id}"
        case ShowPicture():
            return "picture"
        case ChooseZone(zone):
            return f"zone:{zone}"
        case RemindAt(hour, minute):
            return f"remind:{hour}:{minute}"
        case RemindOff():
            return "remind"
        case Forget():
            return "forget"
        case ReportQuestion(poll_id):
            return f"report:{poll_id}"


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
            case "join", [round_id]:
                return JoinRound(_number(round_id))
            case "seconds", [round_id, seconds]:
                return SetSeconds(_number(round_id), _number(seconds))
            case "questions", [round_id, number]:
                return SetQuestions(_number(round_id), _number(number))
            case "start", [round_id]:
                return StartRound(_number(round_id))
            case "go on", [round_id]:
                return ResumeRound(_number(round_id))
            case "places", [round_id]:
                return FullList(_number(round_id))
            case "rematch", [round_id]:
                return Rematch(_number(round_id))
            case "mine", [poll_id]:
                return InMyLanguage(_number(poll_id))
            case "openers", ["all" | "admins" as openers]:
                return SetOpeners(openers)
            case "review", []:
                return Review()
            case "review", [attempt_id]:
                return ReviewAnew(_number(attempt_id))
            case "picture", []:
                return ShowPicture()
            case "zone", [zone]:
                return ChooseZone(zone)
            case "remind", [hour, minute] if _number(hour) < 24 and _number(minute) < 60:
                return RemindAt(_number(hour), _number(minute))
            case "remind", []:
                return RemindOff()
            case "forget", []:
                return Forget()
            case "report", [poll_id]:
                return ReportQuestion(_number(poll_id))
    except ValueError:
        pass
    return None


@dataclass(frozen=True, slots=True)
class OwnStats:
    """A link to one's own statistics."""


def write_payload(own: InMyLanguage | OwnStats) -> str:
    """What a link of ours hands to /start. The `_` tells it from a quiz id."""
    match own:
        case InMyLanguage(poll_id):
            return f"e_{poll_id}"
        case OwnStats():
            return "stats_"


def read_payload(payload: str) -> InMyLanguage | OwnStats | None:
    """What a link of ours means; None for any other payload."""
    match payload.partition("_"):
        case "stats", "_", "":
            return OwnStats()
        case "e", "_", poll_id:
            try:
                return InMyLanguage(_number(poll_id))
            except ValueError:
                return None
    return None


def _number(text: str) -> int:
    """A number as `write` writes it, within what SQLite can hold."""
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise ValueError(text)
    return int(text)
