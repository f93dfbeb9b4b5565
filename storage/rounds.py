"""Groups' runs through quizzes, and who plays in them."""

import sqlite3
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from quizzes.attempt import QuestionRef
from quizzes.round import Round, Status, Vote
from storage.attempts import read_questions, write_questions
from storage.times import to_ms

REMEMBERED = timedelta(days=90)
"""How long a round is known after its end: for a rematch, and for its explanations in private."""

PRUNED_AT_ONCE = 50

_COLUMNS = (
    "id, chat_id, thread_id, quiz_id, language, opener_id, status, seconds, questions, asked,"
    " silent, pause_wanted"
)


class Rounds:
    """The rounds; a chat, or a topic of a forum, has one running at most."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def open(
        self,
        chat_id: int,
        thread_id: int | None,
        quiz_id: str,
        language: str,
        opener_id: int,
        seconds: int,
        questions: Iterable[QuestionRef],
        now: datetime,
    ) -> Round:
        """Open a lobby. The round that was running must have ended before."""
        round_id = self._raw.execute(
            "INSERT INTO rounds (chat_id, thread_id, quiz_id, language, opener_id, status, seconds,"
            " questions, opened_at) VALUES (?, ?, ?, ?, ?, 'lobby', ?, ?, ?)",
            (
                chat_id,
                thread_id or 0,
                quiz_id,
                language,
                opener_id,
                seconds,
                write_questions(questions),
                to_ms(now),
            ),
        ).lastrowid
        assert round_id is not None
        return self.get(round_id)

    def get(self, round_id: int) -> Round:
        """A round that is known to exist."""
        found = self.find(round_id)
        assert found is not None
        return found

    def find(self, round_id: int) -> Round | None:
        return self._one("id = ?", round_id)

    def running(self, chat_id: int, thread_id: int | None) -> Round | None:
        """The round of a chat, or of a topic of it, that has not ended."""
        return self._one(
            "chat_id = ? AND thread_id = ? AND ended_at IS NULL", chat_id, thread_id or 0
        )

    def running_in_chat(self, chat_id: int) -> list[Round]:
        """The rounds of a chat, in all its topics, that have not ended, oldest first."""
        rows = self._raw.execute(
            f"SELECT {_COLUMNS} FROM rounds WHERE chat_id = ? AND ended_at IS NULL ORDER BY id",
            (chat_id,),
        )
        return [_round(row) for row in rows]

    def set_status(self, round_id: int, status: Status) -> None:
        self._raw.execute("UPDATE rounds SET status = ? WHERE id = ?", (status, round_id))

    def set_seconds(self, round_id: int, seconds: int) -> None:
        self._raw.execute("UPDATE rounds SET seconds = ? WHERE id = ?", (seconds, round_id))

    def set_questions(self, round_id: int, questions: Iterable[QuestionRef]) -> None:
        self._raw.execute(
            "UPDATE rounds SET questions = ? WHERE id = ?",
            (write_questions(questions), round_id),
        )

    def want_pause(self, round_id: int, wanted: bool) -> None:
        self._raw.execute(
            "UPDATE rounds SET pause_wanted = ?, silent = 0 WHERE id = ?", (wanted, round_id)
        )

    def count_revealed(self, round_id: int, voters: int) -> None:
        """One more question is over; a question without voters adds to the silence."""
        self._raw.execute(
            "UPDATE rounds SET asked = asked + 1, silent = iif(?, 0, silent + 1) WHERE id = ?",
            (voters, round_id),
        )

    def end(self, round_id: int, now: datetime) -> None:
        self._raw.execute(
            "UPDATE rounds SET status = 'ended', ended_at = ? WHERE id = ? AND ended_at IS NULL",
            (to_ms(now), round_id),
        )

    def prune(self, now: datetime) -> list[int]:
        """Forget some of the rounds that ended over 90 days ago, 50 at once; their ids.

        Their polls and the answers stay.
        """
        rows = self._raw.execute(
            "DELETE FROM rounds WHERE id IN (SELECT id FROM rounds"
            " WHERE ended_at IS NOT NULL AND ended_at < ? ORDER BY ended_at LIMIT ?) RETURNING id",
            (to_ms(now - REMEMBERED), PRUNED_AT_ONCE),
        ).fetchall()
        return [row[0] for row in rows]

    def join(self, round_id: int, learner_id: int, now: datetime) -> bool:
        """Let a learner play; whether they did not before."""
        changed = self._raw.execute(
            "INSERT INTO players (round_id, learner_id, joined_at) VALUES (?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (round_id, learner_id, to_ms(now)),
        ).rowcount
        return changed > 0

    def joined(self, round_id: int) -> list[int]:
        """Who joined, in the order in which they did."""
        rows = self._raw.execute(
            "SELECT learner_id FROM players WHERE round_id = ? ORDER BY joined_at, learner_id",
            (round_id,),
        )
        return [row[0] for row in rows]

    def played_in(self, learner_id: int) -> set[int]:
        """The chats with a running round that a learner has joined."""
        rows = self._raw.execute(
            "SELECT chat_id FROM players JOIN rounds ON rounds.id = players.round_id"
            " WHERE learner_id = ? AND ended_at IS NULL",
            (learner_id,),
        )
        return {row[0] for row in rows}

    def votes(self, round_id: int) -> list[Vote]:
        """All answers of a round, in the order of its questions and of the votes."""
        rows = self._raw.execute(
            "SELECT learner_id, quiz_id, question_id, is_right, answered_at - asked_at"
            " FROM polls JOIN answers ON answers.poll_id = polls.id"
            " WHERE polls.round_id = ? ORDER BY polls.id, answered_at, learner_id",
            (round_id,),
        )
        return [
            Vote(learner_id, QuestionRef(quiz_id, question_id), bool(right), max(0, ms) / 1000)
            for learner_id, quiz_id, question_id, right, ms in rows
        ]

    def votes_in_question(self, round_id: int, question: QuestionRef) -> list[Vote]:
        """The answers to one question of a round, first come first."""
        votes = self.votes(round_id)
        return sorted(
            (vote for vote in votes if vote.question == question), key=lambda vote: vote.seconds
        )

    def drop_question(self, current: Round, question: QuestionRef) -> None:
        """Take a question that has left the bank out of a round."""
        self.set_questions(current.id, (one for one in current.questions if one != question))

    def move_chat(self, chat_id: int, new_chat_id: int) -> None:
        """A group goes by another id. A round that runs there already stays the one."""
        # The group's earlier round was over when that one was opened.
        self._raw.execute(
            "UPDATE rounds SET status = 'ended', ended_at = there.opened_at FROM rounds AS there"
            " WHERE rounds.chat_id = ? AND rounds.ended_at IS NULL AND there.chat_id = ?"
            " AND there.thread_id = rounds.thread_id AND there.ended_at IS NULL",
            (chat_id, new_chat_id),
        )
        self._raw.execute("UPDATE rounds SET chat_id = ? WHERE chat_id = ?", (new_chat_id, chat_id))

    def _one(self, condition: str, *keys: int) -> Round | None:
        row = self._raw.execute(f"SELECT {_COLUMNS} FROM rounds WHERE {condition}", keys).fetchone()
        return None if row is None else _round(row)


def _round(row: tuple[Any, ...]) -> Round:
    columns = dict(zip(_COLUMNS.split(", "), row, strict=True))
    return Round(
        **columns
        | {
            "thread_id": columns["thread_id"] or None,
            "questions": read_questions(columns["questions"]),
            "pause_wanted": bool(columns["pause_wanted"]),
        }
    )
