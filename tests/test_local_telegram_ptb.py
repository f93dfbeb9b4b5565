"""python-telegram-bot talks to the local Telegram, and understands all that it says."""

import asyncio
import random
from collections.abc import AsyncIterator

import pytest
import telegram
from telegram.constants import ParseMode

from bot.clock import SystemClock
from bot.demo.server import serve
from bot.demo.telegram import LocalTelegram
from tests.local_telegram import TOKEN, Bench, serving

# Telegram still names a single right option in the old way too, and the library warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:.*correct_option_id:DeprecationWarning")


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with serving() as bench:
        bench.telegram.send(bench.telegram.add_person("Ann", id=7), 7, "/start")
        yield bench


@pytest.fixture
async def bot(bench: Bench) -> AsyncIterator[telegram.Bot]:
    async with telegram.Bot(TOKEN, base_url=f"{bench.url}/bot") as bot:
        yield bot


async def test_a_quiz_is_sent_answered_and_stopped(bench: Bench, bot: telegram.Bot) -> None:
    message = await bot.send_poll(
        7,
        "What is List<int>?",
        ["a type", telegram.InputPollOption("a <b>value</b>", text_parse_mode=ParseMode.HTML)],
        type="quiz",
        correct_option_ids=[0, 1],
        allows_multiple_answers=True,
        is_anonymous=False,
        explanation="Both, <i>somehow</i>.",
        explanation_parse_mode=ParseMode.HTML,
        open_period=60,
        reply_markup=telegram.InlineKeyboardMarkup.from_button(
            telegram.InlineKeyboardButton("Skip", callback_data="skip")
        ),
    )
    bench.telegram.vote(bench.telegram.people[7], 7, message.message_id, [1, 0])
    bench.telegram.tap(bench.telegram.people[7], 7, message.message_id, "skip")
    start, poll, answer, press = await bot.get_updates()
    stopped = await bot.stop_poll(7, message.message_id)
    assert message.poll is not None
    assert [option.text for option in message.poll.options] == ["a type", "a value"]
    assert message.poll.correct_option_ids == (0, 1)
    assert message.poll.explanation_entities[0].type == "italic"
    assert start.message is not None
    assert start.message.text == "/start"
    assert poll.poll is not None
    assert poll.poll.total_voter_count == 1
    assert answer.poll_answer is not None
    assert answer.poll_answer.option_ids == (0, 1)
    assert press.callback_query is not None
    assert press.callback_query.message == message
    assert (stopped.is_closed, stopped.id) == (True, message.poll.id)


async def test_every_kind_of_update_is_understood(bench: Bench, bot: telegram.Bot) -> None:
    people = bench.telegram
    ann = people.people[7]
    group = people.add_group("Study", [ann], forum=True)
    quiz = await bench.quiz(7)
    people.vote(ann, 7, quiz["message_id"], [0])
    people.edit(ann, 7, 1, "/stop")
    people.tap(ann, 7, quiz["message_id"], "go")
    people.forward_poll(ann, 7, quiz["message_id"], 7)
    people.send(ann, group.id, "/quiz", thread_id=4)
    people.block(ann)
    raw = await bench.updates()
    parsed = [telegram.Update.de_json(update, bot) for update in raw]
    kinds = [[name for name in update.to_dict() if name != "update_id"] for update in parsed]
    assert kinds == [
        ["message"],
        ["my_chat_member"],
        ["poll"],
        ["poll_answer"],
        ["edited_message"],
        ["callback_query"],
        ["message"],
        ["message"],
        ["my_chat_member"],
    ]
    assert all(not update.api_kwargs for update in parsed)


async def test_the_other_methods_are_understood_too(bench: Bench, bot: telegram.Bot) -> None:
    ann = bench.telegram.people[7]
    group = bench.telegram.add_group("Study", [ann])
    await bot.set_my_commands(
        [telegram.BotCommand("quiz", "Begin")],
        scope=telegram.BotCommandScopeChat(7),
        language_code="uk",
    )
    message = await bot.send_message(7, "<b>x</b>", parse_mode="HTML", reply_to_message_id=1)
    edited = await bot.edit_message_text("y", 7, message.message_id)
    chat = await bot.get_chat(group.id)
    (admin,) = await bot.get_chat_administrators(group.id)
    me = await bot.get_me()
    webhook = await bot.get_webhook_info()
    commands = await bot.get_my_commands(scope=telegram.BotCommandScopeChat(7), language_code="uk")
    assert isinstance(edited, telegram.Message)
    assert (edited.text, chat.title, me.username) == ("y", "Study", "quiz_tutor_bot")
    assert isinstance(admin, telegram.ChatMemberOwner)
    assert (webhook.url, commands) == ("", (telegram.BotCommand("quiz", "Begin"),))
    assert await bot.send_chat_action(7, "typing")
    assert await bot.delete_message(7, message.message_id)


async def test_refusals_become_the_errors_that_bots_expect(bench: Bench, bot: telegram.Bot) -> None:
    bench.telegram.faults.refuse(
        "sendMessage", 429, "Too Many Requests: retry after 7", parameters={"retry_after": 7}
    )
    with pytest.raises(telegram.error.RetryAfter):
        await bot.send_message(7, "x")
    with pytest.raises(telegram.error.BadRequest, match="Chat not found"):
        await bot.send_message(99, "x")
    bench.telegram.block(bench.telegram.people[7])
    with pytest.raises(telegram.error.Forbidden, match="bot was blocked by the user"):
        await bot.send_message(7, "x")


async def test_all_works_on_the_machines_own_clock_as_well() -> None:
    local = LocalTelegram(SystemClock(), token=TOKEN, random=random.Random(7))
    ann = local.add_person("Ann")
    async with (
        serve(local) as server,
        telegram.Bot(TOKEN, base_url=f"{server.url}/bot") as bot,
    ):
        waiting = asyncio.create_task(bot.get_updates(timeout=30))
        await local.idle()
        local.send(ann, ann.id, "/start")
        (update,) = await waiting
        fetching = asyncio.create_task(bot.get_updates(update.update_id + 1, timeout=30))
        await local.idle()
        message = await bot.send_poll(ann.id, "2 + 2?", ["3", "4"], open_period=5)
        local.vote(ann, ann.id, message.message_id, [1])
        (poll,) = await fetching
    assert poll.poll is not None
    assert [option.voter_count for option in poll.poll.options] == [0, 1]
