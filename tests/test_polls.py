"""Polls: what was asked, and which poll of Telegram's it became."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from quizzes.attempt import Attempt, QuestionRef
from storage.polls import SIGHTED, Poll, UnknownSend, read_positions, write_positions
from storage.store import Store
from tests.clock import START
from tests.stores import blank_store

ADA = 1
FRANCE = QuestionRef("capitals", "france")
SPAIN = QuestionRef("capitals", "spain")
LATER = START + timedelta(seconds=5)


@pytest.fixture
def store() -> Iterator[Store]:
    with blank_store() as store:
        yield store


@pytest.fixture
def attempt(store: Store) -> Attempt:
    store.learners.meet(ADA, "Ada", "en", START)
    return store.attempts.start(ADA, "quiz", "capitals", [FRANCE, SPAIN], START)


def decide(store: Store, attempt: Attempt, question: QuestionRef = FRANCE) -> int:
    """Keep a question that is about to be asked; its id."""
    return store.polls.add(ADA, attempt.id, question, "uk", "print", [2, 0, 1], [1, 2], START)


def send(store: Store, poll_id: int, question: str = "Which?") -> int:
    """Put the poll into the outbox; the letter's id."""
    params = {"chat_id": ADA, "question": question, "options": [{"text": "Ж"}, {"text": "🧠"}]}
    store.outbox.add(ADA, "sendPoll", params, poll_id=poll_id)
    return store.outbox.added[-1].id


def telegram_ids(store: Store, *poll_ids: int) -> list[str | None]:
    polls = [store.polls.find(poll_id) for poll_id in poll_ids]
    return [poll.telegram_id if poll else None for poll in polls]


def test_a_poll_comes_out_as_it_went_in(store: Store, attempt: Attempt) -> None:
    poll_id = decide(store, attempt)
    assert store.polls.find(poll_id) == Poll(
        id=poll_id,
        telegram_id=None,
        chat_id=ADA,
        message_id=None,
        attempt_id=attempt.id,
        question=FRANCE,
        language="uk",
        fingerprint="print",
        choices=(2, 0, 1),
        correct=frozenset({1, 2}),
        closed=False,
    )
    assert store.polls.find(poll_id + 1) is None


def test_twelve_choices_in_any_order_are_one_letter_each() -> None:
    order = (11, 0, 5, 10, 1, 2, 3, 4, 6, 7, 8, 9)
    assert write_positions(order) == "lafkbcdeghij"
    assert read_positions("lafkbcdeghij") == order


@pytest.mark.parametrize(
    ("option_ids", "picked"),
    [
        ([0], {2}),
        ([1, 2], {0, 1}),
        ([2, 2], {1}),
        ([], set()),
        ([3], None),
        ([0, 3], None),
        ([-1], None),
        ([0, -3], None),
    ],
)
def test_a_vote_is_read_by_the_order_in_which_the_choices_were_sent(
    store: Store, attempt: Attempt, option_ids: list[int], picked: set[int] | None
) -> None:
    poll = store.polls.find(decide(store, attempt))
    assert poll is not None
    assert poll.picked(option_ids) == picked


def test_a_poll_is_found_by_telegrams_id_once_that_is_known(store: Store, attempt: Attempt) -> None:
    poll_id = decide(store, attempt)
    assert store.polls.by_telegram_id("5001") is None
    store.polls.asked(poll_id, "5001", 33, LATER)
    poll = store.polls.by_telegram_id("5001")
    assert poll is not None
    assert (poll.id, poll.message_id) == (poll_id, 33)


def test_the_message_id_that_a_vote_could_not_tell_comes_with_the_reply(
    store: Store, attempt: Attempt
) -> None:
    poll_id = decide(store, attempt)
    store.polls.asked(poll_id, "5001", None, START)
    store.polls.asked(poll_id, "5001", 33, LATER)
    store.polls.asked(poll_id, "5001", None, LATER)
    assert store.outbox.message_ids([poll_id]) == {poll_id: 33}
    # The moment in which the first of them proved it.
    (asked_at,) = store._raw.execute("SELECT asked_at FROM polls").fetchone()
    assert asked_at == START.timestamp() * 1000


