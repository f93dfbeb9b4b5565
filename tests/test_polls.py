"""Polls: what was asked, and which poll of Telegram's it became."""

from datetime import timedelta

import pytest

from quizzes.attempt import Attempt, QuestionRef
from quizzes.round import Round
from storage.polls import Poll, Sighting, UnknownSend, read_positions, write_positions
from storage.store import Store
from tests.clock import START

ADA, GROUP = 1, -100
FRANCE = QuestionRef("capitals", "france")
SPAIN = QuestionRef("capitals", "spain")
LATER = START + timedelta(seconds=5)
SEEN = Sighting("Which?", ("a", "b"))


@pytest.fixture
def attempt(store: Store) -> Attempt:
    store.learners.meet(ADA, "Ada", "en", START)
    return store.attempts.start(ADA, "quiz", "capitals", [FRANCE, SPAIN], START)


@pytest.fixture
def running(store: Store) -> Round:
    return store.rounds.open(GROUP, None, "capitals", "uk", ADA, 30, [FRANCE, SPAIN], START)


def decide(store: Store, attempt: Attempt, question: QuestionRef = FRANCE) -> int:
    """Keep a question that is about to be asked; its id."""
    return store.polls.add(
        ADA, question, "uk", "print", [2, 0, 1], [1, 2], START, attempt_id=attempt.id
    )


def decide_in_group(store: Store, round_id: int, question: QuestionRef = FRANCE) -> int:
    """The same in a round."""
    return store.polls.add(
        GROUP, question, "uk", "print", [1, 0], [1], START, round_id=round_id, open_seconds=30
    )


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
        round_id=None,
        question=FRANCE,
        language="uk",
        fingerprint="print",
        choices=(2, 0, 1),
        correct=frozenset({1, 2}),
        open_seconds=None,
        asked_at=None,
        closed=False,
    )
    assert store.polls.find(poll_id + 1) is None


def test_a_rounds_poll_knows_its_round_how_long_it_is_open_and_since_when(
    store: Store, running: Round
) -> None:
    poll_id = decide_in_group(store, running.id)
    store.polls.asked(poll_id, "5001", 33, LATER)
    assert store.polls.find(poll_id) == Poll(
        id=poll_id,
        telegram_id="5001",
        chat_id=GROUP,
        message_id=33,
        attempt_id=None,
        round_id=running.id,
        question=FRANCE,
        language="uk",
        fingerprint="print",
        choices=(1, 0),
        correct=frozenset({1}),
        open_seconds=30,
        asked_at=LATER,
        closed=False,
    )


def test_a_rounds_polls_are_its_own_oldest_first_and_open_until_closed(
    store: Store, attempt: Attempt, running: Round
) -> None:
    other = store.rounds.open(GROUP, 5, "capitals", "en", ADA, 30, [FRANCE], START)
    first, second = (decide_in_group(store, running.id, question) for question in (FRANCE, SPAIN))
    decide_in_group(store, other.id)
    decide(store, attempt)
    store.polls.close(first, LATER)
    assert [poll.id for poll in store.polls.of_round(running.id)] == [first, second]
    assert [poll.id for poll in store.polls.open_in_round(running.id)] == [second]


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
    assert not store.polls.knows("5001")
    store.polls.asked(poll_id, "5001", 33, LATER)
    assert store.polls.knows("5001")
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
    assert store.polls.message_ids([poll_id]) == {poll_id: 33}
    poll = store.polls.find(poll_id)
    assert poll is not None
    assert poll.asked_at == START  # when the first of them proved it


def test_a_poll_that_an_equal_one_was_taken_for_stays_with_that_one(
    store: Store, attempt: Attempt
) -> None:
    adopted, equal = decide(store, attempt), decide(store, attempt)
    store.polls.asked(adopted, "5001", None, START)
    store.polls.asked(equal, "5001", 33, LATER)
    assert telegram_ids(store, adopted, equal) == ["5001", None]
    assert store.polls.message_ids([adopted, equal]) == {adopted: 33}


def test_only_polls_that_may_have_been_sent_and_have_no_id_are_unknown_sends(
    store: Store, attempt: Attempt
) -> None:
    polls = [decide(store, attempt) for _ in range(4)]
    letters = [send(store, poll_id) for poll_id in polls]
    store.outbox.add(ADA, "sendMessage", {"chat_id": ADA}, poll_id=polls[0])
    _, doubtful, flying, known = polls
    store.outbox.claim([*letters[1:], store.outbox.added[-1].id], START)
    store.outbox.doubt(letters[1])
    store.polls.asked(known, "5001", None, START)
    assert store.polls.unknown_sends() == [
        UnknownSend(doubtful, ADA, "Which?", ("Ж", "🧠"), 0, START, doubtful=True),
        UnknownSend(flying, ADA, "Which?", ("Ж", "🧠"), 0, START, doubtful=False),
    ]


def test_a_poll_that_nobody_knows_is_sighted_with_all_that_it_says(store: Store) -> None:
    assert store.polls.sighted("5001") is None
    for seen in (
        Sighting("Which?", ("Ж", "🧠"), 0),
        Sighting("Which one?", ("a", "b"), 30, START),
    ):
        store.polls.sight("5001", seen, LATER)
        assert store.polls.sighted("5001") == seen


def test_how_long_a_poll_was_open_is_kept_when_it_says_so_no_more(store: Store) -> None:
    store.polls.sight("5001", Sighting("Which?", ("a", "b"), 30, START), START)
    store.polls.sight("5001", Sighting("Which?", ("a", "b")), LATER)
    assert store.polls.sighted("5001") == Sighting("Which?", ("a", "b"), 30, START)


def test_a_sighting_is_kept_only_while_its_poll_is_unknown(store: Store, attempt: Attempt) -> None:
    store.polls.sight("5001", SEEN, START)
    store.polls.asked(decide(store, attempt), "5001", 33, LATER)
    assert store.polls.sighted("5001") is None
    store.polls.sight("5001", SEEN, LATER)
    assert store.polls.sighted("5001") is None


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


def test_only_polls_that_telegram_has_shown_have_message_ids(
    store: Store, attempt: Attempt
) -> None:
    shown, adopted, waiting = (decide(store, attempt) for _ in range(3))
    store.polls.asked(shown, "5001", 55, START)
    store.polls.asked(adopted, "5002", None, START)
    assert store.polls.message_ids([shown, adopted, waiting, 999]) == {shown: 55}


def test_a_chats_polls_move_with_it_and_their_messages_have_other_ids_there(
    store: Store, running: Round
) -> None:
    first, second = (decide_in_group(store, running.id, question) for question in (FRANCE, SPAIN))
    store.polls.asked(first, "5001", 33, START)
    store.polls.move_chat(GROUP, -1001234567890)
    store.polls.asked(second, "5002", 2, LATER)
    store.polls.move_chat(GROUP, -1001234567890)  # as told by another message
    polls = store.polls.of_round(running.id)
    assert [(poll.telegram_id, poll.chat_id, poll.message_id) for poll in polls] == [
        ("5001", -1001234567890, None),
        ("5002", -1001234567890, 2),
    ]


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
    assert store.answers.given() == []


def test_an_old_poll_is_still_known_when_its_round_is_gone(store: Store, running: Round) -> None:
    poll_id = decide_in_group(store, running.id)
    store.polls.asked(poll_id, "5001", 33, START)
    store._raw.execute("DELETE FROM rounds")
    poll = store.polls.by_telegram_id("5001")
    assert poll is not None
    assert (poll.id, poll.round_id) == (poll_id, None)
