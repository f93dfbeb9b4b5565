"""Housekeeping: what is of no use goes in small steps, and the database grows with the answers."""

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter

import pytest

from bot.handlers.stage import lobby_name
from bot.housekeeping import AFTER_START, EVERY, PAUSE, tidy
from quizzes.attempt import QuestionRef
from storage import rounds
from storage.inbox import PRUNED_AT_ONCE, REMEMBERED, Arrival
from storage.outbox import DOUBTED
from storage.polls import SIGHTED, Sighting
from storage.schema import migrate
from storage.store import Store
from tests.clock import START
from tests.conversation import Learner, Talk

ADA, GROUP = 1, -100
FRANCE = QuestionRef("capitals", "france")
MOMENT = timedelta(milliseconds=1)
QUESTION = {"question": "Which?", "options": [{"text": "a"}, {"text": "b"}]}


@pytest.fixture(autouse=True)
def _learner(store: Store) -> None:
    store.learners.meet(ADA, "Ada", "en", START)


def next_step(store: Store) -> datetime:
    """When the next step is due."""
    found = store.agenda.next_due_at()
    assert found is not None
    return found


def rows(store: Store, table: str) -> int:
    (count,) = store._raw.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(count)


def done_updates(store: Store, number: int, now: datetime) -> None:
    """So many updates that came and were handled."""
    (highest,) = store._raw.execute("SELECT coalesce(max(update_id), 0) FROM inbox").fetchone()
    store.inbox.add((Arrival(highest + 1 + i, ADA, "{}") for i in range(number)), now)
    for row in store.inbox.waiting(number):
        store.inbox.done([row.id])


def round_over(store: Store, now: datetime, *, asked: int = 1) -> int:
    """A round that ended, with a vote in each of its questions."""
    current = store.rounds.open(GROUP, None, "capitals", "en", ADA, 30, [FRANCE] * 10, now)
    store.rounds.join(current.id, ADA, now)
    store.named_messages.put(lobby_name(current.id), GROUP, 33)
    for _ in range(asked):
        poll_id = store.polls.add(
            GROUP, FRANCE, "en", "p" * 64, [0, 1], [0], now, round_id=current.id, open_seconds=30
        )
        store.polls.asked(poll_id, str(5_000_000_000_000 + poll_id), poll_id, now)
        store.answers.add(poll_id, ADA, [0], True, now)
        store.polls.close(poll_id, now)
    store.rounds.end(current.id, now)
    return current.id


def doubtful_question(store: Store, now: datetime) -> int:
    """A question of which nobody knows whether it arrived."""
    poll_id = store.polls.add(ADA, FRANCE, "en", "p" * 64, [0, 1], [0], now)
    store.outbox.add(ADA, "sendPoll", QUESTION, poll_id=poll_id)
    store.outbox.doubt(store.outbox.added[-1].id)
    return poll_id


def test_without_anything_to_do_the_next_step_comes_in_an_hour(store: Store) -> None:
    tidy(store, START)
    assert next_step(store) == START + EVERY


def test_a_step_is_small_and_the_next_follows_at_once_while_there_is_more(store: Store) -> None:
    done_updates(store, PRUNED_AT_ONCE + 1, START)
    now = START + REMEMBERED + MOMENT
    tidy(store, now)
    assert (rows(store, "inbox"), next_step(store)) == (1, now + PAUSE)
    tidy(store, now)
    assert (rows(store, "inbox"), next_step(store)) == (0, now + EVERY)


def test_a_round_is_forgotten_90_days_after_its_end_and_its_answers_stay(store: Store) -> None:
    round_id = round_over(store, START)
    store.notes.put(f"full list {round_id}", "shown")
    later = START + rounds.REMEMBERED
    tidy(store, later)
    assert store.rounds.find(round_id) is not None
    tidy(store, later + MOMENT)
    assert store.rounds.find(round_id) is None
    assert store.named_messages.message_id(lobby_name(round_id)) is None
    assert store.notes.get(f"full list {round_id}") is None
    counts = {table: rows(store, table) for table in ("players", "polls", "answers")}
    assert counts == {"players": 0, "polls": 1, "answers": 1}


def test_a_round_that_runs_is_not_forgotten(store: Store) -> None:
    current = store.rounds.open(GROUP, None, "capitals", "en", ADA, 30, [FRANCE], START)
    tidy(store, START + 2 * rounds.REMEMBERED)
    assert store.rounds.find(current.id) == current


def test_many_rounds_are_forgotten_in_small_steps(store: Store) -> None:
    for _ in range(rounds.PRUNED_AT_ONCE + 1):
        round_over(store, START)
    now = START + rounds.REMEMBERED + MOMENT
    tidy(store, now)
    assert (rows(store, "rounds"), next_step(store)) == (1, now + PAUSE)
    tidy(store, now)
    assert rows(store, "rounds") == 0