def test_a_poll_that_an_equal_one_was_taken_for_stays_with_that_one(
    store: Store, attempt: Attempt
) -> None:
    adopted, equal = decide(store, attempt), decide(store, attempt)
    store.polls.asked(adopted, "5001", None, START)
    store.polls.asked(equal, "5001", 33, LATER)
    assert telegram_ids(store, adopted, equal) == ["5001", None]
    assert store.outbox.message_ids([adopted, equal]) == {adopted: 33}


def test_only_polls_that_may_have_been_sent_and_have_no_id_are_unknown_sends(
    store: Store, attempt: Attempt
) -> None:
    polls = [decide(store, attempt) for _ in range(4)]
    letters = [send(store, poll_id) for poll_id in polls]
    store.outbox.add(ADA, "sendMessage", {"chat_id": ADA}, poll_id=polls[0])
    _, doubtful, flying, known = polls
    store.outbox.claim([*letters[1:], store.outbox.added[-1].id])
    store.outbox.doubt(letters[1])
    store.polls.asked(known, "5001", None, START)
    assert store.polls.unknown_sends() == [
        UnknownSend(doubtful, ADA, "Which?", ("Ж", "🧠"), doubtful=True),
        UnknownSend(flying, ADA, "Which?", ("Ж", "🧠"), doubtful=False),
    ]


def test_a_poll_that_nobody_knows_is_sighted_with_question_and_options(store: Store) -> None:
    assert store.polls.sighted("5001") is None
    store.polls.sight("5001", "Which?", ["Ж", "🧠"], START)
    assert store.polls.sighted("5001") == ("Which?", ("Ж", "🧠"))
    store.polls.sight("5001", "Which one?", ["a", "b"], LATER)
    assert store.polls.sighted("5001") == ("Which one?", ("a", "b"))


def test_a_sighting_is_kept_only_while_its_poll_is_unknown(store: Store, attempt: Attempt) -> None:
    store.polls.sight("5001", "Which?", ["a", "b"], START)
    store.polls.asked(decide(store, attempt), "5001", 33, LATER)
    assert store.polls.sighted("5001") is None
    store.polls.sight("5001", "Which?", ["a", "b"], LATER)
    assert store.polls.sighted("5001") is None


def test_a_sighting_that_led_nowhere_is_forgotten(store: Store) -> None:
    store.polls.sight("5001", "Which?", ["a", "b"], START)
    store.polls.sight("5002", "Which?", ["a", "b"], START + SIGHTED)
    assert store.polls.sighted("5001") is not None
    store.polls.sight("5003", "Which?", ["a", "b"], START + SIGHTED + timedelta(seconds=1))
    assert store.polls.sighted("5001") is None
    assert store.polls.sighted("5002") is not None


def test_a_closed_poll_is_open_no_more_and_closes_once(store: Store, attempt: Attempt) -> None:
    first, second = decide(store, attempt), decide(store, attempt)
    store.polls.close(first, START)
    store.polls.close(first, LATER)
    assert [poll.id for poll in store.polls.open_in_attempt(attempt.id)] == [second]
    poll = store.polls.find(first)
    assert poll is not None
    assert poll.closed
    (closed_at,) = store._raw.execute(
        "SELECT closed_at FROM polls WHERE id = ?", (first,)
    ).fetchone()
    assert closed_at == START.timestamp() * 1000


def test_an_attempt_went_on_when_another_question_was_asked_later(
    store: Store, attempt: Attempt
) -> None:
    polls = [
        store.polls.find(decide(store, attempt, question)) for question in (FRANCE, FRANCE, SPAIN)
    ]
    assert [store.polls.has_later_question(poll) for poll in polls if poll] == [True, True, False]


def test_a_chats_polls_move_with_it(store: Store, attempt: Attempt) -> None:
    poll_id = decide(store, attempt)
    store.move_chat(ADA, -1001234567890)
    poll = store.polls.find(poll_id)
    assert poll is not None
    assert poll.chat_id == -1001234567890


def test_an_old_poll_is_still_known_when_its_learner_is_forgotten(
    store: Store, attempt: Attempt
) -> None:
    poll_id = decide(store, attempt)
    store.polls.asked(poll_id, "5001", 33, START)
    store.answers.add(poll_id, ADA, [1, 2], True, START)
    store._raw.execute("DELETE FROM learners")
    poll = store.polls.by_telegram_id("5001")
    assert poll is not None
    assert (poll.id, poll.attempt_id) == (poll_id, None)
    assert store.answers.count(ADA) == (0, 0)
