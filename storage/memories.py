"""What is known of one learner and one question, and the log of how that came about."""

import sqlite3

from quizzes.attempt import QuestionRef
from quizzes.schedule import Memory, Review, Stage
from storage.times import from_ms, to_ms

_COLUMNS = "due_at, stability, difficulty, last_review_at, stage, answers, right_answers, lapses"


class Memories:
    """A memory a learner and question they ever answered."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def find(self, learner_id: int, question: QuestionRef) -> Memory | None:
        row = self._raw.execute(
            f"SELECT {_COLUMNS} FROM memories"
            " WHERE learner_id = ? AND quiz_id = ? AND question_id = ?",
            (learner_id, *question),
        ).fetchone()
        return None if row is None else _memory(*row)

    def all(self, learner_id: int) -> dict[QuestionRef, Memory]:
        """All memories of a learner, by question."""
        rows = self._raw.execute(
            f"SELECT quiz_id, question_id, {_COLUMNS} FROM memories WHERE learner_id = ?",
            (learner_id,),
        )
        return {QuestionRef(quiz, question): _memory(*columns) for quiz, question, *columns in rows}

    def put(self, learner_id: int, question: QuestionRef, memory: Memory, review: Review) -> None:
        """Keep what an answer made of a memory, and the answer in the log."""
        self._raw.execute(
            f"INSERT OR REPLACE INTO memories (learner_id, quiz_id, question_id, {_COLUMNS})"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                learner_id,
                *question,
                to_ms(memory.due),
                memory.stability,
                memory.difficulty,
                to_ms(memory.last_review),
                memory.stage,
                memory.answers,
                memory.right,
                memory.lapses,
            ),
        )
        elapsed = review.elapsed
        self._raw.execute(
            "INSERT INTO reviews (learner_id, quiz_id, question_id, reviewed_at, rating, stage,"
            " stability, difficulty, elapsed_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                learner_id,
                *question,
                to_ms(review.moment),
                review.rating,
                review.stage,
                review.stability,
                review.difficulty,
                None if elapsed is None else round(elapsed.total_seconds() * 1000),
            ),
        )


def _memory(
    due_at: int,
    stability: float,
    difficulty: float,
    last_review_at: int,
    stage: str,
    answers: int,
    right: int,
    lapses: int,
) -> Memory:
    return Memory(
        due=from_ms(due_at),
        stability=stability,
        difficulty=difficulty,
        last_review=from_ms(last_review_at),
        stage=Stage(stage),
        answers=answers,
        right=right,
        lapses=lapses,
    )
