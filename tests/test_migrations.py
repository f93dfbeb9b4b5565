"""Migrations: every database, new or old, ends at the same schema and loses nothing."""

import hashlib
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quizzes.attempt import QuestionRef
from quizzes.round import Round, Vote
from storage.groups import Group, Score
from storage.polls import Sighting
from storage.schema import APPLICATION_ID, migrate, migrations
from storage.store import Store
from tests.stores import opened

FOLDER = Path(__file__).parents[1] / "storage" / "migrations"
SCRIPTS = sorted(FOLDER.glob("*.sql"))
NEWEST = len(SCRIPTS)

KEPT = sorted((Path(__file__).parent / "schemas").glob("*.sql"))
"""Databases as earlier versions left them, with rows in every table."""

RELEASED = {
    "0001_private_chats.sql": "30f28b01b050e45b557845df5edb00d7afdf940ebe0522619e2353fe9cdc7ef5",
    "0002_group_rounds.sql": "24c54eb2cc2e408c48f308ce9a05b4db4a700d37bb9b817c66d43a99bad45c30",
    "0003_progress.sql": "8d5d8a959fc6655a6caf8e630573d0ff49bb38bf0dd06f27d670ad765b0a1c7c",
    "0004_housekeeping.sql": "348502a26c084378bce70e10d620bfbc91c943f4f7b8f81ea87d734a09a56e99",
    "0005_equal_polls.sql": "0a705efa811f882ee75275b64b9d38fdf220a3e8052716af175c526569e2840e",
}
"""What is in operators' databases already: the SHA-256 of each script."""


@pytest.fixture
def raw() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as raw:
        yield raw


def version(raw: sqlite3.Connection) -> tuple[int, int]:
    """Whose database it is, and its version."""
    (owner,) = raw.execute("PRAGMA application_id").fetchone()
    (number,) = raw.execute("PRAGMA user_version").fetchone()
    return owner, number


def tables(raw: sqlite3.Connection) -> list[str]:
    rows = raw.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%'"
        " ESCAPE '~' ORDER BY name"
    )
    return [name for (name,) in rows]


def shape(raw: sqlite3.Connection) -> dict[str, object]:
    """Columns and references of every table, and every index: equal for equal schemas."""
    found: dict[str, object] = {}
    for table in tables(raw):
        columns = raw.execute(
            'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?) ORDER BY name',
            (table,),
        ).fetchall()
        references = raw.execute(
            'SELECT "table", "from", "to", on_delete FROM pragma_foreign_key_list(?)'
            ' ORDER BY "from"',
            (table,),
        ).fetchall()
        found[table] = (columns, references)
    indexes = raw.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql != ''")
    return found | {name: " ".join(sql.split()) for name, sql in indexes}


def columns(raw: sqlite3.Connection) -> dict[str, str]:
    """The names of every table's columns, as SQL."""
    found = {}
    for table in tables(raw):
        names = raw.execute("SELECT name FROM pragma_table_info(?)", (table,))
        found[table] = ", ".join(name for (name,) in names)
    return found


def content(raw: sqlite3.Connection, of: dict[str, str]) -> dict[str, set[tuple[object, ...]]]:
    """The rows of tables, as far as these columns say."""
    return {table: set(raw.execute(f"SELECT {names} FROM {table}")) for table, names in of.items()}


def restored(kept: Path, path: Path) -> Path:
    """A kept database as a file."""
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(kept.read_text("utf-8"))
    return path


def test_a_blank_database_ends_at_the_newest_version(raw: sqlite3.Connection) -> None:
    migrate(raw)
    assert version(raw) == (APPLICATION_ID, NEWEST)


def test_a_migrated_database_is_left_as_it_is(raw: sqlite3.Connection) -> None:
    migrate(raw)
    before = list(raw.iterdump())
    migrate(raw)
    assert list(raw.iterdump()) == before


def test_the_scripts_are_numbered_without_a_gap_and_named_for_what_they_do() -> None:
    names = [script.name for script in SCRIPTS]
    assert [name for name in names if not re.fullmatch(r"\d{4}_[a-z0-9_]+\.sql", name)] == []
    assert [int(name[:4]) for name in names] == list(range(1, NEWEST + 1))
    assert [number for number, _ in migrations()] == list(range(1, NEWEST + 1))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_released_script_is_never_edited(script: Path) -> None:
    digest = hashlib.sha256(script.read_bytes()).hexdigest()
    assert digest == RELEASED.get(script.name), (
        f"{script.name} is not what RELEASED says. If it was released, take the change back and "
        f"write a new migration instead. If it is new, add its hash {digest} to RELEASED."
    )


