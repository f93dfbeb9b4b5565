"""What Telegram shows of the bot before anybody writes to it: command menu and descriptions."""

import logging
from typing import Any

from telegram.error import TelegramError

from bot.commands import ADMIN_COMMANDS
from bot.texts import Texts, Words
from bot.transport import BotApi
from bot.turn import World, menu
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

    def __init__(self, database: Database, api: BotApi, world: World) -> None:
        self._database = database
        self._api = api
        self._texts: Texts = world.texts
        self._menus = (
            ("all_private_chats", world.commands, False),
            ("all_group_chats", world.group_commands, True),
            ("all_chat_administrators", world.group_commands + ADMIN_COMMANDS, True),
        )

    async def update(self) -> None:
        """Bring everything up to date. Trouble is logged, and the next start tries again."""
        try:
            await self._update(self._texts.words(None), None)
            for language in self._texts.languages:
                # Telegram takes two-letter codes here (Bot API, setMyCommands).
                if len(language) == 2:
                    await self._update(self._texts.words(language), language)
        except TelegramError as error:
            log.warning("The command menu could not be set: %s", error.message)

    async def _update(self, words: Words, language: str | None) -> None:
        key: dict[str, Any] = {"language_code": language} if language else {}
        for kind, commands, in_group in self._menus:
            scope = {"scope": {"type": kind}, **key}
            wanted = menu(words, commands, in_group=in_group)
            if await self._api.call("getMyCommands", scope) != wanted:
                await self._api.call("setMyCommands", {"commands": wanted, **scope})
        for read, write, field, text in _DESCRIPTIONS:
            await self._describe(read, write, field, text, words(text), key)

    async def _describe(
        self, read: str, write: str, field: str, text: str, wanted: str, key: dict[str, Any]
    ) -> None:
        note = f"{field} {key.get('language_code', '')}".strip()
        answer = await self._api.call(read, key)
        shown = answer.get(field) if isinstance(answer, dict) else None
        ours = await self._database.transaction(lambda store: store.notes.get(note))
        # Where a language has none of its own, a server may show the one for everybody.
        if shown not in ("", ours, wanted, self._texts.words(None)(text)):
            return
        if shown != wanted:
            await self._api.call(write, {field: wanted, **key})
        if ours != wanted:
            await self._database.transaction(lambda store: store.notes.put(note, wanted))
