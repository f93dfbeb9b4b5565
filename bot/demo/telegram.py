"""The local Telegram: people, chats, and the one bot that talks to them.

People act through plain methods; the bot acts through the Bot API (server.py over HTTP).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.demo.chats import CallbackQuery, Change, Chat, Message, Person, stand_in
from bot.demo.engine import Request
from bot.demo.entities import written_by_person
from bot.demo.groups import Groups
from bot.demo.polls import VoteRefusedError
from bot.demo.roles import is_administrator, is_inside, may

__all__ = ["LocalTelegram", "Request", "VoteRefusedError"]

NOT_FOR_THE_ANONYMOUS = (
    "Sorry, anonymous administrators cannot leave reactions or participate in polls."
)


class LocalTelegram(Groups):
    """All that Telegram keeps for one bot. Nothing here waits, except `idle`."""

    def add_person(
        self,
        first_name: str,
        *,
        id: int | None = None,
        last_name: str | None = None,
        username: str | None = None,
        language_code: str | None = None,
    ) -> Person:
        """Somebody with a private chat that is still empty; the bot may not write there yet."""
        person_id = next(self.person_ids) if id is None else id
        person = Person(person_id, first_name, last_name, username, language_code)
        self.people[person.id] = person
        self.chats[person.id] = Chat(person.id, "private", person)
        return person

    def add_other_bot(self, first_name: str, username: str) -> Person:
        """Another bot, for groups; bots never hear each other."""
        bot = Person(next(self.person_ids), first_name, username=username, is_bot=True)
        self.people[bot.id] = bot
        return bot

    def set_language(self, person: Person, language_code: str | None) -> None:
        """The language of the person's Telegram app from now on."""
        person.language_code = language_code
        self.tell(Change("profile", person.id))

    def block(self, person: Person) -> None:
        """The person blocks the bot."""
        with self.telling_place(self.chat(person.id), self.bot, person):
            person.has_blocked_bot = True

    def unblock(self, person: Person) -> None:
        """The person lets the bot write again."""
        with self.telling_place(self.chat(person.id), self.bot, person):
            person.has_blocked_bot = False

    def join_by_startgroup(self, person: Person, group: Chat, payload: str = "") -> Message:
        """A person follows a `?startgroup=` link of the bot and chooses this group."""
        if not is_inside(group, self.bot):
            self.set_status(group, self.bot, "member", by=person)
        return self.send(person, group.id, f"/start@{self.bot.username} {payload}")

    def send(
        self,
        person: Person,
        chat_id: int,
        text: str,
        *,
        thread_id: int | None = None,
        reply_to: int | None = None,
        as_channel: Chat | None = None,
    ) -> Message:
        """A person writes. Whoever had blocked the bot unblocks it by that, as apps demand.

        A reply stays in the topic of what it answers. Raises PermissionError for who may not
        write there.
        """
        chat = self.chat(chat_id)
        answered = chat.message(reply_to) if reply_to is not None else None
        if thread_id is None and answered is not None:
            thread_id = answered.thread_id
        if chat.kind == "private":
            self.unblock(person)
            chat.knows_bot = True
        else:
            _check_may_write(chat, person, thread_id)
        if thread_id is not None:
            chat.topics.add(thread_id)
        message = self.post(
            chat,
            person,
            content=written_by_person(text),
            written_as=chat if person.id in chat.anonymous else as_channel,
            thread_id=thread_id,
            reply_to=answered,
        )
        self.let_hear(message)
        return message

    def edit(self, person: Person, chat_id: int, message_id: int, text: str) -> Message:
        """A person changes what they wrote."""
        message = self.chat(chat_id).message(message_id)
        if message.sender is not person:
            raise PermissionError(f"Message {message_id} was not written by {person.first_name}.")
        message.content = written_by_person(text)
        message.edited_at = self.now
        self.tell(Change("edited", chat_id, message))
        self.let_hear(message, "edited_message")
        return message

    def vote(
        self,
        person: Person,
        chat_id: int,
        message_id: int,
        picks: Sequence[int],
        *,
        as_channel: Chat | None = None,
    ) -> None:
        """A person votes in a poll; raises VoteRefusedError with the app's sentence."""
        chat = self.chat(chat_id)
        poll = chat.message(message_id).poll
        if poll is None:
            raise VoteRefusedError("The message is not a poll")
        if chat.kind != "private" and not is_inside(chat, person):
            raise VoteRefusedError("You are not a member of this chat")
        if person.id in chat.anonymous:
            raise VoteRefusedError(NOT_FOR_THE_ANONYMOUS)
        voter_id = person.id if as_channel is None else as_channel.id
        poll.vote(voter_id, picks)
        self.tell_poll(poll)
        if self.poll_updates == "before answers":
            self.updates.add("poll", poll.json)
        if not poll.is_anonymous:
            chosen = poll.votes.get(voter_id, ())
            self.updates.add(
                "poll_answer",
                {
                    "poll_id": poll.id,
                    **_voter(person, as_channel),
                    "option_ids": list(chosen),
                    "option_persistent_ids": [poll.options[pick].persistent_id for pick in chosen],
                },
            )
        if self.poll_updates == "after answers":
            self.updates.add("poll", poll.json)

    def retract(self, person: Person, chat_id: int, message_id: int) -> None:
        """A person takes their vote back; raises VoteRefusedError where that is not allowed."""
        self.vote(person, chat_id, message_id, ())

    def tap(
        self, person: Person, chat_id: int, message_id: int, callback_data: str
    ) -> CallbackQuery:
        """A person presses an inline button, or forges such a press; the data is not checked.

        The press comes from the person's own account, however they write in the chat.
        """
        query = CallbackQuery(
            id=str(self.random.getrandbits(62)),
            person=person,
            message=self.chat(chat_id).message(message_id),
            data=callback_data,
            pressed_at=self.clock.monotonic(),
        )
        self.callbacks[query.id] = query
        self.updates.add("callback_query", query.json)
        return query

    def forward_poll(
        self, person: Person, from_chat_id: int, message_id: int, to_chat_id: int
    ) -> Message:
        """A person forwards a poll; both copies are one poll."""
        original = self.chat(from_chat_id).message(message_id)
        to_chat = self.chat(to_chat_id)
        if to_chat.kind != "private":
            _check_may_write(to_chat, person, None)
        message = self.post(to_chat, person, poll=original.poll, forwarded_from=original)
        self.let_hear(message)
        return message

    def give(self, update: Mapping[str, Any]) -> dict[str, Any]:
        """Hand the bot any raw update; the next id is filled in where it has none."""
        return self.updates.give(update)

    def repeat_last_update(self) -> dict[str, Any]:
        """Hand the bot its newest update once more, under the same id."""
        return self.updates.repeat_last()

    def calls(self, method: str) -> list[Request]:
        """The calls of one method so far."""
        return [request for request in self.requests if request.method == method]

    def commands(self, person: Person, chat_id: int) -> list[dict[str, str]]:
        """The command menu that this person sees in this chat."""
        chat = self.chat(chat_id)
        return self.profile.menu(chat, person, is_admin=is_administrator(chat, person))

    async def idle(self) -> None:
        """Return when the bot has confirmed every update and a getUpdates call waits for more.

        Where a webhook is set, it must have answered every update. A call whose time has just
        run out still counts as waiting until it is answered.
        """
        await self.updates.quiet()


def _check_may_write(chat: Chat, person: Person, thread_id: int | None) -> None:
    if not is_inside(chat, person) or chat.upgraded_to is not None:
        raise PermissionError(f"{person.first_name} is not in {chat.title}.")
    if not may(chat, person, "can_send_messages"):
        raise PermissionError(f"{person.first_name} may not write in {chat.title}.")
    if thread_id in chat.closed_topics and not is_administrator(chat, person):
        raise PermissionError(f"The topic is closed to {person.first_name}.")
    if thread_id is not None and not chat.is_forum:
        raise ValueError(f"{chat.title} has no topics.")


def _voter(person: Person, channel: Chat | None) -> dict[str, Any]:
    if channel is None:
        return {"user": person.json}
    return {"user": stand_in(channel).json, "voter_chat": channel.json}
