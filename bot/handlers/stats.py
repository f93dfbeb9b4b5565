"""`/stats`: how far a learner got."""

from bot import messages
from bot.turn import Turn


def show(turn: Turn, _argument: str = "") -> None:
    """Attempts, answers and accuracy so far."""
    answers, right = turn.store.answers.count(turn.learner.id)
    if not answers:
        turn.say(messages.quiz_list(turn.words, turn.quizzes(), 0, turn.words("stats-none")))
        return
    attempts = turn.store.attempts.count(turn.learner.id)
    turn.say(messages.statistics(turn.words, attempts, answers, right))
