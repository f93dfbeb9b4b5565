"""All tables behind one name, as a handler sees them inside a transaction."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

from storage.agenda import Agenda
from storage.answers import Answers
from storage.attempts import Attempts
from storage.days import Days
from storage.groups import Groups
from storage.inbox import Arrival, Inbox
from storage.learners import Learners
from storage.lost_chats import LostChats
from storage.memories import Memories
from storage.named_messages import NamedMessages
from storage.notes import Notes
from storage.outbox import Outbox
from storage.personal import Personal
from storage.polls import Polls
from storage.reminders import Reminders
from storage.reports import Reports
from storage.rounds import Rounds


class Store:
    """The tables, during one transaction. What it added is kept here for as long."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw
        self.notes = Notes(raw)
        self.learners = Learners(raw)
        self.lost_chats = LostChats(raw)
        self.attempts = Attempts(raw)
        self.polls = Polls(raw)
        self.answers = Answers(raw)
        self.memories = Memories(raw)
        self.days = Days(raw)
        self.reminders = Reminders(raw)
        self.reports = Reports(raw)
        self.personal = Personal(raw)
        self.rounds = Rounds(raw)
        self.groups = Groups(raw)
        self.named_messages = NamedMessages(raw)
        self.inbox = Inbox(raw)
        self.outbox = Outbox(raw)
        self.agenda = Agenda(raw)

    def receive(self, arrivals: Iterable[Arrival], now: datetime) -> None:
        """Put updates in the inbox, once each.

        One that says how a poll stands comes with each vote. It is only needed where the vote may
        have to find its poll by what that says.
        """
        self.inbox.add(
            (
                Arrival(one.update_id, None, "")
                if one.poll_id is not None and self.polls.knows(one.poll_id)
                else one
                for one in arrivals
            ),
            now,
        )

    def move_chat(self, chat_id: int, new_chat_id: int) -> None:
        """A group became a supergroup and goes by another id."""
        self.outbox.move_chat(chat_id, new_chat_id)
        self.polls.move_chat(chat_id, new_chat_id)
        self.rounds.move_chat(chat_id, new_chat_id)
        self.groups.move_chat(chat_id, new_chat_id)
        self.named_messages.forget_chat(chat_id)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo what the block changed, and only that, when it raises."""
        self._raw.execute("SAVEPOINT step")
        said, answered = len(self.outbox.added), len(self.answers.added)
        had_released = self.inbox.has_released
        try:
            yield
        except BaseException:
            del self.outbox.added[said:], self.answers.added[answered:]
            self.inbox.has_released = had_released
            # A full disk may already have ended the whole transaction.
            if self._raw.in_transaction:
                self._raw.execute("ROLLBACK TO step")
                self._raw.execute("RELEASE step")
            raise
        self._raw.execute("RELEASE step")
