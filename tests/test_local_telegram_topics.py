"""A forum's topics in the local Telegram: who writes where, and topics that are closed or gone."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.demo.chats import Chat, Person
from tests.local_telegram import Bench, serving

TOPIC = 5


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with serving() as bench:
        yield bench


@pytest.fixture
def ann(bench: Bench) -> Person:
    return bench.telegram.add_person("Ann", id=7)


@pytest.fixture
def bob(bench: Bench) -> Person:
    return bench.telegram.add_person("Bob", id=8)


@pytest.fixture
def forum(bench: Bench, ann: Person, bob: Person) -> Chat:
    forum = bench.telegram.add_group("Forum", [ann, bob], forum=True)
    bench.telegram.send(ann, forum.id, "/quiz", thread_id=TOPIC)
    return forum


def thread(message: dict[str, Any]) -> tuple[Any, Any]:
    """A message's topic, and whether it says that it stands in one."""
    return message.get("message_thread_id"), message.get("is_topic_message")


async def test_messages_and_polls_carry_their_topic_and_in_general_they_carry_none(
    bench: Bench, forum: Chat
) -> None:
    text = await bench.call("sendMessage", chat_id=forum.id, text="x", message_thread_id=TOPIC)
    poll = await bench.quiz(forum.id, message_thread_id=TOPIC)
    general = await bench.quiz(forum.id)
    assert (thread(text), thread(poll), thread(general)) == (
        (TOPIC, True),
        (TOPIC, True),
        (None, None),
    )


async def test_a_reply_stays_in_the_topic_of_what_it_answers(
    bench: Bench, bob: Person, forum: Chat
) -> None:
    (asked,) = forum.messages
    sent = await bench.call(
        "sendMessage", chat_id=forum.id, text="x", reply_parameters={"message_id": asked.id}
    )
    bench.telegram.send(bob, forum.id, "y", reply_to=sent["message_id"])
    heard = (await bench.updates())[-1]["message"]
    assert (thread(sent), thread(heard)) == ((TOPIC, True), (TOPIC, True))


@pytest.mark.parametrize("thread_id", [1, 6])
async def test_general_is_not_written_to_as_1_and_a_topic_must_exist(
    bench: Bench, forum: Chat, thread_id: int
) -> None:
    refusal = await bench.refusal(
        "sendMessage", chat_id=forum.id, text="x", message_thread_id=thread_id
    )
    assert refusal == (400, "Bad Request: message thread not found")


@pytest.mark.parametrize("thread_id", [TOPIC, None])
async def test_in_a_closed_topic_only_administrators_write(
    bench: Bench, ann: Person, bob: Person, forum: Chat, thread_id: int | None
) -> None:
    there = {"chat_id": forum.id, "text": "x"}
    if thread_id is not None:
        there["message_thread_id"] = thread_id
    bench.telegram.close_topic(forum, thread_id)
    assert await bench.refusal("sendMessage", **there) == (400, "Bad Request: TOPIC_CLOSED")
    with pytest.raises(PermissionError, match="The topic is closed to Bob"):
        bench.telegram.send(bob, forum.id, "x", thread_id=thread_id)
    bench.telegram.send(ann, forum.id, "x", thread_id=thread_id)
    bench.telegram.set_status(forum, bench.telegram.bot, "administrator")
    await bench.call("sendMessage", **there)
    bench.telegram.set_status(forum, bench.telegram.bot, "member")
    bench.telegram.reopen_topic(forum, thread_id)
    await bench.call("sendMessage", **there)
    told = [
        (name, thread(update["message"])[0])
        for update in await bench.updates()
        for name in ("forum_topic_closed", "forum_topic_reopened")
        if name in update.get("message", {})
    ]
    assert told == [("forum_topic_closed", thread_id), ("forum_topic_reopened", thread_id)]


async def test_a_deleted_topic_takes_its_messages_along(
    bench: Bench, ann: Person, forum: Chat
) -> None:
    bench.telegram.send(ann, forum.id, "in General")
    poll = await bench.quiz(forum.id, message_thread_id=TOPIC)
    bench.telegram.delete_topic(forum, TOPIC)
    where = {"chat_id": forum.id, "message_id": poll["message_id"]}
    refusals = [
        await bench.refusal("sendMessage", chat_id=forum.id, text="x", message_thread_id=TOPIC),
        await bench.refusal("stopPoll", **where),
    ]
    assert refusals == [
        (400, "Bad Request: message thread not found"),
        (400, "Bad Request: message with poll to stop not found"),
    ]
    assert [message.text for message in forum.messages] == ["in General"]


async def test_a_group_without_topics_takes_none(bench: Bench, ann: Person) -> None:
    group = bench.telegram.add_group("Class", [ann], supergroup=True)
    with pytest.raises(ValueError, match="Class has no topics"):
        bench.telegram.send(ann, group.id, "x", thread_id=TOPIC)
