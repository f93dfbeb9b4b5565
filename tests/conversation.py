"""A small language for tests that talk with the bot, over real HTTP to a local Telegram.

async with talking(tmp_path) as talk:
    ada = talk.learner("Ada", "en")
    await ada.sends("/quiz capitals")
    await ada.votes("Paris")
    assert ada.hears[0].startswith("✅ Right")
    await ada.taps("Next 2/3")
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

from bot.app import App, build
from bot.demo.chats import CallbackQuery, Chat, Message, Person
from bot.demo.flood import FloodLimits
from bot.demo.polls import Poll
from bot.demo.server import serve
from bot.demo.telegram import LocalTelegram
from bot.settings import Settings
from bot.texts import Texts
from quizzes.catalog import Catalog, load
from tests.clock import ManualClock

TOKEN = "4242:local-token-of-the-tests"
BANKS = Path(__file__).parent / "banks"

_LONGEST_SECONDS = 60
"""Nothing takes so long: the bot waits for the clock, or for what never comes."""

_TURNS = 20
"""Turns of the event loop in which whatever was woken, by a clock or a ring, has begun."""


class Learner:
    """A person in the local Telegram, and what they see in one chat with the bot."""

    def __init__(
        self,
        talk: "Talk",
        person: Person,
        chat_id: int | None = None,
        thread_id: int | None = None,
    ) -> None:
        self.talk = talk
        self.person = person
        self.id = person.id
        self.chat_id = person.id if chat_id is None else chat_id
        self.thread_id = thread_id
        self._seen = 0

    def within(self, chat: Chat, thread_id: int | None = None) -> "Learner":
        """The same person in a group, or in a topic of it."""
        return Learner(self.talk, self.person, chat.id, thread_id)

    async def sends(self, text: str) -> None:
        """Write to the bot, and wait until it has said all that it has to say."""
        self.look()
        self.talk.telegram.send(self.person, self.chat_id, text, thread_id=self.thread_id)
        await self.talk.settles()

    async def votes(self, *texts: str, poll: Message | None = None) -> None:
        """Vote for these options in the newest poll, or in an older one."""
        self.look()
        message = poll or self.poll_message
        picks = [self._position(message, text) for text in texts]
        self.talk.telegram.vote(self.person, self.chat_id, message.id, sorted(picks))
        await self.talk.settles()

    async def votes_right(self) -> None:
        """Vote for exactly the right options in the newest poll."""
        correct = self.poll_message.json["poll"]["correct_option_ids"]
        await self.votes(*(self.options[i] for i in correct))

    async def votes_wrong(self) -> None:
        """Vote for the first wrong option in the newest poll."""
        correct = self.poll_message.json["poll"]["correct_option_ids"]
        await self.votes(next(o for i, o in enumerate(self.options) if i not in correct))

    async def taps(self, text: str, *, on: Message | None = None) -> CallbackQuery:
        """Press the button with this text in the newest message that has it."""
        self.look()
        message, data = self._button(text, on)
        query = self.talk.telegram.tap(self.person, self.chat_id, message.id, data)
        await self.talk.settles()
        return query

    async def taps_first(self) -> CallbackQuery:
        """Press the first button of the newest message that has any."""
        return await self.taps(self.buttons[0])

    async def taps_last(self) -> CallbackQuery:
        """Press the last button of the newest message that has any."""
        return await self.taps(self.buttons[-1])

    @property
    def messages(self) -> list[Message]:
        """All that the bot has sent, oldest first."""
        shown = self.talk.telegram.chat(self.chat_id).messages
        return [
            message
            for message in shown
            if message.sender is self.talk.telegram.bot and message.thread_id == self.thread_id
        ]

    @property
    def news(self) -> list[Message]:
        """What the bot has sent since this learner last did something."""
        return self.messages[self._seen :]

    @property
    def hears(self) -> list[str]:
        """The same as texts: a poll as its question."""
        return [
            message.json["poll"]["question"] if message.poll else message.text
            for message in self.news
        ]

    @property
    def buttons(self) -> list[str]:
        """The buttons of the newest message that has any, row by row."""
        return next((m.buttons for m in reversed(self.messages) if m.keyboard), [])

    @property
    def poll_message(self) -> Message:
        """The newest message with a poll."""
        return next(message for message in reversed(self.messages) if message.poll)

    @property
    def poll(self) -> Poll:
        """The newest poll."""
        poll = self.poll_message.poll
        assert poll is not None
        return poll

    @property
    def options(self) -> list[str]:
        """What the newest poll offers."""
        return [option["text"] for option in self.poll_message.json["poll"]["options"]]

    def look(self) -> None:
        """See all that is there, so that only what follows is new."""
        self._seen = len(self.messages)

    def _position(self, message: Message, text: str) -> int:
        options = [option["text"] for option in message.json["poll"]["options"]]
        assert text in options, f"The poll offers {options}, not {text!r}."
        return options.index(text)

    def _button(self, text: str, on: Message | None) -> tuple[Message, str]:
        for message in [on] if on else reversed(self.messages):
            for button in (b for row in message.keyboard or [] for b in row):
                if button["text"] == text:
                    return message, button["callback_data"]
        raise AssertionError(f"No message has a button {text!r}; the newest are {self.buttons}.")


@cache
def sound_catalog(bank: Path) -> Catalog:
    """The quizzes of a bank that has no faults."""
    catalog, faults = load([bank])
    assert [str(fault) for fault in faults if fault.severity == "fault"] == []
    return catalog


class Talk:
    """The bot, the local Telegram before it, and the clock that both go by."""

    def __init__(
        self, telegram: LocalTelegram, clock: ManualClock, settings: Settings, catalog: Catalog
    ) -> None:
        self.telegram = telegram
        self.clock = clock
        self.settings = settings
        self.catalog = catalog
        self.app: App | None = None
        self.texts = Texts.shipped(settings.default_language)
        clock.settle = self.settles

    def learner(self, name: str = "Ada", language: str | None = "en", **more: Any) -> Learner:
        """A new person with a client in this language."""
        return Learner(self, self.telegram.add_person(name, language_code=language, **more))

    async def start(self) -> None:
        """Start the bot and wait until it is idle."""
        self.app = await build(self.settings, self.catalog, self.clock, random.Random(1))
        await self.settles()

    async def stop(self) -> None:
        """End the bot as SIGTERM does."""
        assert self.app is not None
        app, self.app = self.app, None
        await app.stop()

    async def crashes(self) -> None:
        """Drop the bot in the middle of whatever it does."""
        assert self.app is not None
        app, self.app = self.app, None
        await app.abandon()

    async def skips(self, *, days: float = 0, hours: float = 0) -> None:
        """Let a long time pass while the bot is off, which is faster than waiting with it."""
        await self.stop()
        await self.clock.advance(days * 24 * 3600 + hours * 3600)
        await self.start()

    async def settles(self) -> None:
        """Return when nothing happens any more before the clock moves or somebody acts."""
        quiet_turns = 0
        async with asyncio.timeout(_LONGEST_SECONDS):
            while quiet_turns < _TURNS:
                await asyncio.sleep(0)
                quiet_turns = quiet_turns + 1 if self._is_settled(self.app) else 0

    def _is_settled(self, app: App | None) -> bool:
        if app is None:
            return True
        app.raise_what_broke()
        taken = (
            self.telegram.updates.is_quiet
            or self.telegram.webhook.is_backing_off
            or app.intake.backing_off
        )
        return taken and app.activity.count <= self.telegram.held


@asynccontextmanager
async def talking(
    folder: Path,
    *,
    bank: Path = BANKS / "talk",
    catalog: Catalog | None = None,
    flood: FloodLimits | None = None,
    messages_per_second: float = 0,
    prepare: Callable[[LocalTelegram], None] | None = None,
    **settings: Any,
) -> AsyncIterator[Talk]:
    """A bot that has started with the quizzes of a bank, and nobody who has spoken to it yet."""
    clock = ManualClock()
    telegram = LocalTelegram(clock, token=TOKEN, random=random.Random(7), flood=flood)
    if prepare:
        prepare(telegram)
    async with serve(telegram) as server:
        talk = Talk(
            telegram,
            clock,
            Settings(
                bot_token=TOKEN,
                bot_api_url=server.url,
                database_path=folder / "bot.sqlite3",
                messages_per_second=messages_per_second,
                **settings,
            ),
            catalog or sound_catalog(bank),
        )
        await talk.start()
        try:
            yield talk
        finally:
            if talk.app is not None:
                await talk.stop()
