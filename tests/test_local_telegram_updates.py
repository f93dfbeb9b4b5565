"""getUpdates: what is handed out, when, how often, and what a lost connection costs."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.local_telegram import TOKEN, Bench, serving


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with serving(first_update_id=100) as bench:
        bench.telegram.add_person("Ann", id=7)
        yield bench


def write(bench: Bench, *texts: str) -> None:
    for text in texts:
        bench.telegram.send(bench.telegram.people[7], 7, text)


def ids(updates: list[dict[str, Any]]) -> list[int]:
    return [update["update_id"] for update in updates]


@pytest.mark.parametrize(
    ("offset", "limit", "given", "kept"),
    [
        (0, 100, [100, 101, 102], [100, 101, 102]),
        (0, 2, [100, 101], [100, 101, 102]),
        (101, 100, [101, 102], [101, 102]),
        (103, 100, [], []),
        (104, 100, [100, 101, 102], [100, 101, 102]),
        (999, 100, [100, 101, 102], [100, 101, 102]),
        (-2, 100, [101, 102], [101, 102]),
        (-9, 100, [100, 101, 102], [100, 101, 102]),
    ],
)
async def test_the_offset_confirms_what_lies_below_it(
    bench: Bench, offset: int, limit: int, given: list[int], kept: list[int]
) -> None:
    write(bench, "a", "b", "c")
    assert ids(await bench.updates(offset, limit=limit)) == given
    assert ids(await bench.updates()) == kept


async def test_a_waiting_call_is_woken_at_once_by_an_update(bench: Bench) -> None:
    waiting = asyncio.create_task(bench.updates(timeout=50))
    await bench.telegram.idle()
    write(bench, "a")
    assert [update["message"]["text"] for update in await waiting] == ["a"]


async def test_a_waiting_call_ends_empty_when_its_time_is_up(bench: Bench) -> None:
    waiting = asyncio.create_task(bench.updates(timeout=80))
    await bench.telegram.idle()
    await bench.clock.advance(49)
    assert not waiting.done()
    await bench.clock.advance(1)
    assert await waiting == []


async def test_a_client_that_hangs_up_takes_no_updates_with_it(bench: Bench) -> None:
    waiting = asyncio.create_task(bench.updates(timeout=50))
    await bench.telegram.idle()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    write(bench, "a")
    assert ids(await bench.updates(timeout=50)) == [100]
    assert ids(await bench.updates(timeout=50)) == [100]


async def test_of_two_calls_that_wait_the_older_one_ends_with_a_conflict(bench: Bench) -> None:
    older = asyncio.create_task(bench.refusal("getUpdates", timeout=50))
    await bench.telegram.idle()
    newer = asyncio.create_task(bench.updates(timeout=50))
    assert await older == (
        409,
        "Conflict: terminated by other getUpdates request; "
        "make sure that only one bot instance is running",
    )
    await bench.telegram.idle()
    write(bench, "a")
    assert ids(await newer) == [100]


async def test_a_call_that_does_not_wait_ends_a_waiting_one_too(bench: Bench) -> None:
    older = asyncio.create_task(bench.refusal("getUpdates", timeout=50))
    await bench.telegram.idle()
    assert await bench.updates() == []
    assert (await older)[0] == 409


async def test_waiting_calls_end_at_once_when_the_server_stops() -> None:
    async with serving() as bench:
        waiting = asyncio.create_task(bench.updates(timeout=50))
        await bench.telegram.idle()
    assert await waiting == []


async def test_idle_means_that_the_bot_waits_and_has_confirmed_everything(bench: Bench) -> None:
    idle = asyncio.create_task(bench.telegram.idle())
    write(bench, "a")
    assert ids(await bench.updates(timeout=50)) == [100]
    assert not idle.done()
    waiting = asyncio.create_task(bench.updates(101, timeout=50))
    await idle
    assert not waiting.done()
    write(bench, "b")
    await waiting


@pytest.mark.parametrize(
    ("asked", "allowed"),
    [
        (["poll_answer"], ["poll_answer"]),
        (["poll_answer", "dreams"], ["poll_answer"]),
        (["dreams"], None),
        ([], None),
    ],
)
async def test_only_the_kinds_that_the_bot_asked_for_are_kept(
    bench: Bench, asked: list[str], allowed: list[str] | None
) -> None:
    await bench.updates(allowed_updates=["callback_query"])
    await bench.updates(allowed_updates=asked)
    write(bench, "a")
    heard = await bench.updates()
    by_default = {"message", "poll", "my_chat_member", "edited_message"} <= set(
        bench.telegram.updates.allowed
    )
    if allowed is None:
        assert (by_default, len(heard)) == (True, 1)
        assert "chat_member" not in bench.telegram.updates.allowed
    else:
        assert (sorted(bench.telegram.updates.allowed), heard) == (allowed, [])


@pytest.mark.parametrize("unreadable", ["[", '{"message": true}', "", '"message"'])
async def test_an_unreadable_choice_of_kinds_leaves_the_one_before(
    bench: Bench, unreadable: str
) -> None:
    await bench.updates(allowed_updates=["callback_query"])
    await bench.updates(allowed_updates=unreadable)
    assert bench.telegram.updates.allowed == {"callback_query"}


async def test_updates_are_kept_for_a_day_and_presses_for_150_seconds(bench: Bench) -> None:
    write(bench, "a")
    sent = await bench.call("sendMessage", chat_id=7, text="x")
    bench.telegram.tap(bench.telegram.people[7], 7, sent["message_id"], "go")
    await bench.clock.advance(149)
    assert ids(await bench.updates()) == [100, 101]
    await bench.clock.advance(1)
    assert ids(await bench.updates()) == [100]
    await bench.clock.advance(24 * 3600)
    assert ids(await bench.updates()) == []


async def test_any_update_can_be_given_and_gets_an_id_where_it_has_none(bench: Bench) -> None:
    bench.telegram.give({"dream": {"about": "sheep"}})
    bench.telegram.give({"update_id": 500, "dream": {}})
    write(bench, "a")
    assert ids(await bench.updates()) == [100, 500, 501]


async def test_an_update_can_come_twice_even_after_it_was_confirmed(bench: Bench) -> None:
    write(bench, "a")
    first = await bench.updates()
    assert await bench.updates(101) == []
    bench.telegram.repeat_last_update()
    assert await bench.updates(101) == first
    assert await bench.updates(101) == []


async def test_there_is_nothing_to_repeat_before_the_first_update(bench: Bench) -> None:
    with pytest.raises(LookupError, match="There was no update yet"):
        bench.telegram.repeat_last_update()


async def test_ids_may_begin_anew_and_the_bot_still_gets_its_updates(bench: Bench) -> None:
    write(bench, "a")
    assert ids(await bench.updates()) == [100]
    assert await bench.updates(101) == []
    bench.telegram.updates.next_id = 5
    write(bench, "b")
    assert ids(await bench.updates(101)) == [5]
    assert ids(await bench.updates(6)) == []


async def test_deleting_the_webhook_keeps_what_waits_unless_told_to_drop_it(bench: Bench) -> None:
    write(bench, "a")
    kept = await bench.ask("deleteWebhook")
    info = await bench.call("getWebhookInfo")
    await bench.call("deleteWebhook", drop_pending_updates=True)
    assert kept.body == {"ok": True, "result": True, "description": "Webhook is already deleted"}
    assert info == {"url": "", "has_custom_certificate": False, "pending_update_count": 1}
    assert await bench.updates() == []


async def test_any_address_of_the_bot_serves_updates_by_get_as_well(bench: Bench) -> None:
    write(bench, "a")
    async with bench.http.get(f"{bench.url}/bot{TOKEN}/getupdates?offset=-1") as response:
        assert ids((await response.json())["result"]) == [100]
