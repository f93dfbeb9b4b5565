"""Groups and channels: who is in them, what the bot may do there, topics, upgrades."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bot.demo.chats import Change, Chat, Person
from bot.demo.engine import Engine
from bot.demo.roles import (
    INSIDE,
    STATUSES,
    check_permissions,
    is_administrator,
    is_inside,
    member_json,
)

SUPERGROUP_IDS = -1_000_000_000_000
"""The id of a supergroup or a channel is this minus a positive number of its own."""


class Groups(Engine):
    """What happens in groups besides talk; each change tells the bot what Telegram would."""

    def add_group(
        self,
        title: str,
        members: Sequence[Person],
        *,
        supergroup: bool = False,
        forum: bool = False,
        administrators: Sequence[Person] = (),
        hears_everything: bool = False,
        with_bot: bool = True,
    ) -> Chat:
        """A group; the first member made it, and added the bot unless told otherwise."""
        number = next(self.group_ids)
        is_super = supergroup or forum
        chat = Chat(
            SUPERGROUP_IDS - number if is_super else -number,
            "supergroup" if is_super else "group",
            title=title,
            is_forum=forum,
            hears_everything=hears_everything,
        )
        chat.statuses = {person.id: "member" for person in members}
        chat.statuses |= {person.id: "administrator" for person in administrators}
        chat.statuses[members[0].id] = "creator"
        self.chats[chat.id] = chat
        if with_bot:
            with self.telling_place(chat, self.bot, members[0]):
                chat.statuses[self.bot.id] = "member"
        return chat

    def add_channel(self, title: str) -> Chat:
        """A channel in whose name people may write and vote; the bot is not in it."""
        chat = Chat(SUPERGROUP_IDS - next(self.group_ids), "channel", title=title)
        self.chats[chat.id] = chat
        return chat

    def set_status(
        self,
        group: Chat,
        person: Person,
        status: str,
        *,
        by: Person | None = None,
        is_anonymous: bool = False,
        denied: Collection[str] = (),
    ) -> None:
        """Give a person, or the bot, a place in a group: administrator, restricted, left ...

        Without `by`, people join and leave by themselves, and the creator does all else.
        `is_anonymous` makes an administrator act in the group's name; `denied` names what a
        restricted member may not do. Raises ValueError where Telegram has no such thing.
        """
        lost = frozenset(denied)
        check_permissions(lost)
        if status not in STATUSES:
            raise ValueError(f"There is no status {status}.")
        if group.kind != "supergroup" and (is_anonymous or status == "restricted"):
            raise ValueError("Only supergroups have anonymous and restricted members.")
        goes_alone = status in ("member", "left") and not person.is_bot
        actor = by or (person if goes_alone else self._creator(group))
        was_inside = is_inside(group, person)
        with self.telling_place(group, person, actor):
            group.statuses[person.id] = status
            group.anonymous.discard(person.id)
            if is_anonymous:
                group.anonymous.add(person.id)
            group.denied_to[person.id] = lost
        if was_inside != (status in INSIDE):
            self._show_coming_or_going(group, person, actor)

    def remove_bot(self, group: Chat, *, by: Person | None = None) -> None:
        """Somebody, the creator unless told otherwise, removes the bot from a group."""
        self.set_status(group, self.bot, "kicked", by=by)

    def deny(self, group: Chat, *permissions: str) -> None:
        """Take permissions such as `can_send_polls` from all members; those not named are given
        back. The bot is not told."""
        check_permissions(frozenset(permissions))
        group.denied = frozenset(permissions)

    def close_topic(self, forum: Chat, thread_id: int | None) -> None:
        """Let only administrators write in a topic; None is the General one."""
        forum.closed_topics.add(thread_id)
        self._serve(forum, self._creator(forum), {"forum_topic_closed": {}}, thread_id)

    def reopen_topic(self, forum: Chat, thread_id: int | None) -> None:
        """Let everyone write in a topic again."""
        forum.closed_topics.discard(thread_id)
        self._serve(forum, self._creator(forum), {"forum_topic_reopened": {}}, thread_id)

    def delete_topic(self, forum: Chat, thread_id: int) -> None:
        """Remove a topic with all its messages. The bot is not told."""
        forum.topics.remove(thread_id)
        forum.closed_topics.discard(thread_id)
        for message in forum.messages:
            if message.thread_id == thread_id:
                del forum.shown[message.id]
                self.tell(Change("deleted", forum.id, message))

    def upgrade(self, group: Chat, *, tells: bool = True) -> Chat:
        """Turn a basic group into a supergroup with an id and message ids of its own.

        What was written stays in the old chat, where polls still take votes. Unless it `tells`,
        the bot learns of it only by the refusals of what it asks of the old chat.
        """
        if group.kind != "group" or group.upgraded_to is not None:
            raise ValueError(f"{group.title} is no basic group.")
        upgraded = Chat(
            SUPERGROUP_IDS - next(self.group_ids),
            "supergroup",
            title=group.title,
            hears_everything=group.hears_everything,
            statuses=dict(group.statuses),
            denied=group.denied,
            last_bot=group.last_bot,
        )
        self.chats[upgraded.id] = upgraded
        group.upgraded_to = upgraded.id
        creator = self._creator(group)
        left = self.post(group, creator, service={"migrate_to_chat_id": upgraded.id})
        arrived = self.post(
            upgraded, creator, service={"migrate_from_chat_id": group.id}, written_as=upgraded
        )
        if tells:
            self.let_hear(left)
            self.let_hear(arrived)
        return upgraded

    def _creator(self, group: Chat) -> Person:
        """Who made the group, even if that person is somebody else in it by now."""
        return self.people[next(iter(group.statuses))]

    def _serve(
        self, chat: Chat, actor: Person, service: dict[str, Any], thread_id: int | None = None
    ) -> None:
        """Show a service message, which the bot hears wherever it is."""
        self.let_hear(self.post(chat, actor, service=service, thread_id=thread_id))

    def _show_coming_or_going(self, group: Chat, person: Person, actor: Person) -> None:
        if is_inside(group, person):
            new = {"new_chat_members": [person.json], "new_chat_member": person.json}
            self._serve(group, actor, new)
        else:
            self._serve(group, actor, {"left_chat_member": person.json})

    @contextmanager
    def telling_place(self, chat: Chat, person: Person, actor: Person) -> Iterator[None]:
        """Tell the bot how the block changes somebody's place: always its own, others' only
        where it is an administrator."""
        old = member_json(chat, person)
        yield
        new = member_json(chat, person)
        is_bot = person is self.bot
        if old == new or not (is_bot or is_administrator(chat, self.bot)):
            return
        self.updates.add(
            "my_chat_member" if is_bot else "chat_member",
            {
                "chat": chat.json,
                "from": actor.json,
                "date": self.now,
                "old_chat_member": old,
                "new_chat_member": new,
            },
        )
