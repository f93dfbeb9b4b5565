"""Trouble on demand: what the bot sees of it, and what has happened all the same."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.local_telegram import Bench, serving


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with serving() as bench:
        for number in (1, 2):
            person = bench.telegram.add_person(f"P{number}", id=number)
            bench.telegram.send(person, number, "/start")
        yield bench


async def send(bench: Bench, text: str = "x", chat_id: int = 1) -> int:
    return (await bench.ask("sendMessage", chat_id=chat_id, text=text)).status


def seen(bench: Bench, chat_id: int = 1) -> list[str]:
    """What the bot has written in a chat."""
    messages = bench.telegram.chat(chat_id).messages
    return [message.text for message in messages if message.sender.is_bot]


async def test_a_refused_call_is_not_carried_out(bench: Bench) -> None:
    bench.telegram.faults.refuse(
        "sendMessage", 429, "Too Many Requests: retry after 7", parameters={"retry_after": 7}
    )
    answer = await bench.ask("sendMessage", chat_id=1, text="x")
    assert (answer.status, answer.headers["Retry-After"]) == (429, "7")
    assert (answer.body, seen(bench)) == (
        {
            "ok": False,
            "error_code": 429,
            "description": "Too Many Requests: retry after 7",
            "parameters": {"retry_after": 7},
        },
        [],
    )
    assert await send(bench) == 200


async def test_a_fault_can_strike_several_times_later_and_in_one_chat_only(bench: Bench) -> None:
    bench.telegram.faults.refuse(
        "sendmessage", 500, "Internal Server Error", times=2, skip=1, chat_id=1
    )
    assert [await send(bench, chat_id=2) for _ in range(3)] == [200] * 3
    assert [await send(bench) for _ in range(4)] == [200, 500, 500, 200]


async def test_a_fault_can_last_until_it_is_cleared(bench: Bench) -> None:
    bench.telegram.faults.refuse("*", 502, "Bad Gateway", times=None)
    assert [await send(bench) for _ in range(3)] == [502] * 3
    assert len(await bench.updates()) == 2
    bench.telegram.faults.clear()
    assert await send(bench) == 200


async def test_a_delayed_call_is_carried_out_at_once_and_answered_late(bench: Bench) -> None:
    fault = bench.telegram.faults.delay("sendMessage", 20)
    sending = asyncio.create_task(send(bench))
    await fault.reached.wait()
    await bench.clock.advance(19)
    assert (seen(bench), sending.done()) == (["x"], False)
    await bench.clock.advance(1)
    assert await sending == 200


async def test_a_held_call_is_answered_when_it_is_released(bench: Bench) -> None:
    fault = bench.telegram.faults.hold("sendMessage", times=None)
    sending = asyncio.create_task(send(bench))
    await fault.reached.wait()
    assert (bench.telegram.requests[-1].response, sending.done()) == (None, False)
    fault.release()
    assert (await sending, await send(bench)) == (200, 200)


async def test_a_dropped_call_was_carried_out_though_nothing_came_back(bench: Bench) -> None:
    bench.telegram.faults.drop("sendMessage")
    with pytest.raises(aiohttp.ClientConnectionError):
        await send(bench)
    assert (seen(bench), bench.telegram.requests[-1].response) == (["x"], None)
    assert await send(bench) == 200


async def test_a_call_that_is_cut_off_was_not_carried_out(bench: Bench) -> None:
    bench.telegram.faults.cut("sendMessage")
    with pytest.raises(aiohttp.ClientConnectionError):
        await send(bench)
    assert seen(bench) == []
    assert await send(bench) == 200


async def test_fetching_updates_can_fail_as_well(bench: Bench) -> None:
    bench.telegram.faults.refuse("getUpdates", 409, "Conflict: terminated", times=1)
    assert await bench.refusal("getUpdates") == (409, "Conflict: terminated")
    assert len(await bench.updates()) == 2


async def test_faults_strike_one_after_another(bench: Bench) -> None:
    bench.telegram.faults.refuse("sendMessage", 500, "Internal Server Error")
    bench.telegram.faults.refuse("sendMessage", 403, "Forbidden: user is deactivated")
    assert [await send(bench) for _ in range(3)] == [500, 403, 200]


async def test_a_garbled_answer_is_a_web_page_and_nothing_is_carried_out(bench: Bench) -> None:
    bench.telegram.faults.garble("sendMessage")
    form = {"chat_id": "1", "text": "x"}
    async with bench.http.post(f"{bench.url}/bot4242:local/sendMessage", data=form) as response:
        page = await response.text()
        assert (response.status, response.content_type) == (502, "text/html")
    assert page.startswith("<html>")
    assert seen(bench) == []