def test_no_released_script_is_missing() -> None:
    assert sorted(RELEASED) == [script.name for script in SCRIPTS]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_leaves_transactions_and_pragmas_to_the_runner(script: Path) -> None:
    found = re.findall(
        r"^\s*(BEGIN\b.*;|COMMIT|ROLLBACK|PRAGMA)", script.read_text("utf-8"), re.MULTILINE | re.I
    )
    assert found == []


def test_every_table_is_strict(raw: sqlite3.Connection) -> None:
    migrate(raw)
    lax = raw.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND NOT strict"
        " AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
    ).fetchall()
    assert lax == []


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE extra (id INTEGER) STRICT; INSERT INTO nonsense VALUES (1);",
        "CREATE TABLE extra (id INTEGER PRIMARY KEY) STRICT;\n"
        "INSERT INTO extra VALUES (1);\nINSERT INTO extra VALUES (1);",
        "CREATE TABLE extra (id INTEGER) STRICT;\nNO SQL AT ALL",
    ],
)
@pytest.mark.parametrize("done", [0, NEWEST])
def test_a_failing_step_leaves_no_trace_and_runs_when_it_is_mended(
    raw: sqlite3.Connection, script: str, done: int
) -> None:
    steps = migrations()[:done]
    if steps:
        migrate(raw, steps)
    before = (version(raw), list(raw.iterdump()))
    with pytest.raises(sqlite3.Error):
        migrate(raw, [*steps, (done + 1, script)])
    assert (version(raw), list(raw.iterdump())) == before
    assert not raw.in_transaction
    migrate(raw, [*steps, (done + 1, "CREATE TABLE extra (id INTEGER) STRICT;")])
    assert version(raw) == (APPLICATION_ID, done + 1)
    assert "extra" in tables(raw)


def test_the_steps_before_a_failing_one_are_kept_and_not_run_again(raw: sqlite3.Connection) -> None:
    first = (1, "CREATE TABLE runs (number INTEGER) STRICT; INSERT INTO runs VALUES (1);")
    second = (2, "INSERT INTO runs VALUES (2);")
    with pytest.raises(sqlite3.Error):
        migrate(raw, [first, second, (3, "INSERT INTO runs VALUES (3); NONSENSE;")])
    assert version(raw) == (APPLICATION_ID, 2)
    migrate(raw, [first, second, (3, "INSERT INTO runs VALUES (3);")])
    assert raw.execute("SELECT number FROM runs").fetchall() == [(1,), (2,), (3,)]


@pytest.mark.parametrize("end", ["", ";", " -- done", "; -- done", "; /* done */", ";\n-- BEGIN;"])
def test_a_script_may_end_as_it_likes(raw: sqlite3.Connection, end: str) -> None:
    migrate(raw, [(1, f"CREATE TABLE extra (id INTEGER) STRICT{end}")])
    assert (version(raw), tables(raw)) == ((APPLICATION_ID, 1), ["extra"])
    assert not raw.in_transaction


def test_a_database_of_every_version_is_kept() -> None:
    assert [int(kept.stem) for kept in KEPT] == list(range(1, NEWEST + 1))


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.stem)
def test_every_table_of_a_kept_database_is_in_use(raw: sqlite3.Connection, kept: Path) -> None:
    raw.executescript(kept.read_text("utf-8"))
    assert [table for table, rows in content(raw, columns(raw)).items() if not rows] == []


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.stem)
def test_no_row_of_a_kept_database_is_lost_or_changed(raw: sqlite3.Connection, kept: Path) -> None:
    raw.executescript(kept.read_text("utf-8"))
    raw.execute("UPDATE inbox SET lane = NULL WHERE state = 'done'")  # of use to nobody
    known = columns(raw)
    before = content(raw, known)
    migrate(raw)
    assert content(raw, known) == before


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.stem)
def test_a_kept_database_is_what_its_version_made(raw: sqlite3.Connection, kept: Path) -> None:
    raw.executescript(kept.read_text("utf-8"))
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        migrate(made, migrations()[: int(kept.stem)])
        assert shape(raw) == shape(made)
        assert version(raw) == version(made)


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.stem)
def test_a_kept_database_ends_at_the_same_schema_as_a_blank_one(
    raw: sqlite3.Connection, kept: Path
) -> None:
    raw.executescript(kept.read_text("utf-8"))
    migrate(raw)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as blank:
        migrate(blank)
        assert shape(raw) == shape(blank)
    assert version(raw) == (APPLICATION_ID, NEWEST)
    assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
    assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.stem)
