"""Telegram's flood limits, on a clock that stands still."""

from collections.abc import AsyncIterator

import pytest

from bot.demo.flood import FloodLimits
from tests.local_telegram import Bench, serving

LIMITS = FloodLimits(per_second=8, chat_burst=3, per_minute_in_group=4)


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with serving(flood=LIMITS) as bench:
        people = [bench.telegram.add_person(f"P{number}", id=number) for number in range(1, 5)]
        for person in people:
            bench.telegram.send(person, person.id, "/start")
        bench.telegram.add_group("Study", people)
        yield bench


async def sends(bench: Bench, chat_id: int, times: int) -> list[int]:
    """The status of each of so many messages."""
    return [
        (await bench.ask("sendMessage", chat_id=chat_id, text="x")).status for _ in range(times)
    ]


async def test_a_chat_takes_a_short_burst_and_then_one_message_a_second(bench: Bench) -> None:
    assert await sends(bench, 1, 4) == [200, 200, 200, 429]
    await bench.clock.advance(0.9)
    assert await sends(bench, 1, 1) == [429]
    await bench.clock.advance(0.1)
    assert await sends(bench, 1, 2) == [200, 429]
    await bench.clock.advance(60)
    assert await sends(bench, 1, 4) == [200, 200, 200, 429]


async def test_the_limit_of_one_chat_is_not_that_of_another(bench: Bench) -> None:
    await sends(bench, 1, 4)
    assert await sends(bench, 2, 1) == [200]


async def test_all_chats_together_have_a_limit_too(bench: Bench) -> None:
    assert [await sends(bench, chat_id, 2) for chat_id in (1, 2, 3, 4)] == [[200, 200]] * 4
    assert await sends(bench, 1, 1) == [429]
    await bench.clock.advance(0.125)
    assert await sends(bench, 1, 2) == [200, 429]


async def test_a_group_takes_so_many_messages_within_any_minute(bench: Bench) -> None:
    assert await sends(bench, -1, 3) == [200] * 3
    await bench.clock.advance(30)
    assert await sends(bench, -1, 2) == [200, 429]
    await bench.clock.advance(29)
    assert await sends(bench, -1, 1) == [429]
    await bench.clock.advance(1)
    assert await sends(bench, -1, 4) == [200, 200, 200, 429]


async def test_a_refusal_says_how_long_to_wait(bench: Bench) -> None:
    await sends(bench, -1, 3)
    await bench.clock.advance(30)
    await sends(bench, -1, 1)
    answer = await bench.ask("sendMessage", chat_id=-1, text="x")
    assert (answer.status, answer.headers["Retry-After"], answer.body) == (
        429,
        "30",
        {
            "ok": False,
            "error_code": 429,
            "description": "Too Many Requests: retry after 30",
            "parameters": {"retry_after": 30},
        },
    )
    await bench.clock.advance(30)
    assert await sends(bench, -1, 1) == [200]


async def test_only_new_messages_count(bench: Bench) -> None:
    sent = await bench.call("sendMessage", chat_id=1, text="x")
    for number in range(20):
        target = {"chat_id": 1, "message_id": sent["message_id"]}
        await bench.call("editMessageText", text=f"x{number}", **target)
        await bench.call("sendChatAction", chat_id=1, action="typing")
        await bench.refusal("sendMessage", chat_id=1, text=" ")
    assert await sends(bench, 1, 3) == [200, 200, 429]


async def test_without_limits_everything_passes() -> None:
    async with serving() as bench:
        bench.telegram.send(bench.telegram.add_person("Ann", id=1), 1, "/start")
        assert await sends(bench, 1, 50) == [200] * 50
