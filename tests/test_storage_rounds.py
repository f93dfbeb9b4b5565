"""Rounds as they are stored: one at a time in a chat or topic, its players and their votes."""

import sqlite3
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from quizzes.attempt import QuestionRef
from quizzes.round import Round, Status, Vote
from storage.store import Store
from tests.clock import START

ADA, BOB, CLEO = 1, 2, 2**52 - 1
GROUP, SUPERGROUP, TOPIC = -100, -1001234567890, 7
FRANCE, SPAIN, ITALY = (QuestionRef("capitals", name) for name in ("france", "spain", "italy"))
ALL = (FRANCE, SPAIN, ITALY)
LATER = START + timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _learners(store: Store) -> None:
    for learner_id, name in ((ADA, "Ada"), (BOB, "Bob"), (CLEO, "Cleo")):
        store.learners.meet(learner_id, name, "en", START)


def begin(store: Store, chat_id: int = GROUP, thread_id: int | None = None) -> Round:
    return store.rounds.open(chat_id, thread_id, "capitals", "uk", ADA, 30, ALL, START)


def ask(
    store: Store, round_id: int, question: QuestionRef = FRANCE, asked_at: datetime = START
) -> int:
    """Ask a question, which Telegram accepts at a moment; the poll's id."""
    poll_id = store.polls.add(
        GROUP, question, "uk", "print", [0, 1], [0], START, round_id=round_id, open_seconds=30
    )
    store.polls.asked(poll_id, f"500{poll_id}", None, asked_at)
    return poll_id


def vote(store: Store, poll_id: int, learner_id: int, right: bool, seconds: float) -> None:
    """Have a vote stored so many seconds after START."""
    now = START + timedelta(seconds=seconds)
    store.answers.add(poll_id, learner_id, [0 if right else 1], right, now)


def status(store: Store, current: Round) -> tuple[Status, datetime | None]:
    """A round's status, and when it ended."""
    (ended_at,) = store._raw.execute(
        "SELECT ended_at FROM rounds WHERE id = ?", (current.id,)
    ).fetchone()
    ended = None if ended_at is None else datetime.fromtimestamp(ended_at / 1000, START.tzinfo)
    return store.rounds.get(current.id).status, ended


def test_a_round_opens_as_a_lobby_with_nothing_asked(store: Store) -> None:
    opened = begin(store, SUPERGROUP, TOPIC)
    assert opened == Round(
        id=opened.id,
        chat_id=SUPERGROUP,
        thread_id=TOPIC,
        quiz_id="capitals",
        language="uk",
        opener_id=ADA,
        status="lobby",
        seconds=30,
        questions=ALL,
        asked=0,
        silent=0,
        pause_wanted=False,
    )
    assert store.rounds.find(opened.id) == opened
    assert store.rounds.get(opened.id) == opened
    assert store.rounds.find(opened.id + 1) is None


def test_a_round_outside_of_topics_has_none(store: Store) -> None:
    assert begin(store).thread_id is None


def test_an_admin_who_stays_anonymous_can_open_a_round(store: Store) -> None:
    opened = store.rounds.open(GROUP, None, "capitals", "en", 0, 30, ALL, START)
    assert store.rounds.get(opened.id).opener_id == 0


@pytest.mark.parametrize("thread_id", [None, TOPIC])
def test_a_chat_or_topic_has_one_round_running_at_most(store: Store, thread_id: int | None) -> None:
    first = begin(store, GROUP, thread_id)
    with pytest.raises(sqlite3.IntegrityError):
        begin(store, GROUP, thread_id)
    store.rounds.end(first.id, LATER)
    second = begin(store, GROUP, thread_id)
    assert store.rounds.running(GROUP, thread_id) == second


def test_chats_and_topics_run_their_rounds_side_by_side(store: Store) -> None:
    outside, inside, other = begin(store), begin(store, GROUP, TOPIC), begin(store, GROUP, 8)
    elsewhere = begin(store, SUPERGROUP)
    store.rounds.end(other.id, LATER)
    assert store.rounds.running(GROUP, None) == outside
    assert store.rounds.running(GROUP, TOPIC) == inside
    assert store.rounds.running(GROUP, 8) is None
    assert store.rounds.running_in_chat(GROUP) == [outside, inside]
    assert store.rounds.running_in_chat(SUPERGROUP) == [elsewhere]
    assert store.rounds.running_in_chat(ADA) == []


