"""What a learner sees, as values, each fitted to Telegram's limits."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bot import buttons
from bot.markup import Block, Code, Paragraph, fit, render, split
from bot.texts import Words, own_name
from quizzes.attempt import Attempt
from quizzes.quiz import Choice, Question, Quiz
from quizzes.wording import CHOICE_LENGTH, QUESTION_LENGTH

EXPLANATION_CHARACTERS = 200
EXPLANATION_LINE_FEEDS = 2
"""What a poll's own explanation holds (Bot API, sendPoll), in code points."""

BUTTON_CHARACTERS = 60
"""What a phone shows of a button that has a row of its own."""

QUIZZES_A_PAGE = 10

LETTERS = "ABCDEFGHIJKL"


@dataclass(frozen=True, slots=True)
class Button:
    """An inline button: either pressed, or a link."""

    text: str
    press: buttons.Press | None = None
    url: str | None = None

    def as_json(self) -> dict[str, str]:
        """As the Bot API takes it."""
        text = fit(self.text, BUTTON_CHARACTERS)
        if self.press is not None:
            return {"text": text, "callback_data": buttons.write(self.press)}
        return {"text": text, "url": self.url or ""}


Keyboard = Sequence[Sequence[Button]]


@dataclass(frozen=True, slots=True)
class Message:
    """Something to say: one message, or several where it is long, the keyboard under the last."""

    blocks: Sequence[Block]
    keyboard: Keyboard = ()

    def as_params(self) -> list[dict[str, Any]]:
        """The parameters of each sendMessage, without the chat."""
        parts: list[dict[str, Any]] = [
            {
                "text": text,
                "parse_mode": "HTML",
                "link_preview_options": {"is_disabled": True},
            }
            for text in _rendered(tuple(self.blocks))
        ]
        if self.keyboard:
            rows = [[button.as_json() for button in row] for row in self.keyboard]
            parts[-1]["reply_markup"] = {"inline_keyboard": rows}
        return parts


@lru_cache(maxsize=1024)  # an explanation is the same for all who answered alike
def _rendered(blocks: tuple[Block, ...]) -> tuple[str, ...]:
    return tuple(render(part) for part in split(blocks))


def say(text: str, keyboard: Keyboard = ()) -> Message:
    """A message of one paragraph."""
    return Message([Paragraph(text)], keyboard)


def reply_parameters(message_id: int) -> dict[str, Any]:
    """What makes a message a reply to another, which may have been deleted meanwhile."""
    return {"message_id": message_id, "allow_sending_without_reply": True}


@dataclass(frozen=True, slots=True)
class Asking:
    """A question as it goes out: sometimes a message before it, always a poll."""

    preface: Message | None
    poll: dict[str, Any]
    """The parameters of sendPoll, without the chat."""


def ask(words: Words, question: Question, order: Sequence[int], place: str) -> Asking:
    """A question with its choices in this order. `place` is like 3/8."""
    choices = [question.choices[i] for i in order]
    long_choices = has_letters(question)
    long_question = len(question.ask) > QUESTION_LENGTH
    preface = None
    asked, options = question.ask, [choice.text for choice in choices]
    if needs_preface(question):
        blocks: list[Block] = [Paragraph(question.ask, "bold")]
        if question.code:
            blocks.append(Code(question.code))
        if long_choices:
            blocks.append(Paragraph("\n".join(map(lettered, LETTERS, options))))
            options = list(LETTERS[: len(choices)])
        preface = Message(blocks)
        if long_question or long_choices:
            asked = words("question-letters", place=place)
    poll: dict[str, Any] = {
        "question": asked,
        "options": [{"text": option} for option in options],
        "type": "quiz",
        "is_anonymous": False,
        "allows_multiple_answers": len(question.correct) > 1,
        "correct_option_ids": [i for i, choice in enumerate(choices) if choice.correct],
    }
    if question.explain and fits_in_poll(question.explain):
        poll["explanation"] = question.explain
    return Asking(preface, poll)


