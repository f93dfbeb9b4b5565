"""Asking a question as a poll, and answering the votes in it."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot import buttons, messages
from bot.messages import Button
from bot.turn import Turn
from quizzes.attempt import Attempt, QuestionRef, is_right
from quizzes.quiz import Question
from storage.polls import Poll, UnknownSend

SIGHTING_WAIT = timedelta(seconds=3)
"""How long a vote in an unknown poll waits for the `poll` update that usually comes with it."""

DOUBT_WAIT = timedelta(seconds=10)
"""How long a question of unknown fate may prove itself by a vote before the learner is told."""

DOUBT = "doubt"
"""The agenda's word for a poll whose fate is unknown."""


class NotYetError(Exception):
    """A vote can't be judged before something on its way is known: try it again then.

    That is when a send's fate becomes known, or at `at`, where it is given.
    """

    def __init__(self, at: datetime | None) -> None:
        super().__init__("The vote's poll may still turn out to be one of ours.")
        self.at = at


def ask(turn: Turn, attempt: Attempt, ref: QuestionRef, place: str) -> None:
    """Decide to ask a question. The order of its choices is kept before it goes out."""
    question = turn.question(ref)
    quiz = turn.quiz(ref.quiz_id)
    assert question is not None, f"{ref} is asked although it is not in the bank"
    assert quiz is not None
    order = list(range(len(question.choices)))
    if question.shuffle:
        turn.world.random.shuffle(order)
    poll_id = turn.store.polls.add(
        turn.chat_id,
        attempt.id,
        ref,
        quiz.language,
        question.fingerprint,
        order,
        question.correct,
        turn.now,
    )
    asking = messages.ask(turn.words, question, order, place)
    if asking.preface:
        turn.say(asking.preface)
    turn.call("sendPoll", asking.poll, poll_id=poll_id)


def close_all(turn: Turn, attempt_id: int) -> None:
    """Close an attempt's open polls: no more votes are expected in them."""
    for poll in turn.store.polls.open_in_attempt(attempt_id):
        turn.store.polls.close(poll.id, turn.now)
        turn.store.outbox.remove_poll(poll.id)
        turn.store.agenda.remove(DOUBT, poll.id)
        turn.call("stopPoll", {}, poll_id=poll.id)


def vote(turn: Turn, telegram_id: str, option_ids: Sequence[int], cast_for: timedelta) -> None:
    """A learner's vote. `cast_for` is how long ago it came in.

    Counted: the first vote of the attempt's learner in a poll of their running attempt.
    """
    poll = turn.store.polls.by_telegram_id(telegram_id) or _adopt(turn, telegram_id, cast_for)
    attempt = turn.store.attempts.find(poll.attempt_id) if poll and poll.attempt_id else None
    if poll is None or attempt is None or attempt.learner_id != turn.learner.id:
        return
    picked = poll.picked(option_ids)
    if not picked or turn.store.answers.has(poll.id, turn.learner.id):
        return
    if attempt.ended:
        turn.say(messages.say(turn.words("vote-not-counted")), reply_to_poll=poll.id)
        return
    if poll.question in attempt.answers:
        return
    right = is_right(picked, poll.correct, len(poll.choices))
    turn.store.answers.add(poll.id, turn.learner.id, picked, right, turn.now)
    turn.store.polls.close(poll.id, turn.now)
    close_all(turn, attempt.id)
    _explain(turn, poll, right, picked)


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


def _explain(turn: Turn, poll: Poll, right: bool, picked: frozenset[int]) -> None:
    question = turn.question(poll.question)
    if question and not _as_asked(poll, question):
        question = None
    choices = [question.choices[i] for i in sorted(picked)] if question else []
    assert poll.attempt_id is not None
    attempt = turn.store.attempts.find(poll.attempt_id)
    assert attempt is not None
    button = _onward(turn, attempt, buttons.GoOn(poll.id))
    turn.say(
        messages.explanation(turn.words, question, right, choices, [[button]]),
        reply_to_poll=poll.id,
    )


def _as_asked(poll: Poll, question: Question) -> bool:
    """Whether the bank still means the same choices as when the poll went out."""
    return len(question.choices) == len(poll.choices) and question.correct == poll.correct


def _onward(turn: Turn, attempt: Attempt, press: buttons.Press) -> Button:
    """The button that goes on: to the next question, or to the results after the last."""
    ref = attempt.next_question(turn.world)
    if ref is None:
        return Button(turn.words("button-results"), press)
    number, total = attempt.place(ref, turn.world)
    return Button(turn.words("button-next", place=f"{number}/{total}"), press)


def _adopt(turn: Turn, telegram_id: str, cast_for: timedelta) -> Poll | None:
    """The poll that a vote in an unknown one must belong to; None when it is nobody's.

    Raises NotYetError while something on its way may still turn out to be it.
    """
    candidates = turn.store.polls.unknown_sends()
    mine = [send for send in candidates if send.chat_id == turn.learner.id]
    if sighted := turn.store.polls.sighted(telegram_id):
        same = [send for send in mine if (send.question, send.options) == sighted]
        # Several can be the same only to the letter, in the same chat: they are graded alike.
        return _take(turn, same[0], telegram_id) if same else None
    if cast_for >= SIGHTING_WAIT and len(mine) == 1 and mine[0].doubtful:
        return _take(turn, mine[0], telegram_id)
    if cast_for < SIGHTING_WAIT and mine:
        raise NotYetError(turn.now - cast_for + SIGHTING_WAIT)
    if all(send.doubtful for send in mine):
        return None
    raise NotYetError(None)


def _take(turn: Turn, send: UnknownSend, telegram_id: str) -> Poll | None:
    turn.store.polls.asked(send.poll_id, telegram_id, None, turn.now)
    turn.store.agenda.remove(DOUBT, send.poll_id)
    if send.doubtful:
        turn.store.outbox.remove_poll(send.poll_id)
    return turn.store.polls.find(send.poll_id)
