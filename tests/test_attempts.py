"""Attempts: the rules of a run, and what is stored of it."""

import sqlite3
from datetime import timedelta

import pytest

from quizzes.attempt import Attempt, QuestionRef, is_right
from storage.store import Store
from tests.clock import START

ADA, BOB = 1, 2**52 - 1
FRANCE, SPAIN, ITALY = (QuestionRef("capitals", name) for name in ("france", "spain", "italy"))
ALL = (FRANCE, SPAIN, ITALY)
LATER = START + timedelta(minutes=1)


def run(answers: dict[QuestionRef, bool]) -> Attempt:
    """Ada's run through three questions, so far."""
    return Attempt(1, ADA, "quiz", "capitals", ALL, answers)


@pytest.mark.parametrize(
    ("answers", "bank", "following"),
    [
        ({}, ALL, FRANCE),
        ({FRANCE: True}, ALL, SPAIN),
        ({SPAIN: False}, ALL, FRANCE),
        ({FRANCE: True, SPAIN: False}, ALL, ITALY),
        ({FRANCE: True}, (FRANCE, ITALY), ITALY),
        ({FRANCE: True, SPAIN: True}, (FRANCE, SPAIN), None),
        ({FRANCE: True, SPAIN: False, ITALY: True}, ALL, None),
    ],
)
def test_the_next_question_is_the_first_unanswered_one_in_the_bank(
    answers: dict[QuestionRef, bool],
    bank: tuple[QuestionRef, ...],
    following: QuestionRef | None,
) -> None:
    assert run(answers).next_question(bank) == following


@pytest.mark.parametrize(
    ("question", "answers", "bank", "place"),
    [
        (FRANCE, {}, ALL, (1, 3)),
        (ITALY, {}, ALL, (3, 3)),
        (ITALY, {}, (FRANCE, ITALY), (2, 2)),
        (ITALY, {SPAIN: True}, (FRANCE, ITALY), (3, 3)),
        (SPAIN, {}, (FRANCE, ITALY), (2, 2)),
    ],
)
def test_a_place_counts_the_questions_that_were_answered_or_can_be_asked(
    question: QuestionRef,
    answers: dict[QuestionRef, bool],
    bank: tuple[QuestionRef, ...],
    place: tuple[int, int],
) -> None:
    assert run(answers).place(question, bank) == place


def test_right_answers_are_counted_and_wrong_ones_listed_in_the_order_asked() -> None:
    attempt = run({ITALY: False, SPAIN: True, FRANCE: False})
    assert attempt.right() == 1
    assert attempt.missed() == (FRANCE, ITALY)


def test_an_unanswered_question_is_not_missed() -> None:
    assert run({SPAIN: False}).missed() == (SPAIN,)


@pytest.mark.parametrize(
    ("picked", "correct", "right"),
    [
        ({0}, {0}, True),
        ({1}, {0}, False),
        ({0, 2}, {0, 2}, True),
        ({0}, {0, 2}, False),
        ({0, 1, 2}, {0, 2}, False),
        (set(), {0}, False),
    ],
)
def test_an_answer_is_right_when_it_picks_exactly_all_the_right_choices(
    picked: set[int], correct: set[int], right: bool
) -> None:
    assert is_right(picked, correct, 4) is right


def test_a_question_reads_back_what_it_was_written_as() -> None:
    assert str(FRANCE) == "capitals/france"
    assert QuestionRef.parse("capitals/france") == FRANCE


@pytest.fixture(autouse=True)
def _learners(store: Store) -> None:
    store.learners.meet(ADA, "Ada", "en", START)
    store.learners.meet(BOB, "Bob", "uk", START)


def start(store: Store, learner_id: int = ADA) -> Attempt:
    return store.attempts.start(learner_id, "quiz", "capitals", ALL, START)


def answer(
    store: Store, attempt: Attempt, question: QuestionRef, right: bool, learner_id: int = ADA
) -> int:
    """Ask a question and have it answered; the poll's id."""
    poll_id = store.polls.add(
        learner_id, question, "en", "print", [0, 1], [0], START, attempt_id=attempt.id
    )
    store.answers.add(poll_id, learner_id, [0 if right else 1], right, LATER)
    return poll_id


def test_an_attempt_is_found_as_it_was_started(store: Store) -> None:
    attempt = start(store)
    assert attempt == Attempt(attempt.id, ADA, "quiz", "capitals", ALL, {})
    assert store.attempts.find(attempt.id) == attempt
    assert store.attempts.running(ADA) == attempt
    assert store.attempts.find(attempt.id + 1) is None


