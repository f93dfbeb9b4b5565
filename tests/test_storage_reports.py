"""Learners' wishes for reminders, and their reports, as they are stored."""

from datetime import date, time, timedelta

import pytest

from quizzes.attempt import QuestionRef
from storage.polls import Poll
from storage.reminders import Reminder
from storage.reports import Report
from storage.store import Store
from tests.clock import START

ADA, BOB = 1, 2**52 - 1
FRANCE = QuestionRef("capitals", "france")
TODAY = date(2026, 3, 2)
LATER = START + timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _learners(store: Store) -> None:
    store.learners.meet(ADA, "Ada", "en", START)
    store.learners.meet(BOB, "Bob", "uk", START)


@pytest.fixture
def poll(store: Store) -> Poll:
    """A question that was asked in a group."""
    poll_id = store.polls.add(-100, FRANCE, "uk", "print", [1, 0], [0], START)
    found = store.polls.find(poll_id)
    assert found is not None
    return found


# Reminders


@pytest.mark.parametrize("time_of_day", [time(0), time(8), time(23, 59)])
def test_a_reminder_keeps_its_time_of_day(store: Store, time_of_day: time) -> None:
    assert store.reminders.find(ADA) is None
    store.reminders.put(ADA, time_of_day)
    assert store.reminders.find(ADA) == Reminder(time_of_day, None)
    assert store.reminders.find(BOB) is None


def test_another_time_of_day_keeps_the_day_of_the_last_reminder(store: Store) -> None:
    store.reminders.put(ADA, time(8))
    store.reminders.note(ADA, TODAY)
    store.reminders.put(ADA, time(19, 30))
    assert store.reminders.find(ADA) == Reminder(time(19, 30), TODAY)


def test_a_reminder_that_is_removed_is_gone_with_its_day(store: Store) -> None:
    store.reminders.put(ADA, time(8))
    store.reminders.put(BOB, time(9))
    store.reminders.note(ADA, TODAY)
    store.reminders.remove(ADA)
    assert store.reminders.find(ADA) is None
    assert store.reminders.find(BOB) == Reminder(time(9), None)
    store.reminders.put(ADA, time(8))
    assert store.reminders.find(ADA) == Reminder(time(8), None)


def test_who_wants_no_reminder_has_no_last_one(store: Store) -> None:
    store.reminders.note(ADA, TODAY)
    assert store.reminders.find(ADA) is None


# Reports


def test_a_report_says_what_was_asked_and_in_which_words(store: Store, poll: Poll) -> None:
    assert store.reports.add(ADA, poll, LATER)
    assert list(store.reports.all()) == [Report(1, ADA, FRANCE, "uk", "print", LATER)]


def test_a_learner_reports_a_poll_once(store: Store, poll: Poll) -> None:
    assert store.reports.add(ADA, poll, START)
    assert not store.reports.add(ADA, poll, LATER)
    assert store.reports.add(BOB, poll, LATER)
    assert [(one.learner_id, one.reported_at) for one in store.reports.all()] == [
        (ADA, START),
        (BOB, LATER),
    ]


def test_reports_come_oldest_first(store: Store, poll: Poll) -> None:
    store.reports.add(BOB, poll, LATER)
    store.reports.add(ADA, poll, START)
    assert [one.learner_id for one in store.reports.all()] == [BOB, ADA]
