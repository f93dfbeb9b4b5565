"""Letting an answer count in what is known of a learner: memory, day, streak."""

from datetime import datetime

from quizzes import days, progress, schedule
from quizzes.attempt import QuestionRef
from storage.learners import Learner
from storage.store import Store

COUNTED = "answers counted"
"""The note that says that answers from before there were memories are counted."""


def zone_of(learner: Learner) -> str:
    """The learner's time zone: their choice, else a guess from their language."""
    return learner.zone or days.guess_zone(learner.language or learner.client_language)


def count(
    store: Store, learner: Learner, question: QuestionRef, right: bool, moment: datetime
) -> None:
    """Let an answer count."""
    zone = zone_of(learner)
    before = store.memories.find(learner.id, question)
    store.memories.put(learner.id, question, *schedule.review(before, right, moment))
    store.days.count(learner.id, days.day_of(moment, zone), right)
    streak = progress.extend(store.days.streak(learner.id), moment, zone)
    store.days.put_streak(learner.id, streak)


def count_old(store: Store) -> None:
    """Let answers count that an older version of the program stored, once."""
    if store.notes.get(COUNTED):
        return
    for learner_id, question, right, moment in store.answers.given():
        if learner := store.learners.find(learner_id):
            count(store, learner, question, right, moment)
    store.notes.put(COUNTED, "yes")