def test_a_question_of_unknown_fate_is_given_up_after_a_week_but_its_poll_is_kept(
    store: Store,
) -> None:
    poll_id = doubtful_question(store, START)
    store.outbox.add(ADA, "sendMessage", {"text": "waits"})
    tidy(store, START + DOUBTED)
    assert [send.poll_id for send in store.polls.unknown_sends()] == [poll_id]
    tidy(store, START + DOUBTED + MOMENT)
    assert store.polls.unknown_sends() == []
    assert store.polls.find(poll_id) is not None
    assert [letter.method for letter in store.outbox.waiting()] == ["sendMessage"]


def test_what_an_unknown_poll_said_is_forgotten_after_a_day(store: Store) -> None:
    store.polls.sight("5001", Sighting("Which?", ("a", "b")), START)
    tidy(store, START + SIGHTED)
    assert store.polls.sighted("5001") is not None
    tidy(store, START + SIGHTED + MOMENT)
    assert store.polls.sighted("5001") is None


def test_a_step_is_over_in_a_moment(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "bot.sqlite3", isolation_level=None)) as raw:
        migrate(raw)
        raw.execute("PRAGMA foreign_keys = ON")
        raw.execute("PRAGMA secure_delete = ON")
        raw.execute("BEGIN")
        store = Store(raw)
        store.learners.meet(ADA, "Ada", "en", START)
        done_updates(store, 20 * PRUNED_AT_ONCE, START)
        for _ in range(4 * rounds.PRUNED_AT_ONCE):
            round_over(store, START, asked=10)
        raw.execute("COMMIT")
        took = []
        for _ in range(3):
            began = perf_counter()
            raw.execute("BEGIN IMMEDIATE")
            tidy(Store(raw), START + timedelta(days=365))
            raw.execute("COMMIT")
            took.append(perf_counter() - began)
    # Some 10 ms; the quickest, as other programs may get in between.
    assert min(took) < 0.2


@pytest.mark.slow
def test_after_a_year_an_answer_takes_no_more_room_than_after_a_month(store: Store) -> None:
    bytes_an_answer = {}
    days_a_step = 5
    for day in range(0, 365, days_a_step):
        now = START + timedelta(days=day)
        live_through(store, now, answers=200)
        for _ in range(100):
            tidy(store, now)
            if next_step(store) == now + EVERY:
                break
        bytes_an_answer[day // 30] = used_bytes(store) / rows(store, "answers")
    assert bytes_an_answer[12] <= bytes_an_answer[1]
    kept = {table: rows(store, table) for table in ("sightings", "outbox", "agenda", "notes")}
    assert kept == {"sightings": 5, "outbox": 10, "agenda": 1, "notes": 90 // days_a_step + 1}
    assert rows(store, "inbox") == 2 * 500
    assert rows(store, "rounds") == rows(store, "named_messages") == 2 * (90 // days_a_step + 1)


def live_through(store: Store, now: datetime, answers: int) -> None:
    """What some days leave behind."""
    done_updates(store, 500, now)
    for i in range(answers - 10):
        poll_id = store.polls.add(ADA, FRANCE, "en", "p" * 64, [0, 1], [0], now)
        store.polls.asked(poll_id, str(5_000_000_000_000 + poll_id), poll_id, now)
        store.answers.add(poll_id, ADA, [0], True, now + i * MOMENT)
    store.notes.put(f"full list {round_over(store, now, asked=10)}", "shown")
    round_over(store, now, asked=0)
    for i in range(5):
        doubtful_question(store, now)
        store.polls.sight(f"{now:%j}{i}", Sighting("Which?", ("a", "b")), now)


def used_bytes(store: Store) -> int:
    """The room that rows take; what was freed is used anew."""
    pages, free, size = (
        store._raw.execute(f"PRAGMA {pragma}").fetchone()[0]
        for pragma in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


async def test_a_bot_tidies_up_by_itself(talk: Talk, ada: Learner) -> None:
    await ada.sends("/help")
    await talk.skips(days=8)
    await talk.clock.advance(AFTER_START.total_seconds())
    assert await talk_rows(talk, "update_id IS NOT NULL") == 0


async def test_an_old_round_goes_with_its_buttons(talk: Talk, ada: Learner) -> None:
    group = talk.telegram.add_group("Class", [ada.person])
    here = ada.within(group)
    await here.sends("/quiz capitals")
    await here.taps_last()
    await here.sends("/stop")
    rematch = here.messages[-1]
    await talk.skips(days=91)
    await talk.clock.advance(AFTER_START.total_seconds())

    press = await here.taps(rematch.buttons[-1], on=rematch)

    assert press.answer is not None
    assert press.answer.text == talk.texts.words("en")("button-old-in-group")


async def talk_rows(talk: Talk, condition: str) -> int:
    """Rows of the inbox in the file of a bot that runs."""
    with closing(sqlite3.connect(talk.settings.database_path)) as raw:
        (count,) = raw.execute(f"SELECT count(*) FROM inbox WHERE {condition}").fetchone()
    return int(count)