async def test_a_kept_database_opens_with_everything_in_it(tmp_path: Path, kept: Path) -> None:
    path = restored(kept, tmp_path / "bot.sqlite3")

    def read(store: Store) -> dict[str, object]:
        learner = store.learners.find(202)
        attempt = store.attempts.running(202)
        return {
            "answers of Ada": [right for who, _, right, _ in store.answers.given() if who == 101],
            "answers of Ihor": [right for who, _, right, _ in store.answers.given() if who == 202],
            "language of Ihor": learner.language if learner else None,
            "running of Ihor": [str(q) for q in attempt.answers] if attempt else None,
            "known polls": [
                str(poll.question) if (poll := store.polls.by_telegram_id(str(number))) else None
                for number in range(5001, 5005)
            ],
            "unknown sends": [send.poll_id for send in store.polls.unknown_sends()],
            "sighted": store.polls.sighted("5999"),
            "waiting": [row.update_id for row in store.inbox.waiting(10)],
            "set aside": store.inbox.retry_failed(),
            "deferred": store.inbox.release(),
            "to be said": [letter.params["text"] for letter in store.outbox.waiting()],
            "lost": 303 in store.lost_chats,
            "bot": store.notes.get("bot"),
        }

    async with opened(path) as database:
        assert await database.transaction(read) == {
            "answers of Ada": [True, False, True],
            "answers of Ihor": [False],
            "language of Ihor": "ro",
            "running of Ihor": ["gradient-clipping/clip-by-norm-keeps"],
            "known polls": [
                "gradient-clipping/clip-by-norm-keeps",
                "gradient-clipping/when-to-clip",
                "gradient-clipping/when-to-clip",
                "gradient-clipping/clip-by-norm-keeps",
            ],
            "unknown sends": [5],
            "sighted": Sighting("Which?", ("a", "b")),
            "waiting": [9004, None],
            "set aside": 1,
            "deferred": True,
            "to be said": ["Привіт 🧠"],
            "lost": True,
            "bot": "4242",
        }


@pytest.mark.parametrize("kept", KEPT[1:], ids=lambda kept: kept.stem)
async def test_a_kept_database_opens_with_its_group_and_the_rounds_there(
    tmp_path: Path, kept: Path
) -> None:
    path = restored(kept, tmp_path / "bot.sqlite3")
    group = -1001234567890
    asked_at = datetime(2026, 3, 3, 9, tzinfo=UTC)
    clip, when = (
        QuestionRef("gradient-clipping", name) for name in ("clip-by-norm-keeps", "when-to-clip")
    )

    def read(store: Store) -> dict[str, object]:
        running = store.rounds.running(group, 7)
        return {
            "running in the topic": running,
            "running outside": store.rounds.running(group, None),
            "its polls": [(poll.id, poll.closed) for poll in store.polls.of_round(2)],
            "time to vote": [poll.open_seconds for poll in store.polls.open_in_round(2)],
            "who joined": store.learners.names(store.rounds.joined(1)),
            "votes": store.rounds.votes(1),
            "choices": store.groups.get(group),
            "admins": store.groups.admins(group, asked_at),
            "week": store.groups.scores(group, 10, "2026-03-02"),
            "totals": store.groups.totals(group),
            "lobby": store.named_messages.message_id("lobby 2"),
            "in flight": [letter.message_name for letter in store.outbox.in_flight()],
        }

    async with opened(path) as database:
        assert await database.transaction(read) == {
            "running in the topic": Round(
                id=2,
                chat_id=group,
                thread_id=7,
                quiz_id="gradient-clipping",
                language="uk",
                opener_id=0,
                status="asking",
                seconds=20,
                questions=(clip, when),
                asked=1,
                silent=1,
                pause_wanted=True,
            ),
            "running outside": None,
            "its polls": [(8, True), (9, False)],
            "time to vote": [20],
            "who joined": {404: "Оксана Шевченко", 505: "Dan"},
            "votes": [
                Vote(404, clip, True, 1.5),
                Vote(505, clip, False, 2.5),
                Vote(505, when, True, 4.25),
            ],
            "choices": Group(group, "uk", "admins"),
            "admins": {404, 101},
            "week": [Score(505, 3, 2, 6.25), Score(404, 1, 1, 1.5)],
            "totals": (2, 7, 5),
            "lobby": 19,
            "in flight": ["lobby 2"],
        }


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.stem)
def test_attempts_and_finished_quizzes_from_before_they_were_counted_are_counted(
    raw: sqlite3.Connection, kept: Path
) -> None:
    raw.executescript(kept.read_text("utf-8"))
    migrate(raw)
    counts = raw.execute("SELECT id, attempts, finished FROM learners WHERE id < 300 ORDER BY id")
    assert counts.fetchall() == [(101, 2, 1), (202, 1, 0)]


