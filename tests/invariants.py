"""What must hold after any trouble, checked from outside: Telegram's record and the SQLite file.

**Votes that must count.** Of a learner's votes for one question of one attempt, or of one round,
one counts: the first that counts at all. A vote counts for certain

- in a private chat, unless the learner did something before it (in the order of Telegram's updates)
  that may have ended the attempt, and not a second before the end either;
- in a round, when it was stored within a second of the closing of its poll, unless somebody wrote
  `/skip` or `/stop` before it, or the round ended with that; or a second before the closing.

A vote is stored, at the latest, when the bot asks Telegram for updates beyond it, and handled
within a second of that. Every other vote may count: whether it came before the reveal is not to be
seen from outside. What is counted must be one of these votes, with its own choices, and none may be
passed over that must count.
"""

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.demo.engine import Request
from tests.fault_record import Record, Shown, Vote
from tests.fault_trouble import INJECTED

LATE_MS = 1000
"""How long after its closing a round's poll still takes votes that are under way."""

HANDLED_MS = 1000
"""What is stored is handled within so long."""

PASSING = ("housekeeping", "lobby", "release")
"""What may be left on the agenda: it does nothing when nothing waits for it."""

# What Telegram says of polls that close by themselves, of a change that it has made already when
# the answer to that was lost, and of buttons whose press came late.
EXPECTED_REFUSALS = (
    "poll can't be stopped",
    "has already been closed",
    "is not modified",
    "query is too old",
    INJECTED,
)

Row = Mapping[str, Any]
Asked = tuple[str, int, str]
"""A question that was asked: in an attempt or in a round, in which, and which one."""


@dataclass(slots=True)
class Verdict:
    """What was counted, and all that is wrong."""

    votes: int = 0
    must: int = 0
    counted: int = 0
    asked_again: int = 0
    """Questions that were shown once more after a send of unknown fate, or on demand."""
    unanswered: int = 0
    """Sends that got no answer."""
    wrong: list[tuple[str, str]] = field(default_factory=list)
    """What kind of promise was broken, and how."""

    def blames(self, kind: str, how: str) -> None:
        self.wrong.append((kind, how))


