"""What a group sees of a round, as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import regex
from babel.numbers import format_decimal

from bot import buttons
from bot.markup import Block, Paragraph
from bot.messages import Button, Message, lesson, say, solution
from bot.texts import Words
from quizzes.quiz import Question, Quiz
from quizzes.round import SHORT_ROUND, SILENT_QUESTIONS, Round, Standing, Vote
from storage.groups import Group, Score

NAME_GRAPHEMES = 24
"""How much of a name a table shows."""

TABLE_ROWS = 10
"""How many places the results show at once."""

MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"

_RIGHT_TO_LEFT = regex.compile(r"[\p{Bidi_Class:R}\p{Bidi_Class:AL}]")

_VISIBLE = regex.compile(r"[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]")

_UNFIT_FOR_A_NAME = regex.compile(r"[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a round's learners."""

    words: Words
    by_id: Mapping[int, str]

    def __getitem__(self, learner_id: int) -> str:
        """A name as its bearer wrote it, within one line and a table's width."""
        name = _UNFIT_FOR_A_NAME.sub(" ", self.by_id.get(learner_id, "")).strip()
        if not _VISIBLE.search(name):
            return self.words("name-unknown")
        graphemes = regex.findall(r"\X", name)
        if len(graphemes) > NAME_GRAPHEMES:
            name = "".join(graphemes[: NAME_GRAPHEMES - 1]).rstrip() + "…"
        if _RIGHT_TO_LEFT.search(name):
            # Kept apart, so that it does not turn the line around it.
            return f"{_FIRST_STRONG_ISOLATE}{name}{_POP_ISOLATE}"
        return name


def lobby(
    words: Words, quiz: Quiz, current: Round, names: Sequence[str], seconds_offered: Sequence[int]
) -> Message:
    """The lobby: what is played, who is in, and the choices before the start."""
    join = Button(words("button-join"), buttons.JoinRound(current.id))
    seconds = [
        Button(
            _chosen(words("button-seconds", seconds=number), number == current.seconds),
            buttons.SetSeconds(current.id, number),
        )
        for number in seconds_offered
    ]
    keyboard: list[Sequence[Button]] = [[join], seconds]
    if len(quiz.questions) > SHORT_ROUND:
        short = len(current.questions) <= SHORT_ROUND
        everything = words("button-all-questions", questions=len(quiz.questions))
        few = words("button-few-questions", questions=SHORT_ROUND)
        keyboard.append(
            [
                Button(_chosen(everything, not short), buttons.SetQuestions(current.id, 0)),
                Button(_chosen(few, short), buttons.SetQuestions(current.id, SHORT_ROUND)),
            ]
        )
    keyboard.append([Button(words("button-start"), buttons.StartRound(current.id))])
    return Message([*_lobby_head(words, quiz, current), _who_is_in(words, names)], keyboard)


def lobby_started(words: Words, quiz: Quiz, current: Round, names: Sequence[str]) -> Message:
    """What is left of the lobby once the round has begun."""
    begun = Paragraph(words("lobby-begun"), "italic")
    return Message([*_lobby_head(words, quiz, current), _who_is_in(words, names), begun])


def lobby_closed(words: Words, quiz: Quiz, current: Round) -> Message:
    """What is left of a lobby that nobody started."""
    closed = Paragraph(words("lobby-closed"), "italic")
    return Message([*_lobby_head(words, quiz, current), closed])


def reveal(
    words: Words,
    question: Question,
    order: Sequence[int],
    votes: Sequence[Vote],
    quickest: tuple[str, float] | None,
    poll_id: int,
) -> Message:
    """The right choice, why, and how the group did."""
    blocks: list[Block] = [Paragraph(solution(words, question, order), "bold")]
    if votes:
        right = sum(vote.right for vote in votes)
        count = words("reveal-count", right=right, voters=len(votes))
        if quickest:
            name, seconds = quickest
            fastest = words("reveal-fastest", name=name, seconds=_seconds(words, seconds))
            count = f"{count} {fastest}"
        blocks.append(Paragraph(count))
    else:
        blocks.append(Paragraph(words("reveal-nobody")))
    blocks += lesson(words, question)
    mine = Button(words("button-my-language"), buttons.InMyLanguage(poll_id))
    report = Button(words("button-report"), buttons.ReportQuestion(poll_id))
    return Message(blocks, [[mine], [report]])


