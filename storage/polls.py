"""Every question that was asked, and the poll that asked it."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import orjson

from quizzes.attempt import QuestionRef
from storage.times import from_ms, to_ms

SIGHTED = timedelta(days=1)
"""How long what an unknown poll says is kept. Each vote in it comes with the same once more."""

_LETTERS = "abcdefghijkl"

_COLUMNS = (
    "polls.id, telegram_id, polls.chat_id, message_id, attempt_id, round_id, quiz_id, question_id,"
    " language, fingerprint, choices, correct, open_seconds, asked_at, closed_at IS NOT NULL"
)


@dataclass(frozen=True, slots=True)
class Poll:
    """A question as it was asked: choices and right ones are kept, whatever becomes of the bank."""

    id: int
    telegram_id: str | None
    chat_id: int
    message_id: int | None
    attempt_id: int | None
    round_id: int | None
    question: QuestionRef
    language: str
    fingerprint: str
    choices: tuple[int, ...]
    """Positions in quiz.yaml, in the order in which they were sent."""
    correct: frozenset[int]
    """Positions in quiz.yaml of the right choices, as they were when it was asked."""
    open_seconds: int | None
    """How long it takes votes, in a round."""
    asked_at: datetime | None
    """When Telegram accepted it, or when a vote proved that it had."""
    closed: bool

    def picked(self, option_ids: Iterable[int]) -> frozenset[int] | None:
        """The positions in quiz.yaml of what a vote picked; None when it names no such option."""
        picks = set(option_ids)
        if not picks <= set(range(len(self.choices))):
            return None
        return frozenset(self.choices[i] for i in picks)


@dataclass(frozen=True, slots=True)
class UnknownSend:
    """A poll that was sent, or may have been, and whose Telegram id isn't known."""

    poll_id: int
    chat_id: int
    question: str
    options: tuple[str, ...]
    open_seconds: int
    """How long it takes votes; 0: without end."""
    sent_at: datetime
    doubtful: bool


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a poll says that nobody knows yet."""

    question: str
    options: tuple[str, ...]
    open_seconds: int | None = None
    """How long it takes votes, 0: without end; None of a closed poll, which says it no more."""
    opened_at: datetime | None = None
    """By Telegram's clock, to the second; None where it takes votes without end, or no more."""