class Books:
    """What the database says."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        raw.row_factory = sqlite3.Row
        self._raw = raw
        self.polls = {row["id"]: row for row in self.rows("SELECT * FROM polls ORDER BY id")}
        self.answers = self.rows("SELECT * FROM answers")
        self.attempts = {row["id"]: row for row in self.rows("SELECT * FROM attempts")}
        self.rounds = {row["id"]: row for row in self.rows("SELECT * FROM rounds")}

    def rows(self, query: str) -> list[Row]:
        return [dict(row) for row in self._raw.execute(query)]

    def asked(self, poll: Row) -> Asked:
        """What a poll asks, and where."""
        question = f"{poll['quiz_id']}/{poll['question_id']}"
        if poll["round_id"]:
            return "round", poll["round_id"], question
        return "attempt", poll["attempt_id"], question


class Check:
    """One look at everything, when all is quiet."""

    def __init__(self, record: Record, books: Books) -> None:
        self.record = record
        self.books = books
        self.verdict = Verdict()
        self.acts = record.acts()
        self.shown = {one.message.poll.id: one for one in record.shown if one.message.poll}
        known = {row["telegram_id"]: row for row in books.polls.values() if row["telegram_id"]}
        self.rows = {
            poll_id: row
            for poll_id, one in self.shown.items()
            if (row := known.get(poll_id) or self._row_as_sent(one))
        }
        """The database's row of each poll that was shown, by Telegram's id."""

    def _row_as_sent(self, shown: Shown) -> Row | None:
        """The row of a poll that the bot never learnt the id of."""
        return next((self.books.polls[poll_id] for poll_id in shown.poll_ids), None)

    # Votes

    def check_votes(self) -> None:
        by_asked: dict[tuple[Asked, int], list[Vote]] = defaultdict(list)
        votes = self.record.votes()
        self.verdict.votes = len(votes)
        for vote in votes:
            row = self.rows.get(vote.poll_id)
            if row is None:
                if vote.poll_id in self.shown:
                    self.verdict.blames("lost", f"{vote} is in a poll that nobody knows")
            elif row["round_id"] or row["chat_id"] == vote.learner_id:
                by_asked[self.books.asked(row), vote.learner_id].append(vote)
        counted: dict[tuple[Asked, int], list[Row]] = defaultdict(list)
        for answer in self.books.answers:
            asked = self.books.asked(self.books.polls[answer["poll_id"]])
            counted[asked, answer["learner_id"]].append(answer)
        self.verdict.counted = len(self.books.answers)
        for where in by_asked | counted:
            self._check_answers(where, by_asked[where], counted[where])

    def _check_answers(
        self, where: tuple[Asked, int], votes: list[Vote], answers: list[Row]
    ) -> None:
        certain = next((i for i, vote in enumerate(votes) if self._must_count(vote)), None)
        self.verdict.must += certain is not None
        if len(answers) > 1:
            self.verdict.blames("doubled", f"{where}: {answers}")
        elif answers:
            (answer,) = answers
            possible = votes if certain is None else votes[: certain + 1]
            if not any(self._is(vote, answer) for vote in possible):
                self.verdict.blames("lost", f"{where}: {answer} instead of one of {possible}")
        elif certain is not None:
            row = self.rows[votes[certain].poll_id]
            self.verdict.blames("lost", f"{where}: {votes[certain]} in {row}")

    def _is(self, vote: Vote, answer: Row) -> bool:
        row = self.rows[vote.poll_id]
        picked = "".join(sorted(row["choices"][pick] for pick in vote.picks))
        return bool(row["id"] == answer["poll_id"] and picked == answer["picked"])

    def _must_count(self, vote: Vote) -> bool:
        row = self.rows[vote.poll_id]
        stored_ms = vote.stored_by * 1000
        if row["round_id"]:
            return self._must_count_in_round(vote, row, stored_ms)
        attempt = self.books.attempts[row["attempt_id"]]
        ended_at = attempt["ended_at"]
        if ended_at is None or stored_ms + HANDLED_MS < ended_at:
            return True
        dropped = f"{row['quiz_id']}/{row['question_id']}" not in attempt["questions"].split("\n")
        return not any(
            act.learner_id == vote.learner_id
            and act.update_id < vote.update_id
            and act.stored_by * 1000 >= attempt["started_at"] - HANDLED_MS
            and (dropped or act.text.startswith(("/stop", "anew:", "review:")))
            for act in self.acts
        )

    def _must_count_in_round(self, vote: Vote, row: Row, stored_ms: float) -> bool:
        closed_at = row["closed_at"]
        current = self.books.rounds[row["round_id"]]
        if closed_at is None or stored_ms + HANDLED_MS < closed_at:
            return True
        if stored_ms >= closed_at + LATE_MS or current["ended_at"] == closed_at:
            return False
        return not any(
            act.update_id < vote.update_id
            and act.stored_by >= self.shown[vote.poll_id].at - HANDLED_MS / 1000
            and act.text in ("/skip", "/stop")
            and (act.chat_id, act.thread_id or 0) == (current["chat_id"], current["thread_id"])
            for act in self.acts
        )

    # Numbers that are derived from votes

    def check_numbers(self, told: Mapping[int, tuple[int, int]]) -> None:
        """`told`: what /stats said to each learner, answers and right ones."""
        mine: Counter[int] = Counter()
        right: Counter[int] = Counter()
        for answer in self.books.answers:
            mine[answer["learner_id"]] += 1
            right[answer["learner_id"]] += answer["is_right"]
        for learner_id, said in told.items():
            answered = mine[learner_id], right[learner_id]
            if said != answered:
                self.verdict.blames("numbers", f"/stats says {said}, stored are {answered}")
        for table, sums in (
            ("days", "sum(answers), sum(right_answers)"),
            ("memories", "sum(answers), sum(right_answers)"),
            ("reviews", "count(*), sum(rating = 3)"),
        ):
            query = f"SELECT learner_id, {sums} FROM {table} GROUP BY 1"
            for learner_id, *stored in (row.values() for row in self.books.rows(query)):
                if stored != [mine[learner_id], right[learner_id]]:
                    self.verdict.blames("numbers", f"{table} of {learner_id} says {stored}")
        in_rounds = Counter(
            (self.books.polls[answer["poll_id"]]["chat_id"], answer["learner_id"])
            for answer in self.books.answers
            if self.books.polls[answer["poll_id"]]["round_id"]
        )
        scores = self.books.rows(
            "SELECT chat_id, learner_id, sum(answers) s FROM scores GROUP BY 1, 2"
        )
        if {(row["chat_id"], row["learner_id"]): row["s"] for row in scores} != in_rounds:
            self.verdict.blames("numbers", f"scores say {scores}, answers {in_rounds}")

    def check_what_groups_were_told(self) -> None:
        for shown in self.record.shown:
            text, poll = shown.message.text, shown.message.reply_to
            count = re.search(r"^(\d+) of (\d+) right\.|^Nobody voted\.", text, re.MULTILINE)
            if count and poll and poll.poll and (row := self.rows.get(poll.poll.id)):
                rights = [bool(a["is_right"]) for a in self._answers_to(self.books.asked(row))]
                said = (int(count[1]), int(count[2])) if count[1] else (0, 0)
                if said != (sum(rights), len(rights)):
                    self.verdict.blames("numbers", f"{text!r}, stored are {rights}")
            elif text.startswith("Results of"):
                self._check_table(shown)

    def _answers_to(self, asked: Asked) -> Iterator[Row]:
        return (
            answer
            for answer in self.books.answers
            if self.books.asked(self.books.polls[answer["poll_id"]]) == asked
        )

    def _check_table(self, shown: Shown) -> None:
        assert shown.message.keyboard is not None
        round_id = int(shown.message.keyboard[-1][0]["callback_data"].removeprefix("rematch:"))
        table: Counter[str] = Counter()
        for answer in self.books.answers:
            if self.books.polls[answer["poll_id"]]["round_id"] == round_id:
                name = self.record.telegram.people[answer["learner_id"]].first_name
                table[name] += answer["is_right"]
        lines = re.findall(r"^\S+ (\S+) – (\d+) of \d+, ", shown.message.text, re.MULTILINE)
        if {name: int(right) for name, right in lines} != table:
            self.verdict.blames("numbers", f"{shown.message.text!r}, stored is {table}")

    # What was sent

    def check_order(self) -> None:
        last: dict[int, int] = {}
        for one in self.record.shown:
            chat_id = one.message.chat.id
            if not one.bot_ran:
                continue
            if len(one.letters) != 1:
                self.verdict.blames("unmarked", f"{one} went out and was not marked as sent")
                continue
            ((letter_id, _),) = one.letters
            if letter_id < last.get(chat_id, 0):
                self.verdict.blames("order", f"letter {letter_id} after {last[chat_id]}: {one}")
            last[chat_id] = letter_id

    def check_repetitions(self) -> None:
        # By what was on its way: a vote in the second of two equal polls of unknown fate, in one
        # attempt, may have been taken for one in the first.
        sent = Counter(poll_id for one in self.shown.values() for poll_id in one.poll_ids)
        for poll_id, times in sent.items():
            if times > 1:
                self.verdict.blames("twice", f"poll {self.books.polls[poll_id]} was sent twice")
        asked: dict[Asked, list[Shown]] = defaultdict(list)
        for telegram_id, row in self.rows.items():
            asked[self.books.asked(row)].append(self.shown[telegram_id])
        for (kind, key, question), shown in asked.items():
            self.verdict.asked_again += len(shown) - 1
            if kind == "round":
                unexplained = sum(not self._is_in_doubt(one) for one in shown[:-1])
            else:
                wanted = sum(act.text.startswith(f"resume:{key}:") for act in self.acts)
                unexplained = max(0, len(shown) - 1 - wanted)
            if unexplained:
                self.verdict.blames("twice", f"{question} in {kind} {key}: {[*map(str, shown)]}")

    def _is_in_doubt(self, shown: Shown) -> bool:
        """Whether the bot may not know that a message arrived."""
        request = self.record.telegram.requests[shown.request]
        crashed = any(0 <= crash - shown.request < 30 for crash in self.record.crashes)
        return request.response is None or crashed

    def check_refusals(self) -> None:
        for request in self.record.telegram.requests:
            if request.method.startswith("send") and request.response is None:
                self.verdict.unanswered += 1
            if reason := _fault_of_ours(request):
                self.verdict.blames("refused", f"{request.method} {request.parameters}: {reason}")

    # What is left

    def check_updates(self) -> None:
        """Each update that Telegram handed over was taken once, however often it came."""
        rows = self.books.rows("SELECT update_id FROM inbox WHERE kind = 'update'")
        taken = Counter(row["update_id"] for row in rows)
        came = Counter(dict.fromkeys(self.record.arrivals.came, 1))
        for update_id in came - taken:
            self.verdict.blames("lost", f"update {update_id} was not taken")
        for update_id in taken - came:
            self.verdict.blames("doubled", f"update {update_id} was taken more than once")

    def check_rest(self) -> None:
        for row in self.books.rows("SELECT * FROM inbox WHERE state != 'done'"):
            self.verdict.blames("stuck", f"inbox: {row}")
        for row in self.books.rows("SELECT * FROM outbox"):
            self.verdict.blames("stuck", f"outbox: {row}")
        for row in self.books.rows(f"SELECT * FROM agenda WHERE kind NOT IN {PASSING}"):
            self.verdict.blames("stuck", f"agenda: {row}")
        for row in self.books.rows("SELECT * FROM rounds WHERE ended_at IS NULL"):
            self.verdict.blames("stuck", f"round: {row}")
        for pragma in ("integrity_check", "foreign_key_check"):
            found = self.books.rows(f"PRAGMA {pragma}")
            if found not in ([], [{"integrity_check": "ok"}]):
                self.verdict.blames("damaged", f"{pragma}: {found}")


def check(record: Record, database: Path, told: Mapping[int, tuple[int, int]]) -> Verdict:
    """Hold the bot to its promises, when all is quiet."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as raw:
        look = Check(record, Books(raw))
        look.check_votes()
        look.check_numbers(told)
        look.check_what_groups_were_told()
        look.check_order()
        look.check_repetitions()
        look.check_refusals()
        look.check_updates()
        look.check_rest()
    return look.verdict


def _fault_of_ours(request: Request) -> str:
    """What Telegram says is wrong with a call that should not have been made."""
    answer = request.response or {}
    if answer.get("error_code") != 400:
        return ""
    description = str(answer["description"])
    return "" if any(text in description for text in EXPECTED_REFUSALS) else description
