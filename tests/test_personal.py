"""A learner's data: handed out whole, and forgotten to the last byte of the files."""

import random
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from datetime import time, timedelta
from pathlib import Path

import pytest

from bot.handlers import counting
from quizzes.attempt import QuestionRef
from quizzes.progress import Tally
from storage.database import Database
from storage.groups import Score, week_of
from storage.inbox import Arrival
from storage.learners import Learner
from storage.personal import NOBODY
from storage.reports import Report
from storage.store import Store
from tests.clock import START
from tests.stores import held, opened

ADA, BOB = 7_101_010_101, 7_202_020_202
GROUP, BOBS_GROUP = -1001234567890, -1009876543210
FRANCE, SPAIN, ITALY = (QuestionRef("capitals", name) for name in ("france", "spain", "italy"))

NAMES = {ADA: ("Adelgunde", "Quastenflosser"), BOB: ("Bartholomew", "Nachtigall")}
TEXTS = {ADA: "Geheimnisvoll", BOB: "Wolkenkuckucksheim"}

MAY_NAME_A_LEARNER = {"learner_id", "chat_id", "opener_id", "lane", "subject", "learner_ids"}
"""Columns that hold a learner's id, or look as if they could."""

GROUPS_ONLY = {("groups", "chat_id"), ("scores", "chat_id"), ("admins", "chat_id")} | {
    ("rounds", "chat_id")
}
"""Those of them that hold nothing but groups."""


def use(store: Store, learner_id: int) -> None:
    """Leave something of a learner wherever something can be left."""
    learner = store.learners.meet(
        learner_id, NAMES[learner_id][0], "en", START, NAMES[learner_id][1]
    )
    store.learners.choose_zone(learner_id, "Europe/Kyiv")
    answer_in_private(store, learner)
    play_in_groups(store, learner)
    text = TEXTS[learner_id]
    store.reminders.put(learner_id, time(19))
    store.agenda.put("remind", learner_id, START)
    store.lost_chats.add(learner_id, "Forbidden: bot was blocked by the user", START)
    store.named_messages.put(f"welcome {text}", learner_id, 5)
    store.notes.put(f"menu {learner_id}", "print")
    store.outbox.add(learner_id, "sendMessage", {"chat_id": learner_id, "text": text})
    store.outbox.add(learner_id, "sendPoll", {"chat_id": learner_id, "question": text})
    doubtful = store.outbox.waiting()[-1].id
    store.outbox.claim([doubtful], START)
    store.outbox.doubt(doubtful)
    fill_inbox(store, learner_id)


def answer_in_private(store: Store, learner: Learner) -> None:
    """Two attempts, one of them running, a report, and all that is counted."""
    for number, right in enumerate((False, True)):
        attempt = store.attempts.start(learner.id, "quiz", "capitals", [FRANCE, SPAIN], START)
        poll_id = store.polls.add(
            learner.id, FRANCE, "en", "print", [0, 1], [0], START, attempt_id=attempt.id
        )
        store.polls.asked(poll_id, f"{learner.id % 1000}{number}", 33, START)
        store.answers.add(poll_id, learner.id, [0 if right else 1], right, START)
        counting.count(store, learner, FRANCE, right, START)
        if not right:
            store.attempts.end(attempt.id, START)
    poll = store.polls.find(poll_id)
    assert poll is not None
    store.reports.add(learner.id, poll, START)


def play_in_groups(store: Store, learner: Learner) -> None:
    """A round that the learner opened, and a place in the group's table."""
    topic = learner.id % 1000
    current = store.rounds.open(GROUP, topic, "capitals", "en", learner.id, 30, [ITALY], START)
    store.rounds.join(current.id, learner.id, START)
    poll_id = store.polls.add(GROUP, ITALY, "en", "p", [0, 1], [0], START, round_id=current.id)
    store.answers.add(poll_id, learner.id, [0], True, START)
    store.groups.count_answer(GROUP, learner.id, True, 1500, START)
    store.groups.count_answer(GROUP, learner.id, False, 900, START)


