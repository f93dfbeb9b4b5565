"""Learners, the chats that can't be reached, and what the bot notes for itself."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from storage.learners import Learner
from storage.store import Store
from storage.times import from_ms, to_ms
from tests.clock import START

ADA = 2**52 - 1


def test_a_learner_is_unknown_until_met(store: Store) -> None:
    assert store.learners.find(ADA) is None
    ada = store.learners.meet(ADA, "Ада 🧠", "uk", START, "Лавлейс")
    assert ada == Learner(ADA, "Ада 🧠", "uk", None, "Лавлейс")
    assert store.learners.find(ADA) == ada


@pytest.mark.parametrize(
    ("name", "client_language", "last_name"),
    [
        ("Augusta", "en", "Byron"),
        ("Ada", "", "Byron"),
        ("Ada", "en", "King"),
        ("Ada", "en", ""),
    ],
)
def test_meeting_again_follows_names_and_client_and_keeps_the_chosen_language(
    store: Store, name: str, client_language: str, last_name: str
) -> None:
    store.learners.meet(ADA, "Ada", "en", START, "Byron")
    store.learners.choose_language(ADA, "pt-BR")
    day_later = START + timedelta(days=1)
    renamed = store.learners.meet(ADA, name, client_language, day_later, last_name)
    assert renamed == Learner(ADA, name, client_language, "pt-BR", last_name)
    assert store.learners.find(ADA) == renamed
    (first_seen_at,) = store._raw.execute("SELECT first_seen_at FROM learners").fetchone()
    assert from_ms(first_seen_at) == START


def test_meeting_an_unchanged_learner_gives_the_same(store: Store) -> None:
    store.learners.meet(ADA, "Ada", "en", START)
    store.learners.choose_language(ADA, "uk")
    assert store.learners.meet(ADA, "Ada", "en", START) == Learner(ADA, "Ada", "en", "uk")


def test_a_learners_choices_and_counts_are_found_and_outlive_another_name(store: Store) -> None:
    store.learners.meet(ADA, "Ada", "en", START)
    store.learners.meet(7, "Ігор", "uk", START)
    store.learners.choose_zone(ADA, "Europe/London")
    store.learners.choose_zone(ADA, "America/New_York")
    for _ in range(2):
        store.learners.count_finished(ADA)
    wanted = Learner(ADA, "Augusta", "en", None, zone="America/New_York", finished=2)
    assert store.learners.meet(ADA, "Augusta", "en", START) == wanted
    assert store.learners.find(ADA) == wanted
    assert store.learners.find(7) == Learner(7, "Ігор", "uk", None)


def test_learners_are_named_by_first_and_last_name_and_who_is_unknown_is_missing(
    store: Store,
) -> None:
    store.learners.meet(ADA, "Ada", "en", START, "Byron")
    store.learners.meet(7, "Ігор", "uk", START)
    assert store.learners.names([7, 8, ADA]) == {7: "Ігор", ADA: "Ada Byron"}
    assert store.learners.names([]) == {}


def test_a_lost_chat_is_lost_until_it_writes_again(store: Store) -> None:
    assert ADA not in store.lost_chats
    store.lost_chats.add(ADA, "Forbidden: bot was blocked by the user", START)
    store.lost_chats.add(ADA, "Forbidden: user is deactivated", START)
    assert ADA in store.lost_chats
    store.lost_chats.remove(ADA)
    assert ADA not in store.lost_chats


def test_a_note_holds_what_was_put_last(store: Store) -> None:
    assert store.notes.get("bot") is None
    store.notes.put("bot", "4242")
    store.notes.put("bot", "4343")
    assert store.notes.get("bot") == "4343"


@pytest.mark.parametrize(
    ("moment", "ms"),
    [
        (datetime(1970, 1, 1, tzinfo=UTC), 0),
        (datetime(2026, 3, 2, 9, 0, 0, 123999, tzinfo=UTC), 1772442000123),
        (datetime(2026, 3, 2, 11, 0, tzinfo=timezone(timedelta(hours=2))), 1772442000000),
        (datetime(1969, 12, 31, 23, 59, 59, 999000, tzinfo=UTC), -1),
    ],
)
def test_a_moment_is_kept_as_whole_milliseconds_utc(moment: datetime, ms: int) -> None:
    assert to_ms(moment) == ms
    assert from_ms(ms) == moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    assert from_ms(ms).tzinfo is UTC


def test_a_moment_without_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="has no time zone"):
        to_ms(START.replace(tzinfo=None))
