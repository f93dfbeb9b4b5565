"""No query reads a whole table: the bot answers as fast after a year as on its first day."""

import re
import sqlite3
from datetime import time
from typing import Any

import pytest

from quizzes.attempt import Attempt, QuestionRef
from quizzes.progress import extend
from quizzes.round import Round
from quizzes.schedule import review
from storage.inbox import Arrival
from storage.polls import Poll, Sighting
from storage.store import Store
from tests.clock import START

ADA, BOB = 1, 2
GROUP, SUPERGROUP = -100, -1001234567890
FRANCE = QuestionRef("capitals", "france")
ATTEMPT = Attempt(1, ADA, "quiz", "capitals", (FRANCE,), {})
ROUND = Round(1, GROUP, None, "capitals", "en", ADA, "lobby", 30, (FRANCE,), 0, 0, False)
POLL = Poll(
    id=1,
    telegram_id=None,
    chat_id=ADA,
    message_id=None,
    attempt_id=1,
    round_id=None,
    question=FRANCE,
    language="en",
    fingerprint="print",
    choices=(0, 1),
    correct=frozenset({0}),
    open_seconds=None,
    asked_at=None,
    closed=False,
)

QUERIES: dict[str, tuple[Any, ...]] = {
    "notes.get": ("bot",),
    "notes.put": ("bot", "4242"),
    "notes.forget": ("full list 1",),
    "learners.find": (ADA,),
    "learners.meet": (3, "Cleo", "en", START),
    "learners.names": ([ADA, BOB],),
    "learners.choose_language": (ADA, "uk"),
    "learners.choose_zone": (ADA, "Europe/Kyiv"),
    "learners.count_finished": (ADA,),
    "lost_chats.add": (ADA, "Forbidden", START),
    "lost_chats.remove": (ADA,),
    "lost_chats.among": ([ADA],),
    "lost_chats.__contains__": (ADA,),
    "attempts.start": (BOB, "quiz", "capitals", [FRANCE], START),
    "attempts.find": (1,),
    "attempts.running": (ADA,),
    "attempts.end": (1, START),
    "attempts.drop_question": (ATTEMPT, FRANCE),
    "polls.add": (ADA, FRANCE, "en", "print", [0, 1], [0], START),
    "polls.find": (1,),
    "polls.by_telegram_id": ("5001",),
    "polls.open_in_attempt": (1,),
    "polls.open_in_round": (1,),
    "polls.of_round": (1,),
    "polls.has_later_question": (POLL,),
    "polls.asked": (1, "5001", 33, START),
    "polls.close": (1, START),
    "polls.knows": ("77",),
    "polls.unknown_sends": (),
    "polls.sight": ("5001", Sighting("Which?", ("a", "b"), 30, START), START),
    "polls.prune_sightings": (START,),
    "polls.sighted": ("5001",),
    "polls.message_ids": ([1],),
    "answers.add": (1, ADA, [0], True, START),
    "answers.has": (1, ADA),
    "answers.picked": (1, ADA),
    "memories.find": (ADA, FRANCE),
    "memories.all": (ADA,),
    "memories.put": (ADA, FRANCE, *review(None, True, START)),
    "days.count": (ADA, START.date(), True),
    "days.since": (ADA, START.date()),
    "days.streak": (ADA,),
    "days.put_streak": (ADA, extend(None, START, "UTC")),
    "reminders.find": (ADA,),
    "reminders.put": (ADA, time(19)),
    "reminders.remove": (ADA,),
    "reminders.note": (ADA, START.date()),
    "reports.add": (ADA, POLL, START),
    "rounds.open": (SUPERGROUP, None, "capitals", "en", ADA, 30, [FRANCE], START),
    "rounds.get": (1,),
    "rounds.find": (1,),
    "rounds.running": (GROUP, None),
    "rounds.running_in_chat": (GROUP,),
    "rounds.set_status": (1, "asking"),
    "rounds.set_seconds": (1, 20),
    "rounds.set_questions": (1, [FRANCE]),
    "rounds.want_pause": (1, True),
    "rounds.count_revealed": (1, 2),
    "rounds.end": (1, START),
    "rounds.prune": (START,),
    "rounds.join": (1, BOB, START),
    "rounds.joined": (1,),
    "rounds.played_in": (ADA,),
    "rounds.votes": (1,),
    "rounds.votes_in_question": (1, FRANCE),
    "rounds.drop_question": (ROUND, FRANCE),
    "groups.get": (GROUP,),
    "groups.choose_language": (GROUP, "uk"),
    "groups.choose_openers": (GROUP, "admins"),
    "groups.admins": (GROUP, START),
    "groups.keep_admins": (GROUP, [ADA], START),
    "groups.count_answer": (GROUP, ADA, True, 1500, START),
    "groups.scores": (GROUP, 10, "2026-03-02"),
    "groups.totals": (GROUP,),
    "groups.move_chat": (GROUP, SUPERGROUP),
    "named_messages.put": ("lobby 1", GROUP, 33),
    "named_messages.message_id": ("lobby 1",),
    "named_messages.forget": ("lobby 1",),
    "named_messages.forget_chat": (GROUP,),
    "inbox.add": ([Arrival(1, ADA, "{}")], START),
    "inbox.add_event": ("due", "{}", START),
    "inbox.waiting": (20,),
    "inbox.backlog": (),
    "inbox.deferred": (),
    "inbox.done": ([1],),
    "inbox.defer": (1,),
    "inbox.release": (),
    "inbox.set_aside": (1, "KeyError"),
    "inbox.failed": (),
    "inbox.retry_failed": (),
    "inbox.prune": (START,),
    "outbox.answers_waiting": (ADA,),
    "outbox.add": (ADA, "sendMessage", {"chat_id": ADA}),
    "outbox.add_once": (ADA, "getChat", {"chat_id": ADA}),
    "outbox.waiting": (),
    "outbox.in_flight": (),
    "outbox.claim": ([1], START),
    "outbox.doubt": (1,),
    "outbox.put_back": (1,),
    "outbox.remove": (1,),
    "outbox.take_back": (1,),
    "outbox.give_up": (1,),
    "outbox.remove_edits": ("lobby 1",),
    "outbox.remove_chat": (ADA,),
    "outbox.prune": (START,),
    "outbox.move_chat": (ADA, BOB),
    "agenda.put": ("close", 1, START),
    "agenda.remove": ("close", 1),
    "agenda.take_due": (START, 20),
    "agenda.next_due_at": (),
}
"""Every question to the storage, with something to ask it with."""

