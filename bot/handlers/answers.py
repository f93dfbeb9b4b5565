"""A learner's answers in an attempt, and what becomes of questions that did not arrive."""

from datetime import timedelta

from bot import buttons, messages
from bot.handlers import counting, pace, polls
from bot.messages import Button
from bot.turn import Turn
from quizzes.attempt import Attempt, is_right
from storage.polls import Poll

DOUBT = "doubt"
"""The agenda's word for a poll whose fate is unknown."""

DOUBT_WAIT = timedelta(seconds=10)
"""How long a question of unknown fate may prove itself by a vote before the learner is told."""


def vote(turn: Turn, poll: Poll, picked: frozenset[int]) -> None:
    """Counted: the first vote of the attempt's learner in a poll of their running attempt."""
    attempt = turn.store.attempts.find(poll.attempt_id) if poll.attempt_id else None
    if attempt is None or attempt.learner_id != turn.learner.id:
        return
    if attempt.ended:
        counted = turn.store.answers.has(poll.id, turn.learner.id)
        if not counted and not pace.is_too_fast(turn):
            turn.say(messages.say(turn.words("vote-not-counted")), reply_to_poll=poll.id)
        return
    if poll.question in attempt.answers:
        return
    right = is_right(picked, poll.correct, len(poll.choices))
    turn.store.answers.add(poll.id, turn.learner.id, picked, right, turn.now)
    counting.count(turn.store, turn.learner, poll.question, right, turn.now)
    turn.store.polls.close(poll.id, turn.now)
    close_all(turn, attempt.id)
    _explain(turn, poll, attempt.with_answer(poll.question, right), picked)


def close_all(turn: Turn, attempt_id: int) -> None:
    """Close an attempt's open polls: no more votes are expected in them."""
    for poll in turn.store.polls.open_in_attempt(attempt_id):
        turn.close_poll(poll)
        turn.store.outbox.give_up(poll.id)
        turn.store.agenda.remove(DOUBT, poll.id)


def doubted(turn: Turn, poll: Poll) -> None:
    """Nothing has proved that a question arrived: let the learner see it again."""
    attempt = turn.store.attempts.running(turn.learner.id)
    if poll.telegram_id or attempt is None or attempt.id != poll.attempt_id:
        return
    if poll.question in attempt.answers:
        return
    show = Button(turn.words("button-show-again"), buttons.Resume(attempt.id, len(attempt.answers)))
    turn.say(messages.say(turn.words("question-doubtful"), [[show]]))


def refused(turn: Turn, poll: Poll) -> None:
    """Telegram won't take a question: leave it out and let the learner go on."""
    attempt = turn.store.attempts.running(turn.learner.id)
    turn.store.polls.close(poll.id, turn.now)
    if attempt is None or attempt.id != poll.attempt_id:
        return
    turn.store.attempts.drop_question(attempt, poll.question)
    left = turn.store.attempts.find(attempt.id)
    assert left is not None
    button = _onward(turn, left, buttons.Resume(attempt.id, len(attempt.answers)))
    turn.say(messages.say(turn.words("question-refused"), [[button]]))


def in_own_language(turn: Turn, poll_id: int) -> None:
    """The explanation of a group's question, for whoever asked for it in private."""
    poll = turn.store.polls.find(poll_id)
    question = turn.question(poll.question) if poll and _is_revealed(turn, poll) else None
    if poll is None or question is None or not polls.as_asked(poll, question):
        turn.say(messages.say(turn.words("explanation-gone")))
        return
    picked = turn.store.answers.picked(poll.id, turn.learner.id)
    if picked is None:
        turn.say(messages.explained(turn.words, question, poll.choices))
        return
    right = is_right(picked, poll.correct, len(poll.choices))
    choices = [question.choices[i] for i in sorted(picked)]
    turn.say(messages.explanation(turn.words, question, right, choices, poll.choices))


def _is_revealed(turn: Turn, poll: Poll) -> bool:
    """Whether a round has told its group the answer already."""
    current = turn.store.rounds.find(poll.round_id) if poll.round_id else None
    return current is not None and (
        current.status == "ended" or poll.question in current.questions[: current.asked]
    )


def _explain(turn: Turn, poll: Poll, attempt: Attempt, picked: frozenset[int]) -> None:
    question = turn.question(poll.question)
    if question and not polls.as_asked(poll, question):
        question = None
    choices = [question.choices[i] for i in sorted(picked)] if question else []
    onward = _onward(turn, attempt, buttons.GoOn(poll.id))
    report = Button(turn.words("button-report"), buttons.ReportQuestion(poll.id))
    keyboard = [[onward], [report]]
    turn.say(
        messages.explanation(
            turn.words, question, attempt.answers[poll.question], choices, poll.choices, keyboard
        ),
        reply_to_poll=poll.id,
    )


def _onward(turn: Turn, attempt: Attempt, press: buttons.Press) -> Button:
    """The button that goes on: to the next question, or to the results after the last."""
    ref = attempt.next_question(turn.world)
    if ref is None:
        return Button(turn.words("button-results"), press)
    number, total = attempt.place(ref, turn.world)
    return Button(turn.words("button-next", place=f"{number}/{total}"), press)
