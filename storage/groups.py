"""What a group has chosen, who its admins are, and its table."""

import sqlite3
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal

import orjson

from storage.times import to_ms

Openers = Literal["all", "admins"]

ADMINS_TRUSTED = timedelta(seconds=60)
"""How long a list of admins is taken for true."""


@dataclass(frozen=True, slots=True)
class Group:
    """The choices of a group."""

    chat_id: int
    language: str | None = None
    openers: Openers = "all"
    """Who may open a round."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a member answered in a group's rounds."""

    learner_id: int
    answers: int
    right: int
    right_seconds: float


class Groups:
    """Groups by chat id."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def get(self, chat_id: int) -> Group:
        """The choices of a group; one that has chosen nothing has the usual ones."""
        row = self._raw.execute(
            "SELECT chat_id, language, openers FROM groups WHERE chat_id = ?", (chat_id,)
        ).fetchone()
        return Group(*row) if row else Group(chat_id)

    def choose_language(self, chat_id: int, language: str) -> None:
        self._raw.execute(
            "INSERT INTO groups (chat_id, language) VALUES (?, ?)"
            " ON CONFLICT (chat_id) DO UPDATE SET language = excluded.language",
            (chat_id, language),
        )

    def choose_openers(self, chat_id: int, openers: Openers) -> None:
        self._raw.execute(
            "INSERT INTO groups (chat_id, openers) VALUES (?, ?)"
            " ON CONFLICT (chat_id) DO UPDATE SET openers = excluded.openers",
            (chat_id, openers),
        )

    def admins(self, chat_id: int, now: datetime) -> frozenset[int] | None:
        """The admins of a chat; None when they must be asked for."""
        row = self._raw.execute(
            "SELECT learner_ids FROM admins WHERE chat_id = ? AND asked_at >= ?",
            (chat_id, to_ms(now - ADMINS_TRUSTED)),
        ).fetchone()
        return None if row is None else frozenset(orjson.loads(row[0]))

    def keep_admins(self, chat_id: int, learner_ids: list[int], now: datetime) -> None:
        self._raw.execute(
            "INSERT OR REPLACE INTO admins (chat_id, learner_ids, asked_at) VALUES (?, ?, ?)",
            (chat_id, orjson.dumps(learner_ids).decode(), to_ms(now)),
        )

    def count_answer(
        self, chat_id: int, learner_id: int, right: bool, milliseconds: int, now: datetime
    ) -> None:
        """Add an answer in a round to the group's table."""
        self._raw.execute(
            add_to_scores("VALUES (?, ?, ?, 1, ?, ?)"),
            (chat_id, week_of(now), learner_id, right, milliseconds if right else 0),
        )

    def scores(self, chat_id: int, limit: int, week: str | None = None) -> list[Score]:
        """The group's best, of one week or of all, most right answers first, then the fastest."""
        rows = self._raw.execute(
            "SELECT learner_id, sum(answers), sum(right_answers) AS r, sum(right_ms) AS ms"
            " FROM scores WHERE chat_id = ?1 AND (?2 IS NULL OR week = ?2)"
            " GROUP BY learner_id ORDER BY r DESC, ms, learner_id LIMIT ?3",
            (chat_id, week, limit),
        )
        return [Score(who, answers, right, ms / 1000) for who, answers, right, ms in rows]

    def totals(self, chat_id: int) -> tuple[int, int, int]:
        """How many members have answered in rounds, their answers, and the right ones."""
        members, answers, right = self._raw.execute(
            "SELECT count(DISTINCT learner_id), coalesce(sum(answers), 0),"
            " coalesce(sum(right_answers), 0) FROM scores WHERE chat_id = ?",
            (chat_id,),
        ).fetchone()
        return int(members), int(answers), int(right)

    def move_chat(self, chat_id: int, new_chat_id: int) -> None:
        """A group goes by another id. What was chosen there already wins; scores add up."""
        self._raw.execute(
            "INSERT INTO groups (chat_id, language, openers)"
            " SELECT ?, language, openers FROM groups WHERE chat_id = ?"
            " ON CONFLICT DO UPDATE SET language = coalesce(language, excluded.language)",
            (new_chat_id, chat_id),
        )
        self._raw.execute(
            add_to_scores(
                "SELECT ?, week, learner_id, answers, right_answers, right_ms"
                " FROM scores WHERE chat_id = ?"
            ),
            (new_chat_id, chat_id),
        )
        # The admins are asked for anew: they may be others there.
        for table in ("groups", "admins", "scores"):
            self._raw.execute(f"DELETE FROM {table} WHERE chat_id = ?", (chat_id,))


def week_of(moment: datetime) -> str:
    """The Monday of a moment's week, UTC."""
    day: date = moment.astimezone(UTC).date()
    return (day - timedelta(days=day.weekday())).isoformat()


def add_to_scores(rows: str) -> str:
    """The statement that adds rows of numbers to those which the groups' tables hold already.

    `rows` is SQL that gives chat, week, learner, answers, right answers and their milliseconds.
    """
    return (
        "INSERT INTO scores (chat_id, week, learner_id, answers, right_answers, right_ms)"
        f" {rows} ON CONFLICT DO UPDATE SET answers = answers + excluded.answers,"
        " right_answers = right_answers + excluded.right_answers,"
        " right_ms = right_ms + excluded.right_ms"
    )
