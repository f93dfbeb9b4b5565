-- Learners and their attempts, and the pipeline that carries updates in and messages out.
-- Every column that ends in _at holds milliseconds since 1970, UTC.

-- Single values that the bot keeps for itself: whose database this is, what it told Telegram last.
CREATE TABLE notes (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE learners (
  id INTEGER PRIMARY KEY, -- Telegram's user id
  name TEXT NOT NULL,
  client_language TEXT NOT NULL, -- as the client says, '' where it says nothing
  language TEXT, -- chosen by the learner; wins over the client's
  first_seen_at INTEGER NOT NULL
) STRICT;

-- Chats that Telegram refuses to let us write to, until they write to us again.
CREATE TABLE lost_chats (
  id INTEGER PRIMARY KEY,
  reason TEXT NOT NULL,
  lost_at INTEGER NOT NULL
) STRICT;

CREATE TABLE attempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('quiz', 'practice')),
  quiz_id TEXT NOT NULL,
  questions TEXT NOT NULL, -- 'quiz-id/question-id', one a line, in the order in which they are asked
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

CREATE UNIQUE INDEX attempts_running ON attempts (learner_id) WHERE ended_at IS NULL;
CREATE INDEX attempts_of_learner ON attempts (learner_id);

-- Every question that was asked. Rows are never deleted: an old poll must never be taken for a new one.
CREATE TABLE polls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  telegram_id TEXT UNIQUE, -- Telegram's poll id, once it is known
  chat_id INTEGER NOT NULL,
  message_id INTEGER,
  attempt_id INTEGER REFERENCES attempts (id) ON DELETE SET NULL, -- NULL once it is forgotten
  quiz_id TEXT NOT NULL,
  question_id TEXT NOT NULL,
  language TEXT NOT NULL,
  fingerprint TEXT NOT NULL, -- of the question's texts, as asked
  choices TEXT NOT NULL, -- quiz.yaml's positions as letters from a, in the order in which they were sent
  correct TEXT NOT NULL, -- the letters of the right ones
  decided_at INTEGER NOT NULL,
  asked_at INTEGER, -- when Telegram accepted it, or when a vote proved that it had
  closed_at INTEGER
) STRICT;

CREATE INDEX polls_of_attempt ON polls (attempt_id);

CREATE TABLE answers (
  poll_id INTEGER NOT NULL REFERENCES polls (id) ON DELETE CASCADE,
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  picked TEXT NOT NULL, -- letters as in polls.choices
  is_right INTEGER NOT NULL CHECK (is_right IN (0, 1)),
  answered_at INTEGER NOT NULL,
  PRIMARY KEY (poll_id, learner_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX answers_of_learner ON answers (learner_id, answered_at);

-- What came in. Handled rows keep their update_id for a while, so that a repeated update is known.
CREATE TABLE inbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  update_id INTEGER UNIQUE, -- NULL for what the bot tells itself, and once the id is used anew
  lane INTEGER, -- who it comes from: handled in order within a lane
  kind TEXT NOT NULL CHECK (kind IN ('update', 'outcome', 'due')),
  body TEXT NOT NULL, -- JSON; emptied when done
  state TEXT NOT NULL CHECK (state IN ('waiting', 'deferred', 'done', 'failed')),
  error TEXT,
  received_at INTEGER NOT NULL
) STRICT;

CREATE INDEX inbox_waiting ON inbox (id) WHERE state = 'waiting';
CREATE INDEX inbox_deferred ON inbox (lane) WHERE state = 'deferred';
CREATE INDEX inbox_done ON inbox (received_at) WHERE state = 'done';

-- Questions and choices of polls that nobody knew when Telegram told of them, for adopting a vote.
CREATE TABLE sightings (
  telegram_id TEXT PRIMARY KEY,
  question TEXT NOT NULL,
  options TEXT NOT NULL, -- JSON, the texts in their order
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sightings_seen ON sightings (seen_at);

-- What is to be said. A row goes when Telegram has it.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  chat_id INTEGER NOT NULL, -- the order is kept within one chat
  priority INTEGER NOT NULL,
  method TEXT NOT NULL,
  params TEXT NOT NULL, -- JSON
  poll_id INTEGER REFERENCES polls (id) ON DELETE CASCADE, -- the poll it sends, stops or replies to
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'doubtful')),
  doubts INTEGER NOT NULL DEFAULT 0, -- how often its fate was unknown
  not_before_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX outbox_of_chat ON outbox (chat_id);
CREATE INDEX outbox_in_state ON outbox (state);
CREATE INDEX outbox_of_poll ON outbox (poll_id) WHERE poll_id IS NOT NULL;

-- What is due later. One row a kind and subject.
CREATE TABLE agenda (
  kind TEXT NOT NULL,
  subject INTEGER NOT NULL, -- the id of what it is about
  due_at INTEGER NOT NULL,
  PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX agenda_due ON agenda (due_at);
