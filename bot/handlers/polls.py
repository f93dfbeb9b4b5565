"""Sending a question as a poll, in an attempt or in a round."""

import random

from bot import messages
from bot.turn import Speaker
from quizzes.attempt import QuestionRef
from quizzes.quiz import Question, Quiz
from storage.polls import Poll


def send(
    speaker: Speaker,
    quiz: Quiz,
    question: Question,
    place: str,
    *,
    attempt_id: int | None = None,
    round_id: int | None = None,
    open_seconds: int | None = None,
) -> None:
    """Decide to ask a question. The order of its choices is kept before it goes out."""
    order = shuffled(question, speaker.world.random)
    poll_id = speaker.store.polls.add(
        speaker.chat_id,
        QuestionRef(quiz.id, question.id),
        quiz.language,
        question.fingerprint,
        order,
        question.correct,
        speaker.now,
        attempt_id=attempt_id,
        round_id=round_id,
        open_seconds=open_seconds,
    )
    asking = messages.ask(speaker.words, question, order, place)
    if asking.preface:
        speaker.say(asking.preface)
    poll = asking.poll | ({"open_period": open_seconds} if open_seconds else {})
    speaker.send("sendPoll", poll, poll_id=poll_id)


def shuffled(question: Question, randomness: random.Random) -> list[int]:
    """The positions of the choices in the order in which they are shown."""
    order = list(range(len(question.choices)))
    if question.shuffle:
        randomness.shuffle(order)
    return order


def as_asked(poll: Poll, question: Question) -> bool:
    """Whether the bank still means the same choices as when the poll went out."""
    return len(question.choices) == len(poll.choices) and question.correct == poll.correct
