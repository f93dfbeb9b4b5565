"""All that is stored of one learner: handed out, and deleted."""

import sqlite3
from typing import Any

from storage.groups import add_to_scores

NOBODY = -1
"""To whom a group's table gives what forgotten members had answered.

Not 0, which stands for an admin who stays anonymous and must never be found among the learners.
"""

# Every table that holds something of a learner (?1), and which rows that are. `/mydata` gives
# these rows; `/forget` deletes them, or what tells in them who it was.
_OWN = {
    "learners": "id = ?1",
    "attempts": "learner_id = ?1",
    "answers": "learner_id = ?1",
    "memories": "learner_id = ?1",
    "reviews": "learner_id = ?1",
    "days": "learner_id = ?1",
    "streaks": "learner_id = ?1",
    "reminders": "learner_id = ?1",
    "reports": "learner_id = ?1",
    "players": "learner_id = ?1",
    "scores": "learner_id = ?1",
    "rounds": "opener_id = ?1",
    "polls": "chat_id = ?1",
    "named_messages": "chat_id = ?1",
    "notes": "name = 'menu ' || ?1",
    "lost_chats": "id = ?1",
    "agenda": "kind = 'remind' AND subject = ?1",
    "admins": "EXISTS (SELECT 1 FROM json_each(learner_ids) WHERE value = ?1)",
    # What has no lane may name people all the same: who let the bot in, whose reminder is due.
    "inbox": "state != 'done' AND (lane = ?1 OR (lane IS NULL AND ("
    "nullif(body, '') ->> '$.my_chat_member.from.id' = ?1"
    " OR (nullif(body, '') ->> '$.kind' = 'remind' AND nullif(body, '') ->> '$.subject' = ?1))))",
    "outbox": "chat_id = ?1",
}

# Columns of these rows that speak of other people.
_OF_OTHERS = {("admins", "learner_ids")}


class Personal:
    """One learner's data across all tables."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def gather(self, learner_id: int) -> dict[str, list[dict[str, Any]]]:
        """All rows about a learner, by table; tables without any are left out."""
        found = {}
        for table, condition in _OWN.items():
            cursor = self._raw.execute(f"SELECT * FROM {table} WHERE {condition}", (learner_id,))
            names = [description[0] for description in cursor.description]
            if rows := [dict(zip(names, row, strict=True)) for row in cursor]:
                found[table] = [
                    {name: row[name] for name in names if (table, name) not in _OF_OTHERS}
                    for row in rows
                ]
        return found

    def forget(self, learner_id: int) -> None:
        """Delete all that is stored of a learner. Follow it with `Database.scrub`.

        Polls stay, without saying whose they were, since an old poll must never be taken for a
        new one. Groups' tables keep the numbers, without the name. What is under way to a group
        goes out as it was decided.
        """
        self._give_scores_to_nobody(learner_id)
        self._change("polls", "SET chat_id = 0, message_id = NULL", learner_id)
        self._change("rounds", "SET opener_id = 0", learner_id)
        self._change("reports", "SET learner_id = NULL", learner_id)
        # An update's id must be known for a while, so that a repeated one is not handled again.
        self._change(
            "inbox", "SET state = 'done', body = '', lane = NULL, error = NULL", learner_id
        )
        gone = ("learners", "lost_chats", "named_messages", "notes", "outbox", "agenda", "admins")
        for table in gone:
            # With the learner goes what hangs on them in other tables.
            self._raw.execute(f"DELETE FROM {table} WHERE {_OWN[table]}", (learner_id,))

    def _give_scores_to_nobody(self, learner_id: int) -> None:
        self._raw.execute(
            "INSERT INTO learners (id, name, client_language, first_seen_at) VALUES (?, '', '', 0)"
            " ON CONFLICT DO NOTHING",
            (NOBODY,),
        )
        self._raw.execute(
            add_to_scores(
                "SELECT chat_id, week, ?2, answers, right_answers, right_ms"
                " FROM scores WHERE learner_id = ?1"
            ),
            (learner_id, NOBODY),
        )

    def _change(self, table: str, change: str, learner_id: int) -> None:
        self._raw.execute(f"UPDATE {table} {change} WHERE {_OWN[table]}", (learner_id,))