def fill_inbox(store: Store, learner_id: int) -> None:
    """What the learner sent, in every state, and what names them without being from them."""
    number = learner_id % 1000 * 10
    text = f'{{"message": {{"from": {{"id": {learner_id}}}, "text": "{TEXTS[learner_id]}"}}}}'
    store.inbox.add((Arrival(number + i, learner_id, text) for i in range(4)), START)
    added = f'{{"my_chat_member": {{"from": {{"id": {learner_id}}}}}}}'
    store.inbox.add([Arrival(number + 4, None, added)], START)
    store.inbox.add_event("due", f'{{"kind": "remind", "subject": {learner_id}}}', START)
    store.inbox.add_event("due", f'{{"kind": "close", "subject": {number}}}', START)
    done, deferred, failed, *_, kicked, _, _ = [row.id for row in store.inbox.waiting(100)][-7:]
    store.inbox.done([done])
    store.inbox.defer(deferred)
    store.inbox.set_aside(failed, f"KeyError: {TEXTS[learner_id]}")
    store.inbox.set_aside(kicked, "KeyError: 'chat'")


def use_all(store: Store) -> None:
    """Two learners in one group, who are both its admins; Bob is that of another, too."""
    use(store, ADA)
    use(store, BOB)
    store.groups.choose_language(GROUP, "uk")
    store.groups.keep_admins(GROUP, [BOB, ADA], START)
    store.groups.keep_admins(BOBS_GROUP, [BOB], START)
    store.notes.put(counting.COUNTED, "yes")


def columns(raw: sqlite3.Connection) -> list[tuple[str, str]]:
    """Every column of every table."""
    found = raw.execute(
        "SELECT t.name, c.name FROM pragma_table_list t, pragma_table_info(t.name) c"
        " WHERE t.schema = 'main' ORDER BY t.name, c.cid"
    )
    return found.fetchall()


def places(raw: sqlite3.Connection, learner_id: int) -> set[tuple[str, str]]:
    """Where a learner's id, names or texts are stored."""
    traces = (str(learner_id), *NAMES[learner_id], TEXTS[learner_id])
    return {
        (table, column)
        for table, column in columns(raw)
        for (value,) in raw.execute(f'SELECT "{column}" FROM {table}')
        if any(trace in str(value) for trace in traces)
    }


def traces(folder: Path, learner_id: int) -> set[str]:
    """What any file of the database knows of a learner."""
    content = b"".join(file.read_bytes() for file in sorted(folder.iterdir()))
    wanted = {text: text.encode() for text in (*NAMES[learner_id], TEXTS[learner_id])}
    wanted["id as text"] = str(learner_id).encode()
    wanted["id as SQLite keeps it"] = learner_id.to_bytes(6, "big")
    return {name for name, written in wanted.items() if written in content}


def inbox_rows(store: Store) -> list[tuple[object, ...]]:
    return store._raw.execute("SELECT * FROM inbox ORDER BY id").fetchall()


@pytest.fixture
def used(store: Store) -> Store:
    """The tables of a bot that Ada and Bob have used."""
    use_all(store)
    return store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.fixture
async def database(folder: Path) -> AsyncIterator[Database]:
    """A file that Ada and Bob have used."""
    async with opened(folder / "bot.sqlite3") as database:
        await database.transaction(use_all)
        yield database


# What is whose


def test_every_column_that_may_name_a_learner_is_dealt_with(used: Store) -> None:
    suspicious = {place for place in columns(used._raw) if place[1] in MAY_NAME_A_LEARNER}
    assert suspicious - GROUPS_ONLY - places(used._raw, ADA) == set(), (
        "These columns look as if they held something of a learner. Hand it out and forget it in "
        "storage/personal.py, and have `use` leave something there, so that the tests prove it."
    )
    assert suspicious >= GROUPS_ONLY


def test_all_that_is_stored_of_a_learner_is_handed_out(used: Store) -> None:
    tables = {table for table, _ in places(used._raw, ADA)}
    assert used.personal.gather(ADA).keys() == tables


def test_nothing_of_others_is_handed_out(used: Store) -> None:
    handed_out = str(used.personal.gather(ADA))
    others = (str(BOB), *NAMES[BOB], TEXTS[BOB])
    assert [trace for trace in others if trace in handed_out] == []