@pytest.mark.parametrize("status", ["lobby", "asking", "closing", "between", "paused"])
def test_a_round_runs_in_every_status_but_the_last(store: Store, status: Status) -> None:
    opened, other = begin(store), begin(store, GROUP, TOPIC)
    store.rounds.set_status(opened.id, status)
    assert store.rounds.running(GROUP, None) == replace(opened, status=status)
    assert store.rounds.get(other.id) == other


def test_there_are_no_other_statuses(store: Store) -> None:
    opened = begin(store)
    with pytest.raises(sqlite3.IntegrityError):
        store.rounds.set_status(opened.id, "cancelled")  # type: ignore[arg-type]


def test_a_round_ends_once_and_can_still_be_found(store: Store) -> None:
    opened = begin(store)
    store.rounds.end(opened.id, START)
    store.rounds.end(opened.id, LATER)
    assert status(store, opened) == ("ended", START)
    assert store.rounds.running(GROUP, None) is None


def test_a_lobby_chooses_seconds_and_questions_of_its_own_round(store: Store) -> None:
    opened, other = begin(store), begin(store, GROUP, TOPIC)
    store.rounds.set_seconds(opened.id, 60)
    store.rounds.set_questions(opened.id, [ITALY, FRANCE])
    assert store.rounds.get(opened.id) == replace(opened, seconds=60, questions=(ITALY, FRANCE))
    assert store.rounds.get(other.id) == other


def test_a_question_that_has_left_the_bank_is_taken_out(store: Store) -> None:
    opened = begin(store)
    store.rounds.drop_question(opened, SPAIN)
    assert store.rounds.get(opened.id).questions == (FRANCE, ITALY)


def test_a_round_may_lose_all_its_questions(store: Store) -> None:
    opened = store.rounds.open(GROUP, None, "capitals", "en", ADA, 30, [FRANCE], START)
    store.rounds.drop_question(opened, FRANCE)
    left = store.rounds.get(opened.id)
    assert (left.questions, left.current) == ((), None)


@pytest.mark.parametrize(
    ("voters", "silent"),
    [([0], 1), ([0, 0], 2), ([3], 0), ([0, 1], 0), ([0, 0, 1, 0], 1)],
)
def test_silence_counts_the_questions_without_voters_up_to_the_last(
    store: Store, voters: list[int], silent: int
) -> None:
    opened = begin(store)
    for number in voters:
        store.rounds.count_revealed(opened.id, number)
    assert store.rounds.get(opened.id) == replace(opened, asked=len(voters), silent=silent)


def test_who_asks_for_a_pause_or_ends_one_breaks_the_silence(store: Store) -> None:
    opened = begin(store)
    for wanted in (True, False):
        store.rounds.count_revealed(opened.id, 0)
        store.rounds.want_pause(opened.id, wanted)
        now = store.rounds.get(opened.id)
        assert (now.pause_wanted, now.silent) == (wanted, 0)


def test_a_learner_joins_once_and_all_are_listed_in_the_order_in_which_they_joined(
    store: Store,
) -> None:
    opened, other = begin(store), begin(store, GROUP, TOPIC)
    joins = [
        store.rounds.join(opened.id, learner_id, START + timedelta(seconds=seconds))
        for learner_id, seconds in ((CLEO, 1), (ADA, 2), (BOB, 2), (CLEO, 3))
    ]
    assert joins == [True, True, True, False]
    assert store.rounds.join(other.id, BOB, LATER)
    assert store.rounds.joined(opened.id) == [CLEO, ADA, BOB]
    assert store.rounds.joined(other.id) == [BOB]


def test_a_learner_plays_where_a_round_that_they_joined_has_not_ended(store: Store) -> None:
    over, running, topic = begin(store), begin(store, SUPERGROUP), begin(store, SUPERGROUP, TOPIC)
    for current in (over, running, topic):
        store.rounds.join(current.id, BOB, START)
    store.rounds.join(over.id, CLEO, START)
    store.rounds.end(over.id, LATER)
    played_in = {who: store.rounds.played_in(who) for who in (ADA, BOB, CLEO)}
    assert played_in == {ADA: set(), BOB: {SUPERGROUP}, CLEO: set()}


