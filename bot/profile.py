"""What Telegram shows of the bot before anybody writes to it: command menu and descriptions."""

import itertools
import logging
from collections import deque

from telegram.error import BadRequest, Forbidden, InvalidToken, TelegramError

from bot import backoff
from bot.activity import Activity
from bot.clock import Clock
from bot.commands import ADMIN_COMMANDS
from bot.messages import menu
from bot.texts import Texts
from bot.transport import BotApi
from bot.turn import World
from storage.database import Database

_DESCRIPTIONS = (
    ("getMyDescription", "setMyDescription", "description", "bot-description"),
    (
        "getMyShortDescription",
        "setMyShortDescription",
        "short_description",
        "bot-short-description",
    ),
)

log = logging.getLogger(__name__)


class Profile:
    """Sets what differs from what Telegram has; an operator's own descriptions stay."""

    def __init__(
        self, database: Database, api: BotApi, clock: Clock, activity: Activity, world: World
    ) -> None:
        self._database = database
        self._api = api
        self._clock = clock
        self._activity = activity
        self._texts: Texts = world.texts
        self._menus = (
            ("all_private_chats", world.commands, False),
            ("all_group_chats", world.group_commands, True),
            ("all_chat_administrators", world.group_commands + ADMIN_COMMANDS, True),
        )

    async def update(self) -> None:
        """Bring everything up to date, however long Telegram lets that wait.

        Trouble is told once. What Telegram refuses is left to the next start.
        """
        # Telegram takes two-letter codes here (Bot API, setMyCommands).
        left = deque([None, *(tag for tag in self._texts.languages if len(tag) == 2)])
        for failures in itertools.count(1):
            try:
                await self._activity.start(self._update_all(left))
                return
            except (BadRequest, Forbidden, InvalidToken) as error:
                log.warning("The command menu could not be set: %s", error.message)
                return
            except TelegramError as error:
                if failures == 1:
                    log.warning("The command menu can't be set: %s; trying again.", error.message)
                await self._clock.sleep(backoff.seconds_until_next(error, failures))

    async def _update_all(self, left: deque[str | None]) -> None:
        """Do it for what is left of these languages; one that fails stays among them."""
        while left:
            await self._update(left[0])
            left.popleft()

    async def _update(self, language: str | None) -> None:
        words = self._texts.words(language)
        key = {"language_code": language} if language else {}
        for kind, commands, in_group in self._menus:
            scope = {"scope": {"type": kind}, **key}
            wanted = menu(words, commands, in_group=in_group)
            if await self._api.call("getMyCommands", scope) != wanted:
                await self._api.call("setMyCommands", {"commands": wanted, **scope})
        for read, write, field, text in _DESCRIPTIONS:
            await self._describe(read, write, field, text, words(text), key)

    async def _describe(
        self, read: str, write: str, field: str, text: str, wanted: str, key: dict[str, str]
    ) -> None:
        note = f"{field} {key.get('language_code', '')}".strip()
        answer = await self._api.call(read, key)
        shown = answer.get(field) if isinstance(answer, dict) else None
        ours = await self._database.insist(lambda store: store.notes.get(note))
        # Where a language has none of its own, a server may show the one for everybody.
        if shown not in ("", ours, wanted, self._texts.words(None)(text)):
            return
        if shown != wanted:
            await self._api.call(write, {field: wanted, **key})
        if ours != wanted:
            await self._database.insist(lambda store: store.notes.put(note, wanted))
