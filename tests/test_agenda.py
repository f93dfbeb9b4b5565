"""The agenda: what is due later, once a kind and subject."""

from datetime import timedelta

from storage.agenda import Item
from storage.store import Store
from tests.clock import START

SECOND = timedelta(seconds=1)


def test_an_empty_agenda_has_nothing_due(store: Store) -> None:
    assert store.agenda.next_due_at() is None
    assert store.agenda.take_due(START, 10) == []


def test_what_is_due_is_taken_once_the_earliest_first(store: Store) -> None:
    store.agenda.put("close", 2, START + 2 * SECOND)
    store.agenda.put("close", 1, START + 3 * SECOND)
    store.agenda.put("remind", 1, START + SECOND)
    store.agenda.put("remind", 2, START + 4 * SECOND)
    assert store.agenda.next_due_at() == START + SECOND
    assert store.agenda.take_due(START + 3 * SECOND, 10) == [
        Item("remind", 1, START + SECOND),
        Item("close", 2, START + 2 * SECOND),
        Item("close", 1, START + 3 * SECOND),
    ]
    assert store.agenda.take_due(START + 3 * SECOND, 10) == []
    assert store.agenda.next_due_at() == START + 4 * SECOND


def test_no_more_than_the_limit_is_taken(store: Store) -> None:
    for subject in (3, 1, 2):
        store.agenda.put("close", subject, START)
    taken = [[item.subject for item in store.agenda.take_due(START, 2)] for _ in range(2)]
    assert taken == [[1, 2], [3]]


def test_a_new_date_replaces_the_old_one_of_the_same_kind_and_subject(store: Store) -> None:
    store.agenda.put("close", 1, START)
    store.agenda.put("close", 1, START + SECOND)
    store.agenda.put("remind", 1, START + SECOND)
    assert store.agenda.take_due(START, 10) == []
    assert store.agenda.take_due(START + SECOND, 10) == [
        Item("close", 1, START + SECOND),
        Item("remind", 1, START + SECOND),
    ]


def test_what_was_removed_is_never_due(store: Store) -> None:
    store.agenda.put("close", 1, START)
    store.agenda.put("close", 2, START)
    store.agenda.remove("close", 1)
    store.agenda.remove("close", 99)
    assert store.agenda.take_due(START, 10) == [Item("close", 2, START)]