class Polls:
    """The polls. A row is never deleted: an old poll must never be taken for a new one."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def add(
        self,
        chat_id: int,
        question: QuestionRef,
        language: str,
        fingerprint: str,
        choices: Iterable[int],
        correct: Iterable[int],
        now: datetime,
        *,
        attempt_id: int | None = None,
        round_id: int | None = None,
        open_seconds: int | None = None,
    ) -> int:
        """Keep a question that is about to be asked, in an attempt or in a round; its id."""
        poll_id = self._raw.execute(
            "INSERT INTO polls (chat_id, attempt_id, round_id, open_seconds, quiz_id, question_id,"
            " language, fingerprint, choices, correct, decided_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                chat_id,
                attempt_id,
                round_id,
                open_seconds,
                *question,
                language,
                fingerprint,
                write_positions(choices),
                write_positions(sorted(correct)),
                to_ms(now),
            ),
        ).lastrowid
        assert poll_id is not None
        return poll_id

    def find(self, poll_id: int) -> Poll | None:
        return self._one("polls.id = ?", poll_id)

    def by_telegram_id(self, telegram_id: str) -> Poll | None:
        return self._one("telegram_id = ?", telegram_id)

    def open_in_attempt(self, attempt_id: int) -> list[Poll]:
        """The attempt's polls that were not closed, oldest first."""
        return self._all("attempt_id = ? AND closed_at IS NULL", attempt_id)

    def open_in_round(self, round_id: int) -> list[Poll]:
        """The round's polls that were not closed, oldest first."""
        return self._all("round_id = ? AND closed_at IS NULL", round_id)

    def of_round(self, round_id: int) -> list[Poll]:
        """All polls of a round, oldest first."""
        return self._all("round_id = ?", round_id)

    def has_later_question(self, poll: Poll) -> bool:
        """Whether the attempt went on to another question after this poll."""
        row = self._raw.execute(
            "SELECT 1 FROM polls WHERE attempt_id = ? AND id > ?"
            " AND (quiz_id, question_id) != (?, ?)",
            (poll.attempt_id, poll.id, *poll.question),
        ).fetchone()
        return row is not None

    def asked(self, poll_id: int, telegram_id: str, message_id: int | None, now: datetime) -> None:
        """Telegram has the poll under this id."""
        # A vote may have proved an equal poll of doubtful fate to be this one: then it stays so.
        known = self._raw.execute(
            "SELECT id FROM polls WHERE telegram_id = ?", (telegram_id,)
        ).fetchone()
        (row_id,) = known or (poll_id,)
        self._raw.execute(
            "UPDATE polls SET telegram_id = ?, message_id = coalesce(?, message_id),"
            " asked_at = coalesce(asked_at, ?) WHERE id = ?",
            (telegram_id, message_id, to_ms(now), row_id),
        )
        self._raw.execute("DELETE FROM sightings WHERE telegram_id = ?", (telegram_id,))

    def close(self, poll_id: int, now: datetime) -> None:
        """No vote is expected in it any more."""
        self._raw.execute(
            "UPDATE polls SET closed_at = ? WHERE id = ? AND closed_at IS NULL",
            (to_ms(now), poll_id),
        )

    def move_chat(self, chat_id: int, new_chat_id: int) -> None:
        """A chat goes by another id."""
        # Messages from before have no id there that we could know.
        self._raw.execute(
            "UPDATE polls SET chat_id = ?, message_id = NULL WHERE chat_id = ?",
            (new_chat_id, chat_id),
        )

    def knows(self, telegram_id: str) -> bool:
        """Whether a poll is one that the bot has sent."""
        row = self._raw.execute(
            "SELECT 1 FROM polls WHERE telegram_id = ?", (telegram_id,)
        ).fetchone()
        return row is not None

    def unknown_sends(self) -> list[UnknownSend]:
        """What is on its way or of unknown fate, oldest first."""
        rows = self._raw.execute(
            "SELECT polls.id, outbox.chat_id, params, coalesce(sent_at, decided_at),"
            " state = 'doubtful'"
            # CROSS: begin with the few letters, not with all polls that never got an id.
            " FROM outbox CROSS JOIN polls ON polls.id = outbox.poll_id"
            " WHERE method = 'sendPoll' AND state IN ('sending', 'doubtful')"
            " AND telegram_id IS NULL ORDER BY outbox.id"
        )
        return [_unknown_send(*row) for row in rows]

    def sight(self, telegram_id: str, seen: Sighting, now: datetime) -> None:
        """Keep what a poll says that nobody knows yet."""
        if self.knows(telegram_id):
            return
        self._raw.execute(
            "INSERT INTO sightings"
            " (telegram_id, question, options, open_seconds, opened_at, seen_at)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET question = excluded.question,"
            " options = excluded.options, seen_at = excluded.seen_at,"
            # A closed poll says no more what it said while it was open.
            " open_seconds = coalesce(excluded.open_seconds, open_seconds),"
            " opened_at = coalesce(excluded.opened_at, opened_at)",
            (
                telegram_id,
                seen.question,
                orjson.dumps(seen.options).decode(),
                seen.open_seconds,
                None if seen.opened_at is None else to_ms(seen.opened_at),
                to_ms(now),
            ),
        )

    def prune_sightings(self, now: datetime) -> None:
        """Forget what was sighted over a day ago."""
        self._raw.execute("DELETE FROM sightings WHERE seen_at < ?", (to_ms(now - SIGHTED),))

    def sighted(self, telegram_id: str) -> Sighting | None:
        """What a poll says, if it was sighted."""
        row = self._raw.execute(
            "SELECT question, options, open_seconds, opened_at FROM sightings"
            " WHERE telegram_id = ?",
            (telegram_id,),
        ).fetchone()
        if row is None:
            return None
        question, options, open_seconds, opened_at = row
        opened = None if opened_at is None else from_ms(opened_at)
        return Sighting(question, tuple(orjson.loads(options)), open_seconds, opened)

    def message_ids(self, poll_ids: Iterable[int]) -> dict[int, int]:
        """The message ids of polls, for replying to them and stopping them, where known."""
        return {
            poll_id: message_id
            for poll_id in poll_ids
            for (message_id,) in self._raw.execute(
                "SELECT message_id FROM polls WHERE id = ? AND message_id IS NOT NULL", (poll_id,)
            )
        }

    def _all(self, condition: str, key: int) -> list[Poll]:
        rows = self._raw.execute(
            f"SELECT {_COLUMNS} FROM polls WHERE {condition} ORDER BY id", (key,)
        )
        return [_poll(row) for row in rows]

    def _one(self, condition: str, key: int | str) -> Poll | None:
        row = self._raw.execute(
            f"SELECT {_COLUMNS} FROM polls WHERE {condition}", (key,)
        ).fetchone()
        return None if row is None else _poll(row)


def write_positions(positions: Iterable[int]) -> str:
    """Positions as letters, one each: (2, 0) is 'ca'."""
    return "".join(_LETTERS[i] for i in positions)


@lru_cache(maxsize=1000)
def read_positions(letters: str) -> tuple[int, ...]:
    """What `write_positions` wrote."""
    return tuple(_LETTERS.index(letter) for letter in letters)


def _poll(row: tuple[Any, ...]) -> Poll:
    (
        poll_id,
        telegram_id,
        chat_id,
        message_id,
        attempt_id,
        round_id,
        quiz_id,
        question_id,
        language,
        fingerprint,
        choices,
        correct,
        open_seconds,
        asked_at,
        closed,
    ) = row
    return Poll(
        id=poll_id,
        telegram_id=telegram_id,
        chat_id=chat_id,
        message_id=message_id,
        attempt_id=attempt_id,
        round_id=round_id,
        question=QuestionRef(quiz_id, question_id),
        language=language,
        fingerprint=fingerprint,
        choices=read_positions(choices),
        correct=frozenset(read_positions(correct)),
        open_seconds=open_seconds,
        asked_at=None if asked_at is None else from_ms(asked_at),
        closed=bool(closed),
    )


def _unknown_send(
    poll_id: int, chat_id: int, params: str, sent_at: int, doubtful: int
) -> UnknownSend:
    sent = orjson.loads(params)
    return UnknownSend(
        poll_id=poll_id,
        chat_id=chat_id,
        question=sent["question"],
        options=tuple(option["text"] for option in sent["options"]),
        open_seconds=sent.get("open_period", 0),
        sent_at=from_ms(sent_at),
        doubtful=bool(doubtful),
    )
