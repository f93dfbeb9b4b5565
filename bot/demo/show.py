"""`quiz-tutor demo`: the bot, a local Telegram and the chat page in one process."""

import asyncio
import random
import secrets
import tempfile
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

from bot.app import load_catalog, run
from bot.clock import Clock
from bot.demo.flood import FloodLimits
from bot.demo.page import add_routes
from bot.demo.server import make_application, serve
from bot.demo.telegram import LocalTelegram
from bot.settings import Settings

BOT_ID = 4242
LEARNERS = (("Alex", "en"), ("Ioana", "ro"), ("Олена", "uk"), ("Настя", "ru"))
"""Who can be played in the page: first name and client language."""

GROUP = "Study group"
"""Where all of them are; the first made it."""


class DemoError(Exception):
    """The demo can't start; the message says why and what to do."""


async def show(
    settings: Settings,
    clock: Clock,
    port: int,
    stopping: asyncio.Event,
    ready: Callable[[str], None],
) -> None:
    """Serve the demo on 127.0.0.1 until `stopping` is set; `ready` gets the page's address.

    Raises DemoError when the port is taken, StartError when a quiz is broken.
    """
    load_catalog(settings.quizzes_path)  # tells of a broken quiz before anything is shown
    token = f"{BOT_ID}:{secrets.token_hex(16)}"
    telegram = LocalTelegram(clock, token=token, random=random.Random(), flood=FloodLimits())
    learners = [telegram.add_person(name, language_code=code) for name, code in LEARNERS]
    group = telegram.add_group(GROUP, learners, supergroup=True)
    telegram.post(group, learners[0], service={"supergroup_chat_created": True})
    application = make_application(telegram)
    add_routes(application, telegram, bot_name=telegram.bot.first_name, learners=learners)
    async with AsyncExitStack() as open_until_the_end:
        try:
            server = await open_until_the_end.enter_async_context(
                serve(telegram, port=port, application=application)
            )
        except OSError as error:
            raise DemoError(
                f"The demo can't use port {port} ({error.strerror}): "
                "choose another with --port, or --port 0 for a free one."
            ) from error
        folder = open_until_the_end.enter_context(
            tempfile.TemporaryDirectory(prefix="quiz-tutor-demo-")
        )
        ready(f"{server.url}/")
        bot = replace(
            settings,
            bot_token=token,
            bot_api_url=server.url,
            database_path=Path(folder) / "demo.sqlite3",
        )
        await run(bot, clock, stopping)
