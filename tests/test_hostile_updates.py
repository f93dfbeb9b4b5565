"""Updates that no Telegram sends: nothing of them stops the bot or is lost without a reason."""

import copy
import json
import logging
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.commands import COMMANDS, GROUP_COMMANDS
from bot.router import take_update
from bot.texts import Texts
from bot.turn import NotYetError, World
from bot.updates import ALLOWED, DEEPEST, UnreadableUpdateError, arrival, parse, read_json
from quizzes.catalog import load
from storage.store import Store
from tests.clock import START
from tests.conversation import BANKS, Learner, Talk
from tests.stores import blank_store


class _UndoError(Exception):
    """Nothing is wrong: the store is wanted as it was."""


repeatable = settings(
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""The same examples in each run: a fault that is found stays found."""

HINT = "Vote in a poll, or send /quiz to choose a quiz. /help shows what I can do."

HALF_A_CHARACTER = "\ud800"

DEEP = 500
"""Levels of nesting: more than anything real has, and more than orjson writes."""


def nested(levels: int, inner: Any = None) -> Any:
    for _ in range(levels):
        inner = [inner]
    return inner


scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([0, -1, 2**31, 2**53, 2**63 - 1, 2**63, -(2**63), 10**40])
    | st.floats()
    | st.text(st.characters(exclude_categories=[]), max_size=20)
    | st.sampled_from(["", "\0", HALF_A_CHARACTER, "\u202e", "\u200b", "1", "private", "a" * 5000])
)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
) | st.builds(nested, st.just(DEEP), scalars)

EVE = {"id": 9001, "is_bot": False, "first_name": "Eve", "language_code": "en"}
GROUP = {"id": -9001, "type": "supergroup", "title": "Class"}
POLL: dict[str, Any] = {
    "id": "5001",
    "question": "Which?",
    "options": [{"text": text, "voter_count": 0, "persistent_id": text} for text in "ab"],
    "total_voter_count": 0,
    "is_closed": False,
    "is_anonymous": False,
    "type": "quiz",
    "allows_multiple_answers": False,
    "allows_revoting": False,
    "members_only": False,
}


def message(text: Any = "/quiz", sender: Any = EVE, **more: Any) -> dict[str, Any]:
    private = {"id": EVE["id"], "type": "private", "first_name": "Eve"}
    written = {"message_id": 1, "date": 1772442000, "chat": private, "from": sender, "text": text}
    return {"message": written | more}


REAL: list[dict[str, Any]] = [
    message(),
    message("/quiz capitals"),
    message("/timezone Europe/Kyiv"),
    message("/quiz", chat=GROUP),
    message("/quiz", chat=GROUP | {"is_forum": True}, message_thread_id=7, is_topic_message=True),
    message("/stop", chat=GROUP, sender_chat=GROUP),
    message("hello", reply_to_message=message()["message"], poll=POLL),
    {"message": {"message_id": 1, "date": 1, "chat": GROUP, "migrate_to_chat_id": -9002}},
    {
        "callback_query": {
            "id": "1",
            "from": EVE,
            "chat_instance": "1",
            "data": "begin:capitals",
            **message(chat=GROUP),
        }
    },
    {"callback_query": {"id": "1", "from": EVE, "chat_instance": "1", "data": "list:0"}},
    {"poll": POLL},
    {
        "poll_answer": {
            "poll_id": "5001",
            "user": EVE,
            "option_ids": [0],
            "option_persistent_ids": ["a"],
        }
    },
    {
        "my_chat_member": {
            "chat": GROUP,
            "from": EVE,
            "date": 1,
            "old_chat_member": {"status": "left", "user": EVE},
            "new_chat_member": {"status": "member", "user": EVE},
        }
    },
]
"""Each kind of update as Telegram sends it."""


def places(value: Any, levels: int = 8) -> Iterator[tuple[Any, Any]]:
    """Everything inside: the list or object that it is in, and its position or name there."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in list(parts):
        yield value, key
        if isinstance(part, dict | list) and levels:
            yield from places(part, levels - 1)


@st.composite
def nearly_real(draw: st.DrawFn) -> dict[str, Any]:
    """A real update in which up to three parts are something else, or missing."""
    update: dict[str, Any] = copy.deepcopy(draw(st.sampled_from(REAL)))
    for _ in range(draw(st.integers(1, 3))):
        inside, key = draw(st.sampled_from(list(places(update)) or [(update, "message")]))
        if isinstance(inside, dict) and draw(st.integers(0, 3)) == 0:
            inside.pop(key, None)
        else:
            inside[key] = draw(anything)
    return update


hostile = nearly_real() | st.dictionaries(
    st.sampled_from([*ALLOWED, "new_kind_of_update"]), anything, max_size=2
)


# One update by itself


CATALOG, _ = load([BANKS / "talk"])
WORLD = World(
    CATALOG,
    Texts.shipped("en"),
    random.Random(1),
    "quiz_tutor_bot",
    tuple(COMMANDS),
    tuple(GROUP_COMMANDS),
)


def received(update: dict[str, Any]) -> Any:
    """An update as it is when it has come over the wire."""
    return read_json(json.dumps({"update_id": 1} | update).encode())


def decided(update: dict[str, Any], store: Store) -> None:
    """What the bot does with an update. Raises UnreadableUpdateError, or what breaks."""
    arrived = arrival(received(update))
    assert arrived is not None
    with suppress(NotYetError):
        take_update(WORLD, store, parse(orjson.loads(arrived.body)), START, START)


@pytest.mark.parametrize("update", REAL)
def test_a_real_update_is_readable(update: dict[str, Any], store: Store) -> None:
    decided(update, store)


def test_an_update_is_either_handled_or_said_to_be_unreadable() -> None:
    with blank_store() as store:
        for update in REAL:
            decided(update, store)
        store.polls.asked(1, POLL["id"], 33, START)

        @settings(repeatable, max_examples=600)
        @given(hostile)
        def check(update: dict[str, Any]) -> None:
            with suppress(UnreadableUpdateError, _UndoError), store.savepoint():
                decided(update, store)
                raise _UndoError

        check()


def test_half_a_character_is_replaced_and_the_rest_is_as_it_came() -> None:
    raw = read_json(b'{"update_id": 1, "a": "\\ud83d\\ude00 \\ud83d", "\\udead": [1.5, 9e30]}')
    arrived = arrival(raw)
    assert arrived is not None
    assert arrived.body == '{"update_id":1,"a":"😀 ?","?":[1.5,9e+30]}'


@pytest.mark.parametrize("levels", [DEEPEST - 2, DEEPEST, DEEP, 5000])
def test_no_depth_of_nesting_is_too_much_to_store(levels: int) -> None:
    arrived = arrival({"update_id": 1, "deep": nested(levels), "message": message()["message"]})
    assert arrived is not None
    assert parse(orjson.loads(arrived.body)).message is not None


@pytest.mark.parametrize("payload", [b"", b"{", b"\xff", b"[" * 100_000, b'{"a": ' + b"9" * 5000])
def test_what_is_no_json_is_said_to_be_none(payload: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever the reason
        read_json(payload)


@pytest.mark.parametrize("update_id", [None, "1", 1.0, True, -1, 2**63, [1]])
def test_without_an_id_that_can_be_stored_it_is_no_update(update_id: object) -> None:
    assert arrival({"update_id": update_id} | message()) is None


@pytest.mark.parametrize("wrong", [0, -1, 2**63, "1001", 1001.5, True, None, [], {}])
def test_nobody_is_taken_for_who_they_are_not(wrong: object) -> None:
    arrived = arrival(received(message(sender=EVE | {"id": wrong})))
    assert arrived is not None
    with pytest.raises(UnreadableUpdateError):
        parse(orjson.loads(arrived.body))


def test_the_reason_names_the_place_and_not_what_was_written_there() -> None:
    arrived = arrival(received(message(text=["a secret"])))
    assert arrived is not None
    with pytest.raises(UnreadableUpdateError) as caught:
        parse(orjson.loads(arrived.body))
    assert str(caught.value) == "message.text is wrong: Input should be a valid string."


# The bot among them


def drawn(strategy: st.SearchStrategy[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """So many examples, the same in each run."""
    found: list[dict[str, Any]] = []
    settings(repeatable, max_examples=number)(given(strategy)(lambda one: found.append(one)))()
    return found


async def test_hostile_updates_never_keep_a_learner_from_being_answered(
    ada: Learner, talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    for number, update in enumerate(drawn(hostile, 250)):
        talk.telegram.give(update)
        if number % 25 == 0:
            await ada.sends("hello")
            assert ada.hears == [HINT], update
    await ada.sends("hello")
    assert ada.hears == [HINT]
    assert talk.telegram.updates.unconfirmed == []
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []
    aside = [line for line in map(logging.LogRecord.getMessage, caplog.records) if "aside" in line]
    assert 50 < len(aside) < 250
    assert [line for line in aside if "is wrong: " not in line] == []


@pytest.mark.parametrize(
    "broken",
    [HALF_A_CHARACTER, nested(DEEP), float("nan"), 10**40],
    ids=["half a character", "deep", "no number", "huge"],
)
async def test_what_makes_one_update_unreadable_leaves_those_that_came_with_it_alone(
    talk: Talk, broken: object
) -> None:
    ada, bob = talk.learner("Ada"), talk.learner("Bob")
    talk.telegram.send(ada.person, ada.id, "hello")
    talk.telegram.give(message(sender=EVE | {"last_name": broken}))
    await bob.sends("hello")
    assert ada.hears == [HINT]
    assert bob.hears == [HINT]
