"""A learner's progress: `/stats`, its picture, and the review of what is due."""

from datetime import timedelta

from bot import buttons, messages, progress_messages
from bot.handlers import quiz
from bot.handlers.counting import zone_of
from bot.messages import Button
from bot.turn import Turn
from quizzes import days, progress, schedule
from quizzes.attempt import QuestionRef
from quizzes.progress import Record

CALENDAR_DAYS = timedelta(weeks=26)
"""What the picture's calendar shows."""


def show_stats(turn: Turn, _argument: str = "") -> None:
    """`/stats`: the numbers as text; a button brings the picture."""
    record = _record(turn)
    if not record.memories:
        return quiz.list_quizzes(turn, text=turn.words("stats-none"))
    zone = zone_of(turn.learner)
    numbers = progress.progress_of(record, turn.quizzes(), turn.now, zone)
    forecast = schedule.when_due(_in_bank(turn, record), turn.now, zone)
    turn.say(
        progress_messages.statistics(
            turn.words,
            numbers,
            forecast,
            titles={one.id: one.title for one in turn.quizzes()},
            attempts=turn.learner.attempts,
            finished=turn.learner.finished,
            hardest=list(turn.questions(numbers.hardest)),
        )
    )


def show_picture(turn: Turn) -> None:
    """The button under the numbers. The picture is drawn when it is sent."""
    record = _record(turn)
    if not record.memories:
        return turn.alert(turn.words("button-old"))
    zone = zone_of(turn.learner)
    numbers = progress.progress_of(record, turn.quizzes(), turn.now, zone)
    titles = {one.id: one.title for one in turn.quizzes()}
    today = days.day_of(turn.now, zone)
    drawing = progress_messages.drawing(turn.words, numbers, record.days, titles, today)
    turn.send("sendPhoto", {"drawing": drawing})


def review(turn: Turn, _argument: str = "") -> None:
    """`/review`: what is due, most overdue first, from all quizzes."""
    if running := quiz.unfinished(turn):
        quiz.offer_to_go_on(turn, running, None)
    else:
        _begin_review(turn)


def review_anew(turn: Turn, attempt_id: int) -> None:
    """The button that gives up what is running for a review."""
    attempt = quiz.running_attempt(turn, attempt_id)
    if attempt is None:
        return turn.alert(turn.words("button-old"))
    quiz.end(turn, attempt)
    _begin_review(turn)


def _begin_review(turn: Turn) -> None:
    """Ask what is due, or say what will come and when."""
    memories = _in_bank(turn, _record(turn))
    due = schedule.due_order(memories, turn.now)
    if due:
        quiz.begin(turn, "review", "", *due)
        return
    zone = zone_of(turn.learner)
    forecast = schedule.when_due(memories, turn.now, zone)
    text = progress_messages.nothing_due(turn.words, forecast, zone)
    choose = Button(turn.words("button-quizzes"), buttons.ListQuizzes(0))
    turn.say(messages.say(text, [[choose]]))


def _record(turn: Turn) -> Record:
    today = days.day_of(turn.now, zone_of(turn.learner))
    return Record(
        days=turn.store.days.since(turn.learner.id, today - CALENDAR_DAYS),
        memories=turn.store.memories.all(turn.learner.id),
        streak=turn.store.days.streak(turn.learner.id),
    )


def _in_bank(turn: Turn, record: Record) -> dict[QuestionRef, schedule.Memory]:
    """The memories of questions that can be asked."""
    return {ref: memory for ref, memory in record.memories.items() if ref in turn.world}