def needs_preface(question: Question) -> bool:
    """Whether a message goes before the poll, with what the poll can't hold."""
    too_long = len(question.ask) > QUESTION_LENGTH
    return bool(question.code) or too_long or has_letters(question)


def has_letters(question: Question) -> bool:
    """Whether the poll shows letters, because a choice is too long for it."""
    return any(len(choice.text) > CHOICE_LENGTH for choice in question.choices)


def solution(words: Words, question: Question, order: Sequence[int]) -> str:
    """Which choices are right, with their letters where the poll showed letters."""
    letters = LETTERS if has_letters(question) else None
    right = [
        lettered(letters[position], question.choices[i].text)
        if letters
        else question.choices[i].text
        for position, i in enumerate(order)
        if question.choices[i].correct
    ]
    return words("answer-solution", choices="; ".join(right))


def lettered(letter: str, text: str) -> str:
    """A choice as the long form lists it."""
    return f"{letter}. {text}"


def fits_in_poll(explanation: str) -> bool:
    """Whether Telegram takes an explanation as the poll's own."""
    return (
        len(explanation) <= EXPLANATION_CHARACTERS
        and explanation.count("\n") <= EXPLANATION_LINE_FEEDS
    )


def explanation(
    words: Words,
    question: Question | None,
    right: bool,
    picked: Iterable[Choice],
    order: Sequence[int],
    keyboard: Keyboard = (),
) -> Message:
    """The answer to a vote. `question` is None when it has left the bank or was changed."""
    blocks: list[Block] = [Paragraph(words("answer-right" if right else "answer-wrong"), "bold")]
    if question is None:
        return Message(blocks, keyboard)
    if not right:
        blocks += [Paragraph(choice.why) for choice in picked if choice.why and not choice.correct]
        blocks.append(Paragraph(solution(words, question, order), "bold"))
    return Message([*blocks, *lesson(words, question)], keyboard)


def explained(words: Words, question: Question, order: Sequence[int]) -> Message:
    """A question with what is right and why, for somebody who did not answer it."""
    blocks: list[Block] = [
        Paragraph(question.ask, "bold"),
        Paragraph(solution(words, question, order), "bold"),
    ]
    return Message([*blocks, *lesson(words, question)])


def lesson(words: Words, question: Question) -> list[Block]:
    """What a question teaches: explanation, snippet and source."""
    blocks: list[Block] = []
    if question.explain:
        blocks.append(Paragraph(question.explain))
    if question.snippet:
        blocks.append(Code(question.snippet.code, question.snippet.language))
        if question.snippet.prints:
            blocks.append(Paragraph(words("answer-prints")))
            blocks.append(Code(question.snippet.prints))
    if question.source:
        blocks.append(Paragraph(words("answer-source", source=question.source), "italic"))
    return blocks


def greeting(words: Words, name: str, quizzes: Sequence[Quiz]) -> Message:
    """What `/start` says."""
    return quiz_list(words, quizzes, 0, words("greeting", name=name))


def quiz_list(
    words: Words, quizzes: Sequence[Quiz], page: int, text: str | None = None, above: Keyboard = ()
) -> Message:
    """The quizzes as buttons, a page at a time, below other buttons."""
    if not quizzes:
        return say("\n\n".join(filter(None, (text, words("quizzes-none")))))
    last = (len(quizzes) - 1) // QUIZZES_A_PAGE
    page = min(page, last)
    shown = quizzes[page * QUIZZES_A_PAGE : (page + 1) * QUIZZES_A_PAGE]
    rows: list[Sequence[Button]] = [*above]
    rows += [[Button(_quiz_label(words, quiz), buttons.BeginQuiz(quiz.id))] for quiz in shown]
    turns = []
    if page > 0:
        turns.append(Button(words("button-previous"), buttons.ListQuizzes(page - 1)))
    if page < last:
        turns.append(Button(words("button-more"), buttons.ListQuizzes(page + 1)))
    if turns:
        rows.append(turns)
    return say(text or words("quizzes-choose"), rows)