def test_what_is_handed_out_are_whole_rows_by_table(used: Store) -> None:
    found = used.personal.gather(ADA)
    assert {table: len(rows) for table, rows in found.items()} == {
        "learners": 1,
        "attempts": 2,
        "answers": 3,
        "memories": 1,
        "reviews": 2,
        "days": 1,
        "streaks": 1,
        "reminders": 1,
        "reports": 1,
        "players": 1,
        "scores": 1,
        "rounds": 1,
        "polls": 2,
        "named_messages": 1,
        "notes": 1,
        "lost_chats": 1,
        "agenda": 1,
        "admins": 1,
        "inbox": 5,
        "outbox": 2,
    }
    assert found["learners"] == [
        {
            "id": ADA,
            "name": "Adelgunde",
            "client_language": "en",
            "language": None,
            "first_seen_at": START.timestamp() * 1000,
            "last_name": "Quastenflosser",
            "zone": "Europe/Kyiv",
            "attempts": 2,
            "finished": 0,
        }
    ]


def test_of_a_stranger_nothing_is_handed_out(used: Store) -> None:
    assert used.personal.gather(7_303_030_303) == {}


# Forgetting, in the tables


def test_no_table_knows_who_is_forgotten(used: Store) -> None:
    used.personal.forget(ADA)
    assert places(used._raw, ADA) == set()
    assert used.personal.gather(ADA) == {}
    assert used._raw.execute("PRAGMA foreign_key_check").fetchall() == []


def test_forgetting_leaves_the_others_as_they_were(used: Store) -> None:
    before = used.personal.gather(BOB)
    used.personal.forget(ADA)
    after = used.personal.gather(BOB)
    # The group's admins are asked for anew.
    assert after.pop("admins") == before.pop("admins")[:1]
    assert after == before
    assert used.groups.admins(BOBS_GROUP, START) == frozenset({BOB})
    assert used.groups.admins(GROUP, START) is None


def test_forgetting_a_stranger_changes_nothing_of_anybody(used: Store) -> None:
    before = [used.personal.gather(learner_id) for learner_id in (ADA, BOB)]
    used.personal.forget(7_303_030_303)
    assert [used.personal.gather(learner_id) for learner_id in (ADA, BOB)] == before


def test_a_groups_table_keeps_its_sums_without_the_name(used: Store) -> None:
    used.groups.count_answer(GROUP, ADA, True, 2500, START - timedelta(days=7))
    before = used.groups.totals(GROUP)
    used.personal.forget(ADA)
    assert used.groups.totals(GROUP) == before
    this_week = used.groups.scores(GROUP, 10, week_of(START))
    assert this_week == [Score(NOBODY, 2, 1, 1.5), Score(BOB, 2, 1, 1.5)]
    assert used.groups.scores(GROUP, 1) == [Score(NOBODY, 3, 2, 4.0)]
    assert used.learners.names([NOBODY, BOB]) == {NOBODY: "", BOB: "Bartholomew Nachtigall"}


def test_what_several_forgotten_members_answered_adds_up(used: Store) -> None:
    for learner_id in (ADA, BOB):
        used.personal.forget(learner_id)
    assert used.groups.scores(GROUP, 10) == [Score(NOBODY, 4, 2, 3.0)]


def test_an_admin_who_stays_anonymous_is_no_learner_after_somebody_was_forgotten(
    used: Store,
) -> None:
    used.personal.forget(ADA)
    opened_by_ada = used.rounds.running(GROUP, ADA % 1000)
    assert opened_by_ada is not None
    assert used.learners.find(opened_by_ada.opener_id) is None


def test_polls_of_the_forgotten_are_known_and_are_nobodys(used: Store) -> None:
    used.personal.forget(ADA)
    poll = used.polls.by_telegram_id(f"{ADA % 1000}1")
    assert poll is not None
    assert (poll.question, poll.correct) == (FRANCE, frozenset({0}))
    assert (poll.chat_id, poll.message_id, poll.attempt_id) == (0, None, None)
    assert used.learners.find(poll.chat_id) is None
    assert used.answers.picked(poll.id, ADA) is None


def test_a_report_outlives_who_made_it(used: Store) -> None:
    used.personal.forget(ADA)
    assert list(used.reports.all()) == [
        Report(1, None, FRANCE, "en", "print", START),
        Report(2, BOB, FRANCE, "en", "print", START),
    ]


def test_a_repeated_update_is_still_known_after_its_sender_was_forgotten(used: Store) -> None:
    used.personal.forget(ADA)
    before = inbox_rows(used)
    number = ADA % 1000 * 10
    used.inbox.add((Arrival(number + i, ADA, '{"text": "again"}') for i in range(5)), START)
    assert inbox_rows(used) == before