def test_votes_are_in_the_order_of_questions_then_of_time_then_of_learners(store: Store) -> None:
    opened, other = begin(store), begin(store, GROUP, TOPIC)
    france = ask(store, opened.id)
    spain = ask(store, opened.id, SPAIN, START + timedelta(seconds=40))
    elsewhere = ask(store, other.id)
    vote(store, spain, ADA, right=False, seconds=41)
    vote(store, france, CLEO, right=True, seconds=2.5)
    vote(store, france, BOB, right=False, seconds=2.5)
    vote(store, france, ADA, right=True, seconds=9)
    vote(store, elsewhere, CLEO, right=True, seconds=1)
    assert store.rounds.votes(opened.id) == [
        Vote(BOB, FRANCE, False, 2.5),
        Vote(CLEO, FRANCE, True, 2.5),
        Vote(ADA, FRANCE, True, 9.0),
        Vote(ADA, SPAIN, False, 1.0),
    ]
    assert store.rounds.votes(other.id) == [Vote(CLEO, FRANCE, True, 1.0)]


def test_a_vote_that_came_before_telegrams_answer_took_no_time(store: Store) -> None:
    opened = begin(store)
    vote(store, ask(store, opened.id, asked_at=LATER), ADA, right=True, seconds=3)
    assert store.rounds.votes(opened.id) == [Vote(ADA, FRANCE, True, 0.0)]


def test_the_votes_in_a_question_that_was_asked_twice_are_together_the_quickest_first(
    store: Store,
) -> None:
    opened = begin(store)
    first = ask(store, opened.id)
    again = ask(store, opened.id, asked_at=LATER)
    vote(store, first, ADA, right=True, seconds=5)
    vote(store, again, BOB, right=True, seconds=62)
    vote(store, ask(store, opened.id, SPAIN), CLEO, right=True, seconds=1)
    assert store.rounds.votes_in_question(opened.id, FRANCE) == [
        Vote(BOB, FRANCE, True, 2.0),
        Vote(ADA, FRANCE, True, 5.0),
    ]
    assert store.rounds.votes_in_question(opened.id, ITALY) == []


def test_a_forgotten_learner_has_neither_joined_nor_voted(store: Store) -> None:
    opened = begin(store)
    poll_id = ask(store, opened.id)
    for learner_id in (ADA, BOB):
        store.rounds.join(opened.id, learner_id, START)
        vote(store, poll_id, learner_id, right=True, seconds=1)
    store._raw.execute("DELETE FROM learners WHERE id = ?", (ADA,))
    assert store.rounds.joined(opened.id) == [BOB]
    assert store.rounds.votes(opened.id) == [Vote(BOB, FRANCE, True, 1.0)]


def test_a_chats_rounds_move_with_it_those_that_are_over_too(store: Store) -> None:
    over = begin(store)
    store.rounds.end(over.id, LATER)
    running, elsewhere = begin(store), begin(store, -200)
    store.rounds.move_chat(GROUP, SUPERGROUP)
    assert store.rounds.running(SUPERGROUP, None) == replace(running, chat_id=SUPERGROUP)
    assert store.rounds.get(over.id).chat_id == SUPERGROUP
    assert store.rounds.running(GROUP, None) is None
    assert store.rounds.get(elsewhere.id) == elsewhere


def test_a_round_that_runs_at_the_new_id_already_stays_the_one_and_the_other_is_over(
    store: Store,
) -> None:
    old = begin(store)
    there = store.rounds.open(SUPERGROUP, None, "capitals", "uk", BOB, 30, ALL, LATER)
    store.rounds.move_chat(GROUP, SUPERGROUP)
    assert store.rounds.running_in_chat(SUPERGROUP) == [there]
    assert store.rounds.running_in_chat(GROUP) == []
    assert status(store, old) == ("ended", LATER)
    assert store.rounds.get(old.id).chat_id == SUPERGROUP


def test_rounds_in_other_topics_or_over_at_the_new_id_end_none_that_moves(store: Store) -> None:
    running = begin(store)
    in_topic = begin(store, SUPERGROUP, TOPIC)
    over = begin(store, SUPERGROUP)
    store.rounds.end(over.id, LATER)
    store.rounds.move_chat(GROUP, SUPERGROUP)
    moved = replace(running, chat_id=SUPERGROUP)
    assert store.rounds.running_in_chat(SUPERGROUP) == [moved, in_topic]
