"""The inbox: every update once, in order, until it is handled."""

from datetime import timedelta

import pytest

from storage.inbox import PRUNED_AT_ONCE, REMEMBERED, Arrival, Row
from storage.store import Store
from tests.clock import START

WEEK_LATER = START + REMEMBERED
MOMENT = timedelta(milliseconds=1)


def arrive(store: Store, *update_ids: int, lane: int | None = 7) -> None:
    store.inbox.add([Arrival(i, lane, f'{{"update_id":{i}}}') for i in update_ids], START)


def waiting(store: Store) -> list[int | None]:
    """The update ids of what waits."""
    return [row.update_id for row in store.inbox.waiting(1000)]


def kept(store: Store) -> int:
    """How many rows the table has, handled ones too."""
    (number,) = store._raw.execute("SELECT count(*) FROM inbox").fetchone()
    return int(number)


def test_an_update_comes_out_as_it_went_in(store: Store) -> None:
    body = '{"update_id":9223372036854775807,"text":"Ж 🧠 \\u0000 \\"'
    store.inbox.add([Arrival(2**63 - 1, -(2**62), body)], START)
    assert store.inbox.waiting(10) == [
        Row(
            id=1,
            update_id=2**63 - 1,
            lane=-(2**62),
            kind="update",
            body=body,
            received_at=START,
            failed_before=False,
        )
    ]


def test_what_the_bot_tells_itself_waits_in_the_same_line(store: Store) -> None:
    arrive(store, 5)
    store.inbox.add_event("due", "{}", START)
    store.inbox.add_event("outcome", "{}", START)
    rows = [(row.kind, row.update_id, row.lane) for row in store.inbox.waiting(10)]
    assert rows == [("update", 5, 7), ("due", None, None), ("outcome", None, None)]


def test_updates_wait_in_the_order_in_which_they_came_whatever_their_ids(store: Store) -> None:
    arrive(store, 900, 3)
    arrive(store, 500)
    assert waiting(store) == [900, 3, 500]
    assert [row.update_id for row in store.inbox.waiting(2)] == [900, 3]


def test_a_handled_update_waits_no_more_and_its_content_is_gone(store: Store) -> None:
    arrive(store, 1)
    store.inbox.done([1])
    assert waiting(store) == []
    assert store._raw.execute("SELECT body FROM inbox").fetchall() == [("",)]


@pytest.mark.parametrize("handled", [False, True])
def test_a_repeated_update_is_dropped_for_a_week(store: Store, handled: bool) -> None:
    arrive(store, 1, 1)
    if handled:
        store.inbox.done([1])
    before = waiting(store)
    store.inbox.add([Arrival(1, 7, "again")], WEEK_LATER)
    assert waiting(store) == before
    assert kept(store) == 1


@pytest.mark.parametrize("end", ["done", "set aside"])
def test_an_id_older_than_a_week_may_come_anew(store: Store, end: str) -> None:
    arrive(store, 1)
    if end == "done":
        store.inbox.done([1])
    else:
        store.inbox.set_aside(1, "KeyError")
    store.inbox.add([Arrival(1, 7, "another update")], WEEK_LATER + MOMENT)
    assert [row.body for row in store.inbox.waiting(10)] == ["another update"]


def test_an_update_that_was_set_aside_is_kept_when_its_id_comes_anew(store: Store) -> None:
    arrive(store, 1)
    store.inbox.set_aside(1, "KeyError")
    store.inbox.add([Arrival(1, 7, "another update")], WEEK_LATER + MOMENT)
    store.inbox.retry_failed()
    assert [row.body for row in store.inbox.waiting(10)] == ['{"update_id":1}', "another update"]


def test_a_deferred_row_waits_until_it_is_released_and_comes_first_then(store: Store) -> None:
    arrive(store, 1, 2)
    store.inbox.defer(1)
    assert waiting(store) == [2]
    assert store.inbox.release()
    assert waiting(store) == [1, 2]


def test_releasing_tells_when_there_was_nothing(store: Store) -> None:
    arrive(store, 1)
    assert not store.inbox.release()


def test_of_each_person_the_earliest_deferred_row_is_known(store: Store) -> None:
    for update_id, lane in ((1, 7), (2, 7), (3, 8), (4, 7), (5, 9), (6, None)):
        arrive(store, update_id, lane=lane)
    for row_id in (4, 2, 3, 6):
        store.inbox.defer(row_id)
    assert store.inbox.deferred() == {7: 2, 8: 3}


def test_what_was_set_aside_is_kept_and_tried_again_with_a_mark(store: Store) -> None:
    arrive(store, 1, 2)
    store.inbox.set_aside(1, "KeyError: 'quiz'")
    assert waiting(store) == [2]
    assert store.inbox.retry_failed() == 1
    rows = [(row.update_id, row.failed_before) for row in store.inbox.waiting(10)]
    assert rows == [(1, True), (2, False)]
    assert store.inbox.retry_failed() == 0


def test_what_is_done_keeps_nothing_but_its_updates_id(store: Store) -> None:
    arrive(store, 1)
    store.inbox.set_aside(1, "KeyError: 'quiz'")
    store.inbox.retry_failed()
    store.inbox.done([1])
    rows = store._raw.execute("SELECT update_id, lane, body, state, error FROM inbox")
    assert rows.fetchall() == [(1, None, "", "done", None)]


def test_pruning_forgets_what_was_handled_over_a_week_ago_and_nothing_else(store: Store) -> None:
    arrive(store, 1, 2, 3, 4)
    store.inbox.done([1])
    store.inbox.set_aside(2, "KeyError")
    store.inbox.defer(3)
    store.inbox.prune(WEEK_LATER)
    assert kept(store) == 4
    store.inbox.prune(WEEK_LATER + MOMENT)
    assert kept(store) == 3
    store.inbox.release()
    store.inbox.retry_failed()
    assert waiting(store) == [2, 3, 4]


def test_pruning_goes_in_small_steps(store: Store) -> None:
    arrive(store, *range(PRUNED_AT_ONCE + 50))
    for row in store.inbox.waiting(1000):
        store.inbox.done([row.id])
    left = []
    for _ in range(3):
        store.inbox.prune(WEEK_LATER + MOMENT)
        left.append(kept(store))
    assert left == [50, 0, 0]


def test_a_row_id_is_never_given_twice(store: Store) -> None:
    arrive(store, 1)
    store.inbox.done([1])
    store.inbox.prune(WEEK_LATER + MOMENT)
    arrive(store, 2)
    assert [row.id for row in store.inbox.waiting(10)] == [2]
