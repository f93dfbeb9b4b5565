"""Bots that do the same without remembering anything: `python -m tests.bench.baselines NAME URL`.

They answer each vote with an explanation and its button, and each press with `answerCallbackQuery`
and the next poll: the calls that the quiz tutor makes. The texts are those of the first question
of the shipped bank. Each is written as its library's documentation does it, with its defaults.

    ptb       python-telegram-bot's Application
    aiogram   aiogram's Dispatcher, each update in a task of its own
    aiohttp   no library: the floor, below which no bot on aiohttp can get
"""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import aiohttp
import orjson

from bot import buttons, messages
from bot.app import load_catalog
from bot.messages import Button
from bot.texts import Texts
from tests.bench.stub import TOKEN

KINDS = ["message", "callback_query", "poll_answer"]


def lines() -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters of an explanation and of a poll, without the chat."""
    words = Texts.shipped("en").words("en")
    shelf = next(iter(load_catalog(None).shelves.values()))
    question = next(one for one in shelf.own.questions if not messages.needs_preface(one))
    order = range(len(question.choices))
    keyboard = [[Button("Next 2/8", buttons.GoOn(1))], [Button("Report", buttons.GoOn(1))]]
    said = messages.explanation(words, question, True, [], order, keyboard)
    return said.as_params()[0], messages.ask(words, question, order, "1/8").poll


def ptb(url: str) -> None:
    from telegram import InlineKeyboardMarkup, Update
    from telegram.ext import (
        Application,
        CallbackQueryHandler,
        CommandHandler,
        ContextTypes,
        PollAnswerHandler,
    )

    text, poll = lines()
    markup = InlineKeyboardMarkup.de_json(text.pop("reply_markup"), None)
    options = [option["text"] for option in poll.pop("options")]

    async def explain(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        assert update.poll_answer is not None
        assert update.poll_answer.user is not None
        chat_id = update.poll_answer.user.id
        await context.bot.send_message(chat_id, reply_markup=markup, **text)

    async def ask(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        if update.callback_query:
            await update.callback_query.answer()
        assert update.effective_chat is not None
        await context.bot.send_poll(update.effective_chat.id, options=options, **poll)

    application = Application.builder().token(TOKEN).base_url(f"{url}/bot").build()
    application.add_handlers(
        [PollAnswerHandler(explain), CallbackQueryHandler(ask), CommandHandler("quiz", ask)]
    )
    application.run_polling(allowed_updates=KINDS)


def aiogram(url: str) -> None:
    from aiogram import Bot, Dispatcher
    from aiogram.client.session.aiohttp import AiohttpSession
    from aiogram.client.telegram import TelegramAPIServer
    from aiogram.types import CallbackQuery, InlineKeyboardMarkup, Message, PollAnswer

    text, poll = lines()
    markup = InlineKeyboardMarkup.model_validate(text.pop("reply_markup"))
    options = [option["text"] for option in poll.pop("options")]
    server = TelegramAPIServer.from_base(url)
    bot = Bot(TOKEN, session=AiohttpSession(api=server))

    async def explain(answer: PollAnswer) -> None:
        assert answer.user is not None
        await bot.send_message(answer.user.id, reply_markup=markup, **text)

    async def ask(event: Message | CallbackQuery) -> None:
        if isinstance(event, CallbackQuery):
            await event.answer()
        assert event.from_user is not None
        await bot.send_poll(event.from_user.id, options=options, **poll)

    dispatcher = Dispatcher()
    dispatcher.poll_answer.register(explain)
    dispatcher.callback_query.register(ask)
    dispatcher.message.register(ask)
    dispatcher.run_polling(bot, allowed_updates=KINDS)


def floor(url: str) -> None:
    text, poll = lines()

    async def run() -> None:
        async with aiohttp.ClientSession(
            json_serialize=lambda value: orjson.dumps(value).decode()
        ) as http:

            async def call(method: str, **parameters: Any) -> Any:
                async with http.post(f"{url}/bot{TOKEN}/{method}", json=parameters) as response:
                    return orjson.loads(await response.read())["result"]

            async def take(update: dict[str, Any]) -> None:
                if answer := update.get("poll_answer"):
                    await call("sendMessage", chat_id=answer["user"]["id"], **text)
                    return
                query = update.get("callback_query")
                if query:
                    await call("answerCallbackQuery", callback_query_id=query["id"])
                event = query or update["message"]
                await call("sendPoll", chat_id=event["from"]["id"], **poll)

            offset, tasks = 0, set()
            while True:
                updates = await call("getUpdates", offset=offset, timeout=30, allowed_updates=KINDS)
                for update in updates:
                    offset = update["update_id"] + 1
                    task = asyncio.create_task(take(update))
                    tasks.add(task)
                    task.add_done_callback(tasks.discard)

    asyncio.run(run())


BASELINES: dict[str, Callable[[str], None]] = {"ptb": ptb, "aiogram": aiogram, "aiohttp": floor}

if __name__ == "__main__":
    BASELINES[sys.argv[1]](sys.argv[2])