def test_what_the_bot_tells_itself_of_others_waits_on(used: Store) -> None:
    used.personal.forget(ADA)
    bodies = [row.body for row in used.inbox.waiting(100) if row.lane is None]
    assert bodies == [
        '{"kind": "close", "subject": 1010}',
        f'{{"kind": "remind", "subject": {BOB}}}',
        '{"kind": "close", "subject": 2020}',
    ]


@pytest.mark.parametrize(
    "put_off",
    [
        lambda store, row_id: store.inbox.defer(row_id),
        lambda store, row_id: store.inbox.set_aside(row_id, f"KeyError: {TEXTS[ADA]}"),
    ],
    ids=["deferred", "set aside"],
)
def test_a_row_in_hand_while_its_sender_is_forgotten_does_not_come_back(
    used: Store, put_off: Callable[[Store, int], None]
) -> None:
    in_hand = next(row for row in used.inbox.waiting(100) if row.lane == ADA)
    used.personal.forget(ADA)
    before = inbox_rows(used)
    put_off(used, in_hand.id)
    assert inbox_rows(used) == before


def test_who_was_forgotten_can_begin_anew(used: Store) -> None:
    used.personal.forget(ADA)
    learner = used.learners.meet(ADA, "Ada", "uk", START)
    assert learner == Learner(ADA, "Ada", "uk", None)
    assert used.attempts.running(ADA) is None
    assert ADA not in used.lost_chats
    answer_in_private(used, learner)
    assert used.days.since(ADA, START.date()) == {START.date(): Tally(2, 1)}
    used.personal.forget(ADA)
    assert places(used._raw, ADA) == set()


# Forgetting, in the files


async def test_the_files_hold_nothing_of_who_is_forgotten_and_said_farewell(
    database: Database, folder: Path
) -> None:
    assert traces(folder, ADA) == {
        *NAMES[ADA],
        TEXTS[ADA],
        "id as text",
        "id as SQLite keeps it",
    }

    def forget(store: Store) -> None:
        store.personal.forget(ADA)
        store.outbox.add(ADA, "sendMessage", {"chat_id": ADA, "text": "Farewell"})

    def farewell_is_sent(store: Store) -> None:
        (letter,) = (letter for letter in store.outbox.waiting() if letter.chat_id == ADA)
        store.outbox.claim([letter.id], START)
        store.outbox.remove(letter.id)

    before = await database.transaction(lambda store: store.personal.gather(BOB))
    await database.transaction(forget)
    await database.transaction(farewell_is_sent)
    assert await database.scrub()
    assert traces(folder, ADA) == set()
    assert await database.transaction(lambda store: places(store._raw, ADA)) == set()
    after = await database.transaction(lambda store: store.personal.gather(BOB))
    assert after.pop("admins") == before.pop("admins")[:1]
    assert after == before


async def test_no_scrap_is_left_of_rows_that_have_moved_from_page_to_page(
    database: Database, folder: Path
) -> None:
    chance = random.Random(2)
    crowd = chance.sample(range(5 * 10**9, 6 * 10**9), 400)
    forgotten = chance.sample(crowd, 200)

    def come(store: Store) -> None:
        for learner_id in crowd:
            last_name = "x" * chance.randint(0, 900)
            store.learners.meet(learner_id, f"Name {learner_id}", "en", START, last_name)

    def go(store: Store) -> None:
        for learner_id in forgotten:
            store.personal.forget(learner_id)

    await database.transaction(come)
    await database.transaction(go)
    assert await database.scrub()
    content = b"".join(file.read_bytes() for file in folder.iterdir())
    assert [one for one in forgotten if str(one).encode() in content] == []


async def test_clearing_is_put_off_while_another_process_writes(
    database: Database, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await database.transaction(lambda store: store.personal.forget(ADA))
    with held(folder / "bot.sqlite3") as holder:
        assert not await database.scrub()
        holder.release()
    assert caplog.messages == [
        "The database could not be cleared of what was deleted: database is locked"
    ]
    assert await database.scrub()
    assert traces(folder, ADA) == set()


@pytest.fixture
def reader(folder: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(folder / "bot.sqlite3", isolation_level=None)) as raw:
        yield raw


async def test_clearing_is_put_off_while_another_process_reads(
    database: Database, folder: Path, reader: sqlite3.Connection
) -> None:
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM notes").fetchone()
    await database.transaction(lambda store: store.personal.forget(ADA))
    assert not await database.scrub()
    reader.execute("ROLLBACK")
    assert await database.scrub()
    assert traces(folder, ADA) == set()
