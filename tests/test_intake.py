"""What Telegram may send: odd, old, repeated, hostile. Nothing of it stops the bot."""

import asyncio
import logging
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.demo.telegram import LocalTelegram
from bot.updates import arrival
from quizzes.catalog import Catalog, load
from quizzes.quiz import Quiz
from tests.conversation import BANKS, Learner, Talk, talking

OLD_SERVER = frozenset(
    {"option_persistent_ids", "persistent_id", "allows_revoting", "members_only"}
)
HINT = "Vote in a poll, or send /quiz to choose a quiz. /help shows what I can do."


def from_before_bot_api_10(telegram: LocalTelegram) -> None:
    telegram.left_out = OLD_SERVER


async def test_an_old_bot_api_server_will_do(tmp_path: Path) -> None:
    async with talking(tmp_path, prepare=from_before_bot_api_10) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/quiz capitals")
        await ada.votes("Paris")
        assert ada.hears[0].startswith("✅ Right")
        await ada.taps("Next 2/3")
        await ada.votes("Canberra")
        assert ada.news[0].reply_to is ada.poll_message


async def test_an_update_that_cannot_be_read_blocks_nothing(
    ada: Learner, talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    talk.telegram.give({"poll_answer": {"user": ada.person.json, "option_ids": "?"}})
    await ada.sends("/help")
    assert ada.hears[0].startswith("What I understand:")
    assert talk.telegram.updates.unconfirmed == []
    (line,) = [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]
    assert line == "Update 1 is set aside: poll_answer.poll_id is wrong: Field required."


@pytest.mark.parametrize(
    "update",
    [
        {"new_kind_of_update": {"id": 1}},
        {"edited_channel_post": {"message_id": 1}},
        {"message": {"message_id": 1, "date": 1, "chat": {"id": -5, "type": "group"}}},
        {
            "message": {
                "message_id": 1,
                "date": 1,
                "chat": {"id": 9, "type": "private"},
                "text": "x",
            }
        },
        {"my_chat_member": {}},
        {"callback_query": {"id": "1", "from": {"id": 5, "is_bot": False, "first_name": "E"}}},
        {"poll": {"id": "77", "question": "Theirs?", "options": []}},
        {"poll_answer": {"poll_id": "77", "option_ids": [0]}},
        {},
    ],
)
async def test_an_odd_update_is_ignored(ada: Learner, talk: Talk, update: dict[str, Any]) -> None:
    talk.telegram.give(update)
    await ada.sends("hello")
    assert ada.hears == [HINT]
    assert talk.telegram.updates.unconfirmed == []


async def test_a_vote_as_a_channel_is_ignored(ada: Learner, talk: Talk) -> None:
    await ada.sends("/quiz capitals")
    talk.telegram.give(
        {
            "poll_answer": {
                "poll_id": ada.poll.id,
                "voter_chat": {"id": -1001, "type": "channel", "title": "C"},
                "user": {"id": 136817688, "is_bot": True, "first_name": "Channel"},
                "option_ids": [0],
                "option_persistent_ids": ["0"],
            }
        }
    )
    await ada.votes("Paris")
    assert ada.hears[0].startswith("✅ Right")


async def test_an_update_repeated_after_a_restart_has_no_second_effect(
    ada: Learner, talk: Talk
) -> None:
    await ada.sends("/help")
    await talk.stop()
    await talk.start()
    talk.telegram.repeat_last_update()
    await talk.settles()
    assert len(ada.messages) == 1


async def test_ids_that_begin_anew_after_a_silent_week_are_no_duplicates(
    ada: Learner, talk: Talk
) -> None:
    await ada.sends("/help")
    await talk.stop()
    await talk.clock.advance(8 * 24 * 3600)
    talk.telegram.updates.next_id = 1
    await talk.start()
    await ada.sends("/help")
    assert len(ada.messages) == 2


async def test_the_bot_asks_for_every_kind_of_update_that_it_needs(talk: Talk) -> None:
    assert talk.telegram.updates.allowed == {
        "message", "callback_query", "poll", "poll_answer", "my_chat_member",
    }  # fmt: skip


async def test_a_webhook_is_deleted_and_what_waits_is_kept(talk: Talk) -> None:
    (call,) = talk.telegram.calls("deleteWebhook")
    assert not call.parameters.get("drop_pending_updates")


async def test_trouble_with_fetching_is_told_once_and_passes(
    ada: Learner, talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    talk.telegram.faults.refuse("getUpdates", 502, "Bad Gateway", times=4)
    await talk.clock.advance(31)
    await talk.clock.advance(31)
    await ada.sends("/help")
    assert len(ada.messages) == 1
    lines = [r.getMessage() for r in caplog.records if r.name == "bot.intake"]
    assert lines == [
        "Updates can't be fetched: Bad Gateway; trying again.",
        "Updates come in again.",
    ]


async def test_another_program_that_fetches_is_told_of_once_and_left_more_and_more_time(
    ada: Learner, talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    conflict = "Conflict: terminated by other getUpdates request"
    talk.telegram.faults.refuse("getUpdates", 409, conflict, times=None)
    before = len(talk.telegram.calls("getUpdates"))
    await talk.clock.advance(31 + 1 + 2 + 4 + 8 + 16 + 30 + 30)
    assert len(talk.telegram.calls("getUpdates")) - before == 8
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == [
        "Another program fetches this bot's updates: stop it, or take another token; trying again."
    ]
    talk.telegram.faults.clear()
    await talk.clock.advance(30)
    await ada.sends("/help")
    assert len(ada.messages) == 1


async def test_a_429_at_fetching_is_obeyed(ada: Learner, talk: Talk) -> None:
    talk.telegram.faults.refuse(
        "getUpdates", 429, "Too Many Requests: retry after 50", parameters={"retry_after": 50}
    )
    await talk.clock.advance(31)
    asked = len(talk.telegram.calls("getUpdates"))
    await talk.clock.advance(48)
    assert len(talk.telegram.calls("getUpdates")) == asked
    await talk.clock.advance(2)
    await ada.sends("/help")
    assert len(ada.messages) == 1


async def test_after_an_outage_telegram_is_not_let_wait_before_it_counts_as_over(
    talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    talk.telegram.faults.refuse("getUpdates", 502, "Bad Gateway")
    await talk.clock.advance(30.5)
    assert "Updates come in again." not in caplog.messages
    await talk.clock.advance(1)
    assert "Updates come in again." in caplog.messages


async def test_what_is_no_update_at_all_is_not_asked_for_without_end(
    ada: Learner, talk: Talk
) -> None:
    talk.telegram.left_out = frozenset({"update_id"})
    talk.telegram.give({})
    await asyncio.sleep(0)
    before = len(talk.telegram.calls("getUpdates"))
    await talk.clock.advance(10)
    assert 90 <= len(talk.telegram.calls("getUpdates")) - before <= 110
    talk.telegram.left_out = frozenset()
    await talk.clock.advance(1)
    await ada.sends("/help")
    assert len(ada.messages) == 1


async def test_updates_that_waited_are_handled_in_order_at_the_start(tmp_path: Path) -> None:
    def wrote_before(telegram: LocalTelegram) -> None:
        person = telegram.add_person("Ada", language_code="en")
        for text in ("/quiz capitals", "/stop", "/help"):
            telegram.send(person, person.id, text)

    async with talking(tmp_path, prepare=wrote_before) as talk:
        said = [m.text.split("\n")[0] for m in talk.telegram.chat(1001).messages if not m.poll]
        assert said[3:] == ["Capitals · 3 questions", "Results: Capitals", "What I understand:"]


# Handlers that break


class BrokenCatalog(Catalog):
    """A bank in which one quiz can't be read any more."""

    def quiz(self, quiz_id: str, language: str | None, default_language: str | None) -> Quiz | None:
        if quiz_id == "odd-forms":
            raise RuntimeError("the quiz broke")
        return super().quiz(quiz_id, language, default_language)


def broken() -> Catalog:
    catalog, _ = load([BANKS / "talk"])
    return BrokenCatalog(catalog.shelves, catalog.extent)


async def test_a_handler_that_breaks_leaves_no_trace_but_an_apology(tmp_path: Path) -> None:
    async with talking(tmp_path, catalog=broken(), operator_ids=(1001,)) as talk:
        operator, ada = talk.learner("Op"), talk.learner("Ada")
        await operator.sends("hello")
        await ada.sends("/quiz odd-forms")
        assert ada.hears == [
            "Something went wrong on my side; the people who run me know of it. Please try again."
        ]
        assert operator.messages[-1].text == (
            "Update 2 could not be handled: RuntimeError: the quiz broke"
        )
        await ada.sends("/quiz capitals")
        assert ada.hears[-1] == "What is the capital of France?"


async def test_what_was_set_aside_is_tried_again_at_the_next_start_without_a_second_apology(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, catalog=broken()) as talk:
        ada = talk.learner("Ada")
        await ada.sends("/quiz odd-forms")
        await talk.stop()
        await talk.start()
        assert len(ada.messages) == 1
        await talk.stop()
        talk.catalog, _ = load([BANKS / "talk"])
        await talk.start()
        assert ada.messages[-1].json["poll"]["question"] == "What does this print?"


# Anything at all


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_anything_that_is_no_update_is_told_apart(raw: object) -> None:
    assert arrival(raw) is None or isinstance(raw, dict)


UPDATES = st.dictionaries(
    st.sampled_from(["message", "callback_query", "poll", "poll_answer", "my_chat_member"]),
    st.dictionaries(
        st.sampled_from(
            [
                "from",
                "user",
                "chat",
                "message",
                "text",
                "id",
                "date",
                "poll_id",
                "option_ids",
                "data",
            ]
        ),
        JSON,
        max_size=6,
    ),
    min_size=1,
    max_size=2,
)


async def test_arbitrary_updates_do_not_stop_the_bot(ada: Learner, talk: Talk) -> None:
    drawn: list[dict[str, Any]] = []

    @settings(max_examples=100, database=None, suppress_health_check=list(HealthCheck))
    @given(UPDATES)
    def draw(update: dict[str, Any]) -> None:
        if orjson_takes(update):
            drawn.append(update)

    draw()
    logging.getLogger("bot").setLevel(logging.CRITICAL)
    try:
        for update in drawn:
            talk.telegram.give(update)
        await ada.sends("hello")
    finally:
        logging.getLogger("bot").setLevel(logging.NOTSET)
    assert ada.hears == [HINT]
    assert talk.telegram.updates.unconfirmed == []


def orjson_takes(update: dict[str, Any]) -> bool:
    """Whether it could come over the wire as JSON."""
    try:
        orjson.dumps(update)
    except TypeError:  # lone surrogates, integers over 64 bits
        return False
    return True


async def test_a_server_that_does_not_hold_requests_is_not_asked_without_end(
    ada: Learner, talk: Talk
) -> None:
    talk.telegram.updates.close()  # from now on no getUpdates call waits
    await talk.settles()
    before = len(talk.telegram.calls("getUpdates"))
    await talk.clock.advance(10)
    assert 90 <= len(talk.telegram.calls("getUpdates")) - before <= 110
    await ada.sends("/help")
    await talk.clock.advance(1)
    assert len(ada.messages) == 1