RARE = {
    "polls.move_chat",  # once in a group's life
    "rounds.move_chat",
    "answers.given",  # once in a database's life
    "reports.all",  # by an operator
    "personal.gather",  # looked at below
    "personal.forget",
}

SMALL = ("inbox_waiting", "inbox_deferred", "inbox_undone")
"""Indexes of the few rows that are not done: reading one whole is meant."""


@pytest.fixture(autouse=True)
def _in_use(store: Store) -> None:
    store.learners.meet(ADA, "Ada", "en", START)
    store.learners.meet(BOB, "Bob", "en", START)
    store.attempts.start(ADA, "quiz", "capitals", [FRANCE], START)
    store.polls.add(ADA, FRANCE, "en", "print", [0, 1], [0], START, attempt_id=1)
    store.rounds.open(GROUP, None, "capitals", "en", ADA, 30, [FRANCE], START)


def plan(raw: sqlite3.Connection, statement: str, *parameters: object) -> list[str]:
    rows = raw.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
    return [detail for *_, detail in rows]


def scans(steps: list[str]) -> list[str]:
    """The steps that read a whole table; `json_each` is the list that we give."""
    small = "|".join(SMALL)
    meant = rf"\w+ USING INDEX ({small})$|json_each "
    return [step for step in steps if re.match(rf"SCAN (?!{meant})", step)]


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_finds_its_rows_by_an_index(store: Store, query: str) -> None:
    table, method = query.split(".")
    statements: list[str] = []
    store._raw.set_trace_callback(statements.append)
    getattr(getattr(store, table), method)(*QUERIES[query])
    store._raw.set_trace_callback(None)
    assert statements
    assert [step for sql in statements for step in scans(plan(store._raw, sql))] == []


def test_votes_are_matched_beginning_with_the_few_letters_under_way(store: Store) -> None:
    statements: list[str] = []
    store._raw.set_trace_callback(statements.append)
    store.polls.unknown_sends()
    store._raw.set_trace_callback(None)
    first, *_ = plan(store._raw, statements[0])
    assert first == "SEARCH outbox USING INDEX outbox_in_state (state=?)"


@pytest.mark.parametrize("method", ["gather", "forget"])
def test_a_learners_data_are_found_without_reading_tables_that_grow_with_the_learners(
    store: Store, method: str
) -> None:
    store.polls.add(BOB, FRANCE, "en", "print", [0, 1], [0], START)
    statements: list[str] = []
    store._raw.set_trace_callback(statements.append)
    getattr(store.personal, method)(BOB)
    store._raw.set_trace_callback(None)
    read_whole = {step for sql in statements for step in scans(plan(store._raw, sql))}
    assert read_whole == {"SCAN admins"}  # one row a group


def test_every_query_is_looked_at(store: Store) -> None:
    queries = {
        f"{name}.{method}"
        for name, table in vars(store).items()
        if not name.startswith("_")
        for method in vars(type(table))
        if not method.startswith("_") or method == "__contains__"
    }
    assert queries == QUERIES.keys() | RARE


def test_what_refers_to_a_row_is_found_by_an_index_when_the_row_goes(store: Store) -> None:
    raw = store._raw
    references = raw.execute(
        'SELECT t.name, r."from" FROM pragma_table_list t, pragma_foreign_key_list(t.name) r'
        " WHERE t.schema = 'main'"
    ).fetchall()
    assert references
    slow = [
        (table, column)
        for table, column in references
        if scans(plan(raw, f"SELECT 1 FROM {table} WHERE {column} = ?", 1))
    ]
    assert slow == []
