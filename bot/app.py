"""The one place where the parts meet."""

import asyncio
import gc
import itertools
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from telegram.error import BadRequest, InvalidToken, TelegramError

from bot import backoff
from bot.activity import Activity
from bot.clock import Clock
from bot.commands import COMMANDS, GROUP_COMMANDS
from bot.delivery import Delivery
from bot.flood import FloodLimits
from bot.health import Health
from bot.intake import Intake, LongPolling
from bot.metrics import Metrics
from bot.profile import Profile
from bot.settings import Settings
from bot.texts import Texts
from bot.transport import BotApi
from bot.turn import World
from bot.worker import Worker
from quizzes import language as tags
from quizzes.catalog import SHIPPED_BANK, Catalog, load
from storage.database import Database
from storage.store import Store
from storage.trouble import DatabaseError

if TYPE_CHECKING:
    from bot.webhook import Webhook

NO_TOKEN = (
    "There is no BOT_TOKEN: (1) open @BotFather in Telegram and send /newbot, (2) choose a name, "
    "for which you get a token, (3) put it into a file .env where you start the bot, as "
    "BOT_TOKEN=123456:ABC...; or try `quiz-tutor demo`, which needs none."
)
BAD_TOKEN = (
    "Telegram refuses this BOT_TOKEN: copy it again from @BotFather (/mybots, API Token), "
    "digits, colon and all."
)

ENDING = "The bot is ending."

CATCH_UP = timedelta(seconds=10)
"""After a start, how long what is due waits at most for votes that were cast in time."""

log = logging.getLogger(__name__)


class StartError(Exception):
    """The bot can't start; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class _Base:
    """What all parts work with."""

    settings: Settings
    clock: Clock
    database: Database
    api: BotApi
    health: Health
    metrics: Metrics
    opened: AsyncExitStack
    """Closes it all, the last first."""


@dataclass(slots=True)
class App:
    """The running bot."""

    activity: Activity
    intake: Intake
    worker: Worker
    delivery: Delivery
    database: Database
    tasks: list[asyncio.Task[None]]
    """The parts that work as long as the bot does, but for delivery."""
    delivering: asyncio.Task[None]
    beginning: list[asyncio.Task[None]]
    """What is done once, after the start."""
    opened: AsyncExitStack
    """Closes what the parts work with."""

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
        closing = asyncio.create_task(self.intake.close())
        try:
            await _cancel(*self.tasks, *self.beginning)
            self.worker.end()
            await self.delivery.end()
            await closing
        finally:
            await self.opened.aclose()

    async def abandon(self) -> None:
        """Stop in the middle of everything, as a crash would."""
        self.worker.end()
        await self.delivery.abandon()
        await _cancel(*self.tasks, self.delivering, *self.beginning)
        await self.opened.aclose()


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
    opened = AsyncExitStack()
    opened.push_async_callback(database.close)
    base = _Base(settings, clock, database, api, Health(database, clock), Metrics(clock), opened)
    try:
        opened.push_async_callback(base.health.close)
        if settings.listen:
            # Here, as most bots need no server, which is 2 MB of memory.
            from bot.listener import Listener
            from bot.status_pages import StatusPages

            pages = StatusPages(base.health, base.metrics)
            await _open(Listener("LISTEN", settings.listen, pages.answer), opened)
            log.info("/healthz and /metrics are at http://%s/.", settings.listen)
        await api.open()
        opened.push_async_callback(api.close_connections)
        me = await _insist(base, lambda: api.call("getMe"))
        await database.insist(lambda store: _claim_database(store, me["id"]))
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
        return await _start(base, world)
    except BaseException:
        await opened.aclose()
        raise


async def _start(base: _Base, world: World) -> App:
    clock, database, api = base.clock, base.database, base.api
    activity = Activity()
    limits = FloodLimits(base.settings.messages_per_second)
    delivery = Delivery(
        database, api, clock, activity, base.metrics, limits, news=lambda: worker.wake()
    )
    worker = Worker(
        database, world, clock, activity, base.metrics, delivery.accept, delivery.hints.give
    )
    await delivery.recover()
    await worker.recover()
    intake = await _begin_intake(base, activity, worker)
    quizzes = len(world.catalog.quizzes)
    log.info(
        "@%s (https://t.me/%s) is ready: %d %s, languages %s.",
        world.username,
        world.username,
        quizzes,
        "quiz" if quizzes == 1 else "quizzes",
        ", ".join(world.texts.languages),
    )
    working = asyncio.create_task(worker.run())
    base.health.watch(lambda: ENDING if working.done() else None, worker.trouble, intake.trouble)
    return App(
        activity=activity,
        intake=intake,
        worker=worker,
        delivery=delivery,
        database=database,
        tasks=[asyncio.create_task(intake.run()), working],
        delivering=asyncio.create_task(delivery.run()),
        beginning=[
            asyncio.create_task(Profile(database, api, clock, activity, world).update()),
            asyncio.create_task(_lose_patience(clock, worker)),
        ],
        opened=base.opened,
    )


async def _begin_intake(base: _Base, activity: Activity, worker: Worker) -> Intake:
    """Agree with Telegram on how updates come."""
    clock, database, api = base.clock, base.database, base.api
    if base.settings.webhook is None:
        keep = {"drop_pending_updates": False}
        await _insist(base, lambda: api.call("deleteWebhook", keep))
        return LongPolling(database, api, clock, worker.wake, worker.open_agenda)
    from bot.webhook import Webhook

    hook = base.settings.webhook
    webhook = Webhook(hook, database, api, clock, activity, worker.wake, worker.open_agenda)
    await _open(webhook, base.opened)
    await _insist(base, lambda: _set(webhook))
    return webhook


async def _set(webhook: "Webhook") -> None:
    try:
        await webhook.set()
    except BadRequest as error:
        raise StartError(f"Telegram refuses WEBHOOK_URL: {error.message}.") from None


class _Server(Protocol):
    async def open(self) -> None: ...

    async def close(self) -> None: ...


async def _open(server: _Server, opened: AsyncExitStack) -> None:
    """Let a server listen until `opened` is closed."""
    try:
        await server.open()
    except OSError as error:
        raise StartError(str(error)) from None
    opened.push_async_callback(server.close)


async def _lose_patience(clock: Clock, worker: Worker) -> None:
    """Let what is due be done, even if what waits at Telegram does not come."""
    await clock.sleep(CATCH_UP.total_seconds())
    worker.open_agenda()


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _insist(base: _Base, call: Callable[[], Awaitable[Any]]) -> Any:
    """Call Telegram until it answers. Raises StartError when it refuses the token."""
    for failures in itertools.count(1):
        try:
            return await call()
        except InvalidToken:
            raise StartError(BAD_TOKEN) from None
        except TelegramError as error:
            if failures == 1:
                # Its path holds the token, and a password may stand before it.
                host = urlsplit(base.api.base_url).netloc.rpartition("@")[2]
                log.warning("Telegram can't be asked at %s: %s; trying again.", host, error.message)
            await base.clock.sleep(backoff.seconds_until_next(error, failures))


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
    # What is there by now lives as long as the process: nobody need look for it again.
    gc.freeze()
    gc.enable()
    # Almost nothing that an answer leaves behind is a cycle: to look for some after every 700
    # objects took a fourteenth of the time.
    gc.set_threshold(20_000, 20, 20)
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
        log.info("Stopping: what is under way is finished, what waits goes on at the next start.")
    finally:
        await app.stop()
    log.info("Stopped.")