@pytest.mark.parametrize(
    ("change", "finished"),
    [
        ("UPDATE attempts SET ended_at = NULL WHERE id = 1", 0),
        ("UPDATE attempts SET kind = 'practice'", 0),
        ("UPDATE attempts SET questions = ''", 0),
        ("DELETE FROM answers WHERE poll_id = 2", 0),
        ("UPDATE attempts SET ended_at = 1 WHERE id = 2", 1),
        ("UPDATE attempts SET ended_at = 1, kind = 'quiz' WHERE id = 2", 2),
    ],
)
def test_a_quiz_was_finished_when_it_was_ended_with_all_questions_answered(
    raw: sqlite3.Connection, change: str, finished: int
) -> None:
    raw.executescript(KEPT[0].read_text("utf-8"))
    raw.execute("DROP INDEX attempts_running")  # which allows one running attempt only
    raw.execute(change)
    raw.execute("UPDATE attempts SET ended_at = 1 WHERE id = 2")
    migrate(raw)
    (counted,) = raw.execute("SELECT finished FROM learners WHERE id = 101").fetchone()
    assert counted == finished


@pytest.fixture(params=KEPT[:2], ids=lambda kept: kept.stem)
def without_reviews(request: pytest.FixtureRequest, raw: sqlite3.Connection) -> sqlite3.Connection:
    """A database whose attempts can't be reviews yet."""
    raw.executescript(request.param.read_text("utf-8"))
    return raw


def sequences(raw: sqlite3.Connection) -> dict[str, int]:
    """The highest id that each table ever gave."""
    return dict(raw.execute("SELECT name, seq FROM sqlite_sequence"))


def test_attempts_keep_their_ids_and_what_refers_to_them(
    without_reviews: sqlite3.Connection,
) -> None:
    raw = without_reviews
    query = "SELECT attempts.*, polls.id FROM attempts LEFT JOIN polls ON attempt_id = attempts.id"
    before = raw.execute(query).fetchall()
    migrate(raw)
    assert raw.execute(query).fetchall() == before
    assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
    raw.execute("PRAGMA foreign_keys = ON")
    raw.execute("DELETE FROM attempts WHERE id = 1")
    orphans = raw.execute("SELECT id FROM polls WHERE attempt_id IS NULL AND chat_id > 0")
    assert orphans.fetchall() == [(1,), (2,)]


def test_a_running_attempt_goes_on_and_a_review_can_follow(
    without_reviews: sqlite3.Connection,
) -> None:
    raw = without_reviews
    before = Store(raw).attempts.running(202)
    assert before is not None
    migrate(raw)
    store = Store(raw)
    assert store.attempts.running(202) == before
    with pytest.raises(sqlite3.IntegrityError):
        store.attempts.start(202, "review", "", [], datetime(2026, 3, 5, tzinfo=UTC))
    store.attempts.end(before.id, datetime(2026, 3, 5, tzinfo=UTC))
    review = store.attempts.start(202, "review", "", [], datetime(2026, 3, 5, tzinfo=UTC))
    assert (review.id, review.kind) == (4, "review")


@pytest.mark.parametrize("gone", ["", "DELETE FROM attempts WHERE id > 1", "DELETE FROM attempts"])
def test_no_id_of_an_attempt_is_ever_given_twice(
    without_reviews: sqlite3.Connection, gone: str
) -> None:
    raw = without_reviews
    raw.execute("PRAGMA foreign_keys = ON")
    raw.execute(gone)
    raw.execute("PRAGMA foreign_keys = OFF")
    before = sequences(raw)
    migrate(raw)
    assert {name: seq for name, seq in sequences(raw).items() if name in before} == before
    store = Store(raw)
    attempt = store.attempts.start(404, "quiz", "q", [], datetime(2026, 3, 5, tzinfo=UTC))
    assert attempt.id == before["attempts"] + 1


def test_a_database_without_any_attempt_gives_them_from_one(raw: sqlite3.Connection) -> None:
    migrate(raw)
    store = Store(raw)
    now = datetime(2026, 3, 5, tzinfo=UTC)
    store.learners.meet(1, "Ada", "en", now)
    assert store.attempts.start(1, "quiz", "q", [], now).id == 1
