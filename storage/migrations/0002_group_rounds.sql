-- Rounds in groups, who plays in them, and what a group has chosen.

ALTER TABLE learners ADD COLUMN last_name TEXT NOT NULL DEFAULT '';

CREATE TABLE groups (
  chat_id INTEGER PRIMARY KEY,
  language TEXT, -- chosen by an admin
  openers TEXT NOT NULL DEFAULT 'all' CHECK (openers IN ('all', 'admins')) -- who may open a round
) STRICT;

-- Who Telegram says are a chat's admins; trusted for a minute.
CREATE TABLE admins (
  chat_id INTEGER PRIMARY KEY,
  learner_ids TEXT NOT NULL, -- JSON
  asked_at INTEGER NOT NULL
) STRICT;

CREATE TABLE rounds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  chat_id INTEGER NOT NULL,
  thread_id INTEGER NOT NULL, -- the forum topic; 0 outside of one
  quiz_id TEXT NOT NULL,
  language TEXT NOT NULL,
  opener_id INTEGER NOT NULL, -- 0 for an admin who stays anonymous
  status TEXT NOT NULL CHECK (status IN ('lobby', 'asking', 'closing', 'between', 'paused', 'ended')),
  seconds INTEGER NOT NULL,
  questions TEXT NOT NULL, -- 'quiz-id/question-id', one a line
  asked INTEGER NOT NULL DEFAULT 0,
  silent INTEGER NOT NULL DEFAULT 0,
  pause_wanted INTEGER NOT NULL DEFAULT 0,
  opened_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

CREATE UNIQUE INDEX rounds_running ON rounds (chat_id, thread_id) WHERE ended_at IS NULL;

CREATE TABLE players (
  round_id INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  joined_at INTEGER NOT NULL,
  PRIMARY KEY (round_id, learner_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX players_of_learner ON players (learner_id);

ALTER TABLE polls ADD COLUMN round_id INTEGER REFERENCES rounds (id) ON DELETE SET NULL;
ALTER TABLE polls ADD COLUMN open_seconds INTEGER; -- how long a round's poll takes votes

CREATE INDEX polls_of_round ON polls (round_id) WHERE round_id IS NOT NULL;

-- A group's table: what its members answered in rounds, by week (its Monday, ISO 8601, UTC).
CREATE TABLE scores (
  chat_id INTEGER NOT NULL,
  week TEXT NOT NULL,
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  answers INTEGER NOT NULL,
  right_answers INTEGER NOT NULL,
  right_ms INTEGER NOT NULL, -- the sum of the times of the right answers
  PRIMARY KEY (chat_id, week, learner_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX scores_of_learner ON scores (learner_id);

-- Messages that are edited or replied to later, by a name of ours.
CREATE TABLE named_messages (
  name TEXT PRIMARY KEY,
  chat_id INTEGER NOT NULL,
  message_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX named_messages_of_chat ON named_messages (chat_id);

-- The named message that a letter sends, edits or replies to.
ALTER TABLE outbox ADD COLUMN message_name TEXT;
