"""/metrics: the bot's figures, as Prometheus reads them."""

import asyncio
import math
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.health import DATABASE_SECONDS
from tests.conversation import Learner, Talk, talking
from tests.posting import free_address
from tests.stores import held

Figures = dict[str, float]


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[Talk]:
    """A started bot whose figures can be read."""
    async with talking(tmp_path, listen=free_address()) as talk:
        yield talk


async def figures(talk: Talk) -> Figures:
    """All that is told, as `name{label values}` without the common beginning."""
    async with (
        aiohttp.ClientSession() as http,
        http.get(f"http://{talk.settings.listen}/metrics") as answer,
    ):
        assert (answer.status, answer.content_type) == (200, "text/plain")
        text = await answer.text()
    return {
        _name(sample.name, sample.labels): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def _name(name: str, labels: dict[str, str]) -> str:
    shown = f"{{{','.join(labels.values())}}}" if labels else ""
    return name.removeprefix("quiz_tutor_") + shown


async def test_updates_are_counted_by_kind_and_repeated_ones_once(talk: Talk, ada: Learner) -> None:
    await ada.sends("/quiz capitals")
    await ada.votes_right()
    await ada.taps("Next 2/3")
    talk.telegram.repeat_last_update()
    await talk.settles()
    told = await figures(talk)
    kinds = {name: value for name, value in told.items() if name.startswith("updates_total")}
    assert kinds == {
        "updates_total{message}": 1,
        "updates_total{poll}": 0,
        "updates_total{poll_answer}": 1,
        "updates_total{callback_query}": 1,
        "updates_total{my_chat_member}": 0,
        "updates_total{other}": 0,
    }
    assert told["decision_seconds_count"] == told["handling_seconds_count"] == 3


async def test_answers_are_counted_by_place_and_result(talk: Talk, ada: Learner) -> None:
    bob = talk.learner("Bob")
    await ada.sends("/quiz capitals")
    await ada.votes_right()
    await ada.taps("Next 2/3")
    await ada.votes_wrong()
    talk.telegram.repeat_last_update()
    await talk.settles()
    group = talk.telegram.add_group("Class", [ada.person, bob.person], supergroup=True)
    ada, bob = ada.within(group), bob.within(group)
    await ada.sends("/quiz capitals")
    await bob.taps("Join")
    await ada.taps("Start")
    await ada.votes_right()
    await bob.votes_right()
    told = await figures(talk)
    assert {name: value for name, value in told.items() if name.startswith("answers_total")} == {
        "answers_total{private,right}": 1,
        "answers_total{private,wrong}": 1,
        "answers_total{group,right}": 2,
        "answers_total{group,wrong}": 0,
    }


async def test_sends_are_counted_by_method_and_outcome(talk: Talk, ada: Learner) -> None:
    eve = talk.learner("Eve")
    for method, code, description, parameters in (
        ("sendMessage", 429, "Too Many Requests: retry after 3", {"retry_after": 3}),
        ("sendPoll", 400, "Bad Request: POLL_INVALID", {}),
        ("answerCallbackQuery", 400, "Bad Request: query is too old", {}),
    ):
        talk.telegram.faults.refuse(method, code, description, parameters=parameters, chat_id=None)
    await ada.sends("/quiz capitals")
    await talk.clock.advance(4)
    await eve.sends("/help")
    talk.telegram.faults.refuse("sendMessage", 403, "Forbidden: bot was blocked by the user")
    await eve.sends("/help")
    talk.telegram.faults.drop("sendMessage")
    await ada.sends("/help")
    await talk.clock.advance(2)
    await ada.taps_first()
    told = await figures(talk)
    sends = {name: value for name, value in told.items() if name.startswith("sends_total")}
    assert (
        sends.items()
        >= {
            "sends_total{sendMessage,later}": 1,
            "sends_total{sendMessage,lost}": 1,
            "sends_total{sendMessage,doubtful}": 1,
            "sends_total{sendPoll,refused}": 1,
            "sends_total{answerCallbackQuery,dropped}": 1,
        }.items()
    )
    assert told["flood_waits_total"] == 1
    sent = len([m for one in (ada, eve) for m in one.messages if not m.poll])
    assert told["sends_total{sendMessage,delivered}"] == sent - 1  # one of them is not known of


async def test_the_outbox_tells_its_depth_and_the_age_of_its_oldest_letter(
    talk: Talk, ada: Learner
) -> None:
    told = await figures(talk)
    assert (told["outbox_letters"], told["outbox_oldest_seconds"]) == (0, 0)
    talk.telegram.faults.refuse(
        "sendMessage",
        429,
        "Too Many Requests: retry after 30",
        parameters={"retry_after": 30},
        chat_id=ada.id,
    )
    await ada.sends("/help")
    await talk.clock.advance(10)
    await ada.sends("/help")
    await talk.clock.advance(5)
    told = await figures(talk)
    assert (told["outbox_letters"], told["outbox_oldest_seconds"]) == (2, 15)
    await talk.clock.advance(30)
    told = await figures(talk)
    assert (told["outbox_letters"], told["outbox_oldest_seconds"]) == (0, 0)


async def test_what_is_not_done_in_the_inbox_is_told_by_state(talk: Talk, ada: Learner) -> None:
    talk.telegram.give({"poll_answer": {"user": ada.person.json, "option_ids": "?"}})
    await ada.sends("/help")
    told = await figures(talk)
    assert {name: value for name, value in told.items() if name.startswith("inbox_rows")} == {
        "inbox_rows{waiting}": 0,
        "inbox_rows{deferred}": 0,
        "inbox_rows{set_aside}": 1,
    }


async def test_without_the_database_the_other_figures_are_told_all_the_same(
    talk: Talk, ada: Learner
) -> None:
    await ada.sends("/help")
    with held(talk.settings.database_path):
        asking = asyncio.create_task(figures(talk))
        while not asking.done():
            await talk.clock.advance(DATABASE_SECONDS / 10)
        told = await asking
    assert math.isnan(told["inbox_rows{waiting}"])
    assert told["updates_total{message}"] == 1


async def test_two_bots_in_a_process_count_for_themselves(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    async with (
        talking(tmp_path, listen=free_address()) as one,
        talking(tmp_path / "other", listen=free_address()) as other,
    ):
        await one.learner("Ada").sends("/help")
        assert (await figures(one))["updates_total{message}"] == 1
        assert (await figures(other))["updates_total{message}"] == 0