def attempt_begins(words: Words, title: str, quiz: Quiz | None, attempt: Attempt) -> Message:
    """The line above the first question. `quiz` is None where it asks from several."""
    name = "attempt-practice" if attempt.kind == "practice" else "attempt-begins"
    line = words(name, quiz=title, questions=len(attempt.questions))
    blocks: list[Block] = [Paragraph(line, "bold")]
    if quiz and attempt.kind == "quiz":
        if quiz.description:
            blocks.append(Paragraph(quiz.description))
        if quiz.guide:
            blocks.append(Paragraph(words("attempt-guide", link=quiz.guide)))
    return Message(blocks)


def results(
    words: Words, title: str, attempt: Attempt, missed: Sequence[Question], link: str | None
) -> Message:
    """How an attempt went. There is no link to share where there is no one quiz."""
    score = words("results-score", right=attempt.right(), questions=len(attempt.questions))
    blocks: list[Block] = [
        Paragraph(words("results-title", quiz=title), "bold"),
        Paragraph(score),
    ]
    rows: list[Sequence[Button]] = []
    if missed:
        listed = "\n".join(f"• {question.ask}" for question in missed)
        blocks.append(Paragraph(f"{words('results-missed')}\n{listed}"))
        practise = words("button-practise", questions=len(missed))
        rows.append([Button(practise, buttons.Practise(attempt.id))])
    elif attempt.right() == len(attempt.questions):
        blocks.append(Paragraph(words("results-all-right")))
    if link:
        blocks.append(Paragraph(words("results-link", link=link)))
        rows.append([Button(words("button-again"), buttons.BeginQuiz(attempt.quiz_id))])
    rows.append([Button(words("button-quizzes"), buttons.ListQuizzes(0))])
    return Message(blocks, rows)


def languages_offered(words: Words, offered: Iterable[str], text: str | None = None) -> Message:
    """The languages by their own names."""
    rows = [[Button(own_name(one), buttons.ChooseLanguage(one))] for one in offered]
    return say(text or words("language-choose"), rows)


OTHERWISE_IN_GROUPS = frozenset({"stats"})
"""The commands that do something else in a group than in private."""


def command_text(words: Words, name: str, *, in_group: bool) -> str:
    """What a command does, for the menu and for `/help`."""
    if in_group and name in OTHERWISE_IN_GROUPS:
        return words(f"command-{name}-group")
    return words(f"command-{name}")


def menu(words: Words, commands: Iterable[str], *, in_group: bool) -> list[dict[str, str]]:
    """The command menu in one language, as setMyCommands takes it."""
    return [
        {"command": name, "description": command_text(words, name, in_group=in_group)}
        for name in commands
        if name != "start"  # Telegram's clients offer it by themselves
    ]


def help_text(words: Words, commands: Iterable[str], link: str, *, in_group: bool) -> Message:
    """What `/help` says."""
    lines = "\n".join(
        f"/{name} – {command_text(words, name, in_group=in_group)}" for name in commands
    )
    return Message(
        [
            Paragraph(words("help-title"), "bold"),
            Paragraph(lines),
            Paragraph(words("help-link", link=link)),
        ]
    )


def _quiz_label(words: Words, quiz: Quiz) -> str:
    """A title gives way to what stands behind it where a button cannot hold both."""

    def label(title: str) -> str:
        questions = len(quiz.questions)
        if quiz.level is None:
            return words("quiz-button-plain", title=title, questions=questions)
        level = words(f"level-{quiz.level}")
        return words("quiz-button", title=title, level=level, questions=questions)

    return label(fit(quiz.title, BUTTON_CHARACTERS - len(label(""))))