def reveal_gone(words: Words, votes: Sequence[Vote]) -> Message:
    """The reveal of a question that has left the bank meanwhile."""
    return say(words("reveal-gone", voters=len(votes)))


def paused(words: Words, current: Round) -> Message:
    """A round that waits for somebody."""
    button = Button(words("button-resume", place=current.place), buttons.ResumeRound(current.id))
    silent = current.silent >= SILENT_QUESTIONS and not current.pause_wanted
    text = words("round-paused-silence") if silent else words("round-paused")
    return say(text, [[button]])


def results(
    words: Words,
    quiz_title: str,
    current: Round,
    standings: Sequence[Standing],
    names: Names,
    hardest: Question | None,
) -> Message:
    """The podium, the table and the hardest question."""
    title = words("round-results-title", quiz=quiz_title)
    blocks: list[Block] = [Paragraph(title, "bold")]
    if not standings:
        blocks.append(Paragraph(words("round-results-nobody")))
    shown = standings[:TABLE_ROWS]
    if shown:
        blocks.append(Paragraph("\n".join(_table(words, shown, current.asked, names))))
    if hardest:
        blocks.append(Paragraph(words("round-hardest", question=hardest.ask)))
    keyboard = []
    if len(standings) > TABLE_ROWS:
        full = words("button-full-list", players=len(standings))
        keyboard.append([Button(full, buttons.FullList(current.id))])
    keyboard.append([Button(words("button-rematch"), buttons.Rematch(current.id))])
    return Message(blocks, keyboard)


def full_list(words: Words, standings: Sequence[Standing], asked: int, names: Names) -> Message:
    """Everybody's place; several messages where the group is large."""
    return Message([Paragraph("\n".join(_table(words, standings, asked, names)))])


def top(words: Words, week: Sequence[Score], ever: Sequence[Score], names: Names) -> Message:
    """The group's tables of this week and of all time."""
    if not ever:
        return say(words("top-nobody"))
    blocks: list[Block] = []
    for title, scores in ((words("top-week"), week), (words("top-ever"), ever)):
        if scores:
            lines = "\n".join(
                f"{place}. {names[score.learner_id]} – "
                + words("top-score", right=score.right, answers=score.answers)
                for place, score in enumerate(scores, 1)
            )
            blocks += [Paragraph(title, "bold"), Paragraph(lines)]
    return Message(blocks)


def group_settings(words: Words, group: Group) -> Message:
    """What admins can set for their group."""
    rows = [
        [
            Button(
                _chosen(words(f"button-openers-{openers}"), group.openers == openers),
                buttons.SetOpeners(openers),
            )
        ]
        for openers in ("all", "admins")
    ]
    return say(words("settings-openers"), rows)


def _lobby_head(words: Words, quiz: Quiz, current: Round) -> list[Block]:
    facts = [words("lobby-questions", questions=len(current.questions))]
    if quiz.level:
        facts.insert(0, words(f"level-{quiz.level}"))
    facts.append(words("lobby-seconds", seconds=current.seconds))
    blocks: list[Block] = [
        Paragraph(words("lobby-title", quiz=quiz.title), "bold"),
        Paragraph(" · ".join(facts)),
    ]
    if quiz.description:
        blocks.append(Paragraph(quiz.description))
    return blocks


def _who_is_in(words: Words, names: Sequence[str]) -> Paragraph:
    if not names:
        return Paragraph(words("lobby-empty"))
    return Paragraph(words("lobby-players", players=len(names), names=", ".join(names)))


def _table(words: Words, standings: Sequence[Standing], asked: int, names: Names) -> list[str]:
    return [
        f"{_place(one)} {names[one.learner_id]} – "
        + words(
            "round-score", right=one.right, questions=asked, seconds=_seconds(words, one.seconds)
        )
        for one in standings
    ]


def _place(one: Standing) -> str:
    medal = MEDALS.get(one.place) if one.right else None
    return medal or f"{one.place}."


def _seconds(words: Words, seconds: float) -> str:
    return str(format_decimal(round(seconds, 1), format="#,##0.0", locale=words.locale))


def _chosen(text: str, is_chosen: bool) -> str:
    return f"● {text}" if is_chosen else text
