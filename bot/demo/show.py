"""`quiz-tutor demo`: the bot, a local Telegram and the chat page in one process."""

import asyncio
import os
import random
import secrets
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from bot.app import load_catalog
from bot.clock import Clock
from bot.demo import authoring
from bot.demo.authoring import printable
from bot.demo.backstage import Backstage
from bot.demo.flood import FloodLimits
from bot.demo.page import add_routes
from bot.demo.restarts import RestartableBot
from bot.demo.server import make_application, serve
from bot.demo.telegram import LocalTelegram
from bot.settings import Settings
from quizzes.catalog import Catalog
from quizzes.fault import Fault, shown

BOT_ID = 4242
LEARNERS = (("Alex", "en"), ("Ioana", "ro"), ("Олена", "uk"), ("Настя", "ru"))
"""Who can be played in the page: first name and client language."""

GROUP = "Study group"
"""Where all of them are; the first made it."""


class DemoError(Exception):
    """The demo can't start; the message says why and what to do."""


class BrokenQuizError(DemoError):
    """The author's quizzes have faults; `lines` holds each with its file and line."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.lines = [printable(str(fault)) for fault in faults]
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(f"A quiz is broken: {self.lines[0]}{more}. Mend it and start again.")


async def show(
    settings: Settings,
    clock: Clock,
    port: int,
    stopping: asyncio.Event,
    ready: Callable[[str, str | None], None],
    quizzes: str | None = None,
) -> None:
    """Serve the demo on 127.0.0.1 until `stopping` is set.

    `quizzes` is the path of an author's quizzes (a bank, a quiz's folder or a file), which are
    then the only ones; they are read again whenever they are saved. `ready` gets the page's
    address, and a line on what an author's quizzes are.

    Raises DemoError when the port is taken or the author's quizzes can't be played, StartError
    when another quiz is broken.
    """
    # Read first: it tells of a broken quiz before anything is shown.
    edition = None if quizzes is None else _first_edition(quizzes)
    catalog = load_catalog(settings.quizzes_path) if edition is None else edition.catalog
    token = f"{BOT_ID}:{secrets.token_hex(16)}"
    telegram = _new_telegram(clock, token)
    backstage = Backstage(telegram)
    application = make_application(telegram)
    application.middlewares.append(backstage.log.watch)
    add_routes(
        application,
        telegram,
        bot_name=telegram.bot.first_name,
        learners=list(telegram.people.values()),
        backstage=backstage,
    )
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
        ready(f"{server.url}/", _contents(edition.catalog) if edition else None)
        own = replace(
            settings,
            bot_token=token,
            bot_api_url=server.url,
            database_path=Path(folder) / "demo.sqlite3",
        )
        bot = RestartableBot(own, clock, catalog, backstage.tell_state)
        backstage.take(bot)
        if quizzes is not None and edition is not None:
            open_until_the_end.enter_context(_followed(quizzes, edition, backstage, clock))
        await bot.run(stopping)


def _first_edition(path: str) -> authoring.Edition:
    if not os.path.lexists(path):
        raise DemoError(f"{printable(path)} does not exist: name a bank, a quiz or a file.")
    edition = authoring.read(path)
    if edition.broken:
        raise BrokenQuizError(edition.broken)
    return edition


def _contents(catalog: Catalog) -> str:
    """An author's quizzes in one line: a single one by its title, several by their number."""
    own = [shelf.own for shelf in catalog.shelves.values()]
    questions = sum(len(quiz.questions) for quiz in own)
    spoken = {tag: None for quiz_id in catalog.quizzes for tag in catalog.languages(quiz_id)}
    return (
        f"It plays {shown(own[0].title) if len(own) == 1 else f'{len(own)} quizzes'}: "
        f"{questions} {'question' if questions == 1 else 'questions'} "
        f"in {', '.join(spoken)}."
    )


def _new_telegram(clock: Clock, token: str) -> LocalTelegram:
    """A Telegram with the learners, and the group that they are in."""
    telegram = LocalTelegram(clock, token=token, random=random.Random(), flood=FloodLimits())
    learners = [telegram.add_person(name, language_code=code) for name, code in LEARNERS]
    group = telegram.add_group(GROUP, learners, supergroup=True)
    telegram.post(group, learners[0], service={"supergroup_chat_created": True})
    return telegram


@contextmanager
def _followed(
    path: str, edition: authoring.Edition, backstage: Backstage, clock: Clock
) -> Iterator[None]:
    """Within the block an author's files are read again whenever they are saved."""
    backstage.open_quizzes(path, edition)
    watch = authoring.Watch(path, edition)
    following = asyncio.create_task(
        authoring.follow(watch, clock, lambda new: backstage.take_edition(path, new))
    )
    try:
        yield
    finally:
        following.cancel()