def test_an_attempt_knows_its_own_answers(store: Store) -> None:
    attempt, other = start(store), start(store, BOB)
    answer(store, attempt, SPAIN, right=False)
    answer(store, attempt, FRANCE, right=True)
    answer(store, other, ITALY, right=True, learner_id=BOB)
    found = store.attempts.find(attempt.id)
    assert found is not None
    assert found.answers == {SPAIN: False, FRANCE: True}


def test_an_ended_attempt_runs_no_more_and_can_still_be_found(store: Store) -> None:
    attempt = start(store)
    store.attempts.end(attempt.id, LATER)
    assert store.attempts.running(ADA) is None
    found = store.attempts.find(attempt.id)
    assert found is not None
    assert found.ended


def test_an_attempt_ends_once(store: Store) -> None:
    attempt = start(store)
    store.attempts.end(attempt.id, START)
    store.attempts.end(attempt.id, LATER)
    (ended_at,) = store._raw.execute("SELECT ended_at FROM attempts").fetchone()
    assert ended_at == START.timestamp() * 1000


def test_a_learner_has_one_attempt_running_at_most(store: Store) -> None:
    first = start(store)
    start(store, BOB)
    with pytest.raises(sqlite3.IntegrityError):
        start(store)
    store.attempts.end(first.id, LATER)
    second = start(store)
    assert store.attempts.running(ADA) == second


def test_attempts_are_counted_when_they_begin(store: Store) -> None:
    for kind in ("quiz", "practice", "review"):
        attempt = store.attempts.start(ADA, kind, "", ALL, START)
        store.attempts.end(attempt.id, LATER)
    start(store, BOB)
    counted = {one.id: one.attempts for one in map(store.learners.find, (ADA, BOB)) if one}
    assert counted == {ADA: 3, BOB: 1}


def test_a_review_asks_from_all_quizzes(store: Store) -> None:
    mixed = (FRANCE, QuestionRef("rivers", "danube"))
    review = store.attempts.start(ADA, "review", "", mixed, START)
    assert store.attempts.running(ADA) == Attempt(review.id, ADA, "review", "", mixed, {})
    answer(store, review, mixed[1], right=True)
    found = store.attempts.find(review.id)
    assert found is not None
    assert found.answers == {mixed[1]: True}


def test_a_question_that_can_not_be_asked_is_taken_out(store: Store) -> None:
    attempt = start(store)
    store.attempts.drop_question(attempt, SPAIN)
    found = store.attempts.find(attempt.id)
    assert found is not None
    assert found.questions == (FRANCE, ITALY)


def test_an_attempt_may_lose_all_its_questions(store: Store) -> None:
    attempt = store.attempts.start(ADA, "practice", "capitals", [FRANCE], START)
    store.attempts.drop_question(attempt, FRANCE)
    found = store.attempts.find(attempt.id)
    assert found is not None
    assert found.questions == ()


def test_a_learner_answers_a_poll_once(store: Store) -> None:
    attempt = start(store)
    poll_id = answer(store, attempt, FRANCE, right=True)
    assert store.answers.has(poll_id, ADA)
    assert not store.answers.has(poll_id, BOB)
    with pytest.raises(sqlite3.IntegrityError):
        store.answers.add(poll_id, ADA, [1], False, LATER)


def test_what_a_learner_picked_is_kept_by_positions(store: Store) -> None:
    poll_id = store.polls.add(ADA, FRANCE, "en", "print", range(12), [2, 11], START)
    store.answers.add(poll_id, ADA, {11, 2}, True, LATER)
    assert store.answers.picked(poll_id, ADA) == frozenset({2, 11})
    assert store.answers.picked(poll_id, BOB) is None


def test_all_answers_are_given_oldest_first_with_who_what_and_when(store: Store) -> None:
    polls = [store.polls.add(ADA, question, "en", "print", [0, 1], [0], START) for question in ALL]
    for learner_id, position, right, minutes in (
        (ADA, 2, True, 3),
        (BOB, 0, False, 2),
        (ADA, 1, False, 1),
        (ADA, 0, True, 2),
    ):
        moment = START + timedelta(minutes=minutes)
        store.answers.add(polls[position], learner_id, [0 if right else 1], right, moment)
    assert store.answers.given() == [
        (ADA, SPAIN, False, START + timedelta(minutes=1)),
        (ADA, FRANCE, True, START + timedelta(minutes=2)),
        (BOB, FRANCE, False, START + timedelta(minutes=2)),
        (ADA, ITALY, True, START + timedelta(minutes=3)),
    ]
