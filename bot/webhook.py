"""From Telegram to the inbox, by webhook: Telegram posts updates, and keeps what we can't take."""

import hmac
import logging
from collections.abc import Callable

from aiohttp import web
from telegram.error import TelegramError
from yarl import URL

from bot.activity import Activity
from bot.clock import Clock
from bot.intake import Contact
from bot.listener import Listener, respond
from bot.settings import Hook
from bot.transport import BotApi
from bot.updates import ALLOWED, arrival, read_json
from storage.database import Database
from storage.inbox import Arrival
from storage.trouble import is_trouble

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"

MAX_CONNECTIONS = 40
"""How many updates Telegram may post at a time. They are stored one after another."""

STORE_SECONDS = 10.0
"""How long an update waits for the database before Telegram is told to come again."""

CATCH_UP_LOOKS_SECONDS = 1.0
"""After a start, the time from one look at what waits at Telegram to the next."""

LOOKS_SECONDS = 60.0
"""Later: nothing but such a look tells that posting fails, or that somebody took the webhook."""

log = logging.getLogger(__name__)


class Webhook:
    """Stores what Telegram posts before it says so. Anything else leaves no trace.

    After a start, what is due waits until Telegram says that nothing is pending there: the
    counterpart of a fetch that comes back empty.
    """

    backing_off = False

    def __init__(
        self,
        hook: Hook,
        database: Database,
        api: BotApi,
        clock: Clock,
        activity: Activity,
        arrived: Callable[[], None],
        caught_up: Callable[[], None],
    ) -> None:
        """`arrived` is called when something was stored, `caught_up` when nothing more waits."""
        self._hook = hook
        self._path = URL(hook.url).path
        self._secret = hook.secret.encode()
        self._database = database
        self._api = api
        self._clock = clock
        self._activity = activity
        self._arrived = arrived
        self._caught_up = caught_up
        self._contact = Contact(clock)
        self._listener = Listener("WEBHOOK_LISTEN", hook.listen, self._answer)
        self._taken_at = clock.now()
        self._is_caught_up = False

    def trouble(self) -> str | None:
        return self._contact.trouble()

    async def open(self) -> None:
        """Begin to listen. Raises ListenError."""
        await self._listener.open()

    async def close(self) -> None:
        await self._listener.close()

    async def set(self) -> None:
        """Let Telegram post here, first what waits already. Raises TelegramError."""
        await self._api.call(
            "setWebhook",
            {
                "url": self._hook.url,
                "secret_token": self._hook.secret,
                "allowed_updates": list(ALLOWED),
                "max_connections": MAX_CONNECTIONS,
                "drop_pending_updates": False,
            },
        )

    async def run(self) -> None:
        while True:
            self._activity.begin()
            try:
                await self._look()
            finally:
                self._activity.end()
            await self._clock.sleep(LOOKS_SECONDS if self._is_caught_up else CATCH_UP_LOOKS_SECONDS)

    async def _look(self) -> None:
        """Ask Telegram how posting goes."""
        try:
            info = await self._api.call("getWebhookInfo")
            if not isinstance(info, dict):
                raise TelegramError("The answer is no JSON object")
            if info.get("url") != self._hook.url:
                log.warning("The webhook was changed or taken down by another; setting it again.")
                await self.set()
        except TelegramError as error:
            self._contact.failed(f"Telegram can't be asked about the webhook: {error.message}")
            return
        match info:
            # An error may be older than what was posted since, or than this process.
            case {"pending_update_count": int(waiting), "last_error_date": int(failed_at)} if (
                waiting and failed_at > self._taken_at.timestamp()
            ):
                complaint = info.get("last_error_message")
                self._contact.failed(f"Telegram can't post updates: {complaint}")
            case _:
                self._contact.heard()
        # What is being posted counts as pending until we have taken it.
        if not self._is_caught_up and not info.get("pending_update_count"):
            self._is_caught_up = True
            self._caught_up()

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        if request.path != self._path:
            return respond(404)
        if request.method != "POST":
            return respond(405, allow="POST")
        if not self._is_from_telegram(request):
            return respond(403)
        try:
            body = await request.read()
        except web.HTTPRequestEntityTooLarge:
            return respond(413)
        try:
            found = arrival(read_json(body))
        except ValueError:
            return respond(400)
        if found is None:
            return respond(400)
        return respond(200 if await self._is_stored(found) else 503)

    def _is_from_telegram(self, request: web.BaseRequest) -> bool:
        # The bytes as they came: texts are compared in constant time only where they are ASCII.
        shown = request.headers.get(SECRET_HEADER, "").encode(errors="surrogateescape")
        return hmac.compare_digest(shown, self._secret)

    async def _is_stored(self, found: Arrival) -> bool:
        now = self._clock.now()
        try:
            async with self._clock.timeout(STORE_SECONDS):
                await self._database.transaction(lambda store: store.receive([found], now))
        except TimeoutError:
            log.error("The database is too slow for an update; Telegram will post it again.")
            return False
        except Exception as error:
            if not is_trouble(error):
                raise
            log.error("The database can't be written (%s); Telegram will post again.", error)
            return False
        self._taken_at = now
        self._contact.heard()
        self._arrived()
        return True
