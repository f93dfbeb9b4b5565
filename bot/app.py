"""The one place where the parts meet."""

import asyncio
import itertools
import logging
import random
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from telegram.error import InvalidToken, TelegramError

from bot import backoff
from bot.activity import Activity
from bot.clock import Clock
from bot.commands import COMMANDS, GROUP_COMMANDS
from bot.delivery import Delivery
from bot.flood import FloodLimits
from bot.intake import LongPolling
from bot.profile import Profile
from bot.settings import Settings
from bot.texts import Texts
from bot.transport import BotApi
from bot.turn import World
from bot.worker import Worker
from quizzes import language as tags
from quizzes.catalog import SHIPPED_BANK, Catalog, load
from storage.database import Database, DatabaseError
from storage.store import Store

NO_TOKEN = (
    "There is no BOT_TOKEN. In Telegram, open @BotFather, send /newbot, and put the token that it "
    "gives you into the environment or into a .env file: BOT_TOKEN=123456:ABC..."
)
BAD_TOKEN = (
    "Telegram refuses this BOT_TOKEN: copy it again from @BotFather (/mybots, API Token), "
    "digits, colon and all."
)

log = logging.getLogger(__name__)


class StartError(Exception):
    """The bot can't start; the message says why and what to do."""


@dataclass(slots=True)
class App:
    """The running bot."""

    activity: Activity
    intake: LongPolling
    worker: Worker
    delivery: Delivery
    database: Database
    api: BotApi
    tasks: list[asyncio.Task[None]]
    """The parts that work as long as the bot does, but for delivery."""
    delivering: asyncio.Task[None]
    profile: asyncio.Task[None]

    async def run(self, stopping: asyncio.Event) -> None:
        """Work until `stopping` is set. Raises what breaks a part."""
        stop = asyncio.create_task(stopping.wait())
        working = [*self.tasks, self.delivering]
        await asyncio.wait([stop, *working], return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        self.raise_what_broke()

    def raise_what_broke(self) -> None:
        """Raise the error that ended a part, if one ended."""
        for task in (*self.tasks, self.delivering):
            if task.done() and not task.cancelled():
                task.result()

    async def stop(self) -> None:
        """Take nothing new, finish what is under way (3 s at most), close everything."""
        try:
            await _cancel(*self.tasks, self.profile)
            self.worker.end()
            await self.delivery.end()
        finally:
            await self._close()

    async def abandon(self) -> None:
        """Stop in the middle of everything, as a crash would."""
        self.worker.end()
        await self.delivery.abandon()
        await _cancel(*self.tasks, self.delivering, self.profile)
        await self._close()

    async def _close(self) -> None:
        await self.api.close_connections()
        await self.database.close()


def load_catalog(quizzes_path: Path | None) -> Catalog:
    """The shipped quizzes and the operator's own. Raises StartError when one is broken."""
    banks = [SHIPPED_BANK] + ([quizzes_path] if quizzes_path else [])
    catalog, faults = load(banks)
    broken = [fault for fault in faults if fault.severity == "fault"]
    if broken:
        more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
        raise StartError(f"A quiz is broken: {broken[0]}{more}. Run `quiz-tutor check`.")
    return catalog


async def build(
    settings: Settings, catalog: Catalog, clock: Clock, randomness: random.Random
) -> App:
    """Open everything and start working. Returns when the bot asks Telegram for updates.

    Raises StartError, whose message is the sentence for the operator. While Telegram is out of
    reach this waits; cancelling it closes what was opened.
    """
    if not settings.bot_token:
        raise StartError(NO_TOKEN)
    texts = Texts.shipped(settings.default_language)
    if tags.best(settings.default_language, texts.languages) is None:
        known = ", ".join(texts.languages)
        raise StartError(
            f"DEFAULT_LANGUAGE can't be used: the bot has no texts in "
            f"{settings.default_language!r}, only in {known}."
        )
    try:
        api = BotApi(settings.bot_token, clock, settings.bot_api_url)
        database = await Database.open(settings.database_path, clock)
    except InvalidToken:
        raise StartError(BAD_TOKEN) from None
    except DatabaseError as error:
        raise StartError(str(error)) from None
    try:
        await api.open()
        me = await _insist(lambda: api.call("getMe"), clock)
        await database.transaction(lambda store: _claim_database(store, me["id"]))
        await _insist(lambda: api.call("deleteWebhook", {"drop_pending_updates": False}), clock)
        world = World(
            catalog=catalog,
            texts=texts,
            random=randomness,
            username=me.get("username", ""),
            commands=tuple(COMMANDS),
            group_commands=tuple(GROUP_COMMANDS),
            operators=settings.operator_ids,
            allowed_chats=settings.allowed_chats,
            seconds_per_question=settings.seconds_per_question,
            pause=timedelta(seconds=settings.pause_seconds),
            keeps_flood_limits=settings.messages_per_second > 0,
        )
        return await _start(settings, clock, database, api, world)
    except BaseException:
        await api.close_connections()
        await database.close()
        raise


async def _start(
    settings: Settings, clock: Clock, database: Database, api: BotApi, world: World
) -> App:
    activity = Activity()
    limits = FloodLimits(settings.messages_per_second)
    delivery = Delivery(database, api, clock, activity, limits, news=lambda: worker.wake())
    worker = Worker(database, world, api, clock, activity, delivery.accept, delivery.hint)
    intake = LongPolling(database, api, clock, worker.wake, worker.open_agenda)
    profile = Profile(database, api, world)
    await delivery.recover()
    await worker.recover()
    log.info(
        "@%s (https://t.me/%s) is ready: %d quizzes, languages %s.",
        world.username,
        world.username,
        len(world.catalog.quizzes),
        ", ".join(world.texts.languages),
    )
    return App(
        activity=activity,
        intake=intake,
        worker=worker,
        delivery=delivery,
        database=database,
        api=api,
        tasks=[
            asyncio.create_task(intake.run()),
            asyncio.create_task(worker.run()),
        ],
        delivering=asyncio.create_task(delivery.run()),
        profile=activity.start(profile.update()),
    )


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _insist(call: Any, clock: Clock) -> Any:
    """Call Telegram until it answers. Raises StartError when it refuses the token."""
    for failures in itertools.count(1):
        try:
            return await call()
        except InvalidToken:
            raise StartError(BAD_TOKEN) from None
        except TelegramError as error:
            if failures == 1:
                log.warning("Telegram can't be asked (%s); trying again.", error.message)
            await clock.sleep(backoff.seconds_after(failures))


def _claim_database(store: Store, bot_id: int) -> None:
    owner = store.notes.get("bot")
    if owner is None:
        store.notes.put("bot", str(bot_id))
    elif owner != str(bot_id):
        raise StartError(
            f"The database belongs to another bot (id {owner}, this one is {bot_id}): "
            "give each bot a DATABASE_PATH of its own."
        )


async def run(settings: Settings, clock: Clock, stopping: asyncio.Event) -> None:
    """Build the bot and work until `stopping` is set, also while Telegram is out of reach."""
    catalog = load_catalog(settings.quizzes_path)
    building = asyncio.create_task(build(settings, catalog, clock, random.Random()))
    stop = asyncio.create_task(stopping.wait())
    await asyncio.wait([building, stop], return_when=asyncio.FIRST_COMPLETED)
    stop.cancel()
    if not building.done():
        building.cancel()
        with suppress(asyncio.CancelledError):
            await building
        return
    app = building.result()
    try:
        await app.run(stopping)
    finally:
        await app.stop()
