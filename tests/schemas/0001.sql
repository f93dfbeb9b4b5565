-- A database of version 1 in use: two learners, four answers, a question of unknown fate.
BEGIN TRANSACTION;
CREATE TABLE agenda (
  kind TEXT NOT NULL,
  subject INTEGER NOT NULL, -- the id of what it is about
  due_at INTEGER NOT NULL,
  PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;
INSERT INTO "agenda" VALUES('doubt',5,1772442600000);
INSERT INTO "agenda" VALUES('housekeeping',0,1772445600000);
CREATE TABLE answers (
  poll_id INTEGER NOT NULL REFERENCES polls (id) ON DELETE CASCADE,
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  picked TEXT NOT NULL, -- letters as in polls.choices
  is_right INTEGER NOT NULL CHECK (is_right IN (0, 1)),
  answered_at INTEGER NOT NULL,
  PRIMARY KEY (poll_id, learner_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "answers" VALUES(1,101,'a',1,1772442180000);
INSERT INTO "answers" VALUES(2,101,'b',0,1772442240000);
INSERT INTO "answers" VALUES(3,101,'a',1,1772442360000);
INSERT INTO "answers" VALUES(4,202,'cd',0,1772442420000);
CREATE TABLE attempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('quiz', 'practice')),
  quiz_id TEXT NOT NULL,
  questions TEXT NOT NULL, -- 'quiz-id/question-id', one a line, in the order in which they are asked
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
INSERT INTO "attempts" VALUES(1,101,'quiz','gradient-clipping','gradient-clipping/clip-by-norm-keeps
gradient-clipping/when-to-clip',1772442180000,1772442300000);
INSERT INTO "attempts" VALUES(2,101,'practice','gradient-clipping','gradient-clipping/when-to-clip',1772442360000,NULL);
INSERT INTO "attempts" VALUES(3,202,'quiz','gradient-clipping','gradient-clipping/clip-by-norm-keeps
gradient-clipping/when-to-clip',1772442420000,NULL);
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
INSERT INTO "inbox" VALUES(1,9001,101,'update','','done',NULL,1772442480000);
INSERT INTO "inbox" VALUES(2,9002,202,'update','{"update_id":9002}','failed','KeyError: ''quiz''',1772442480000);
INSERT INTO "inbox" VALUES(3,9003,202,'update','{"update_id":9003}','deferred',NULL,1772442480000);
INSERT INTO "inbox" VALUES(4,9004,NULL,'update','{"update_id":9004}','waiting',NULL,1772442480000);
INSERT INTO "inbox" VALUES(5,NULL,NULL,'due','{"kind":"doubt","subject":5}','waiting',NULL,1772442540000);
CREATE TABLE learners (
  id INTEGER PRIMARY KEY, -- Telegram's user id
  name TEXT NOT NULL,
  client_language TEXT NOT NULL, -- as the client says, '' where it says nothing
  language TEXT, -- chosen by the learner; wins over the client's
  first_seen_at INTEGER NOT NULL
) STRICT;
INSERT INTO "learners" VALUES(101,'Ada','en',NULL,1772442000000);
INSERT INTO "learners" VALUES(202,'Ігор 🧠','uk','ro',1772442060000);
CREATE TABLE lost_chats (
  id INTEGER PRIMARY KEY,
  reason TEXT NOT NULL,
  lost_at INTEGER NOT NULL
) STRICT;
INSERT INTO "lost_chats" VALUES(303,'Forbidden: bot was blocked by the user',1772442120000);
CREATE TABLE notes (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "notes" VALUES('bot','4242');
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
INSERT INTO "outbox" VALUES(1,202,0,'sendPoll','{"chat_id":202,"question":"Which?","options":[{"text":"a"},{"text":"b"}]}',5,'doubtful',0,0);
INSERT INTO "outbox" VALUES(2,101,3,'sendMessage','{"chat_id":101,"text":"Привіт 🧠"}',NULL,'waiting',0,0);
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
INSERT INTO "polls" VALUES(1,'5001',101,1001,1,'gradient-clipping','clip-by-norm-keeps','en','ffffffffffffffff','cabd','a',1772442180000,1772442180000,1772442180000);
INSERT INTO "polls" VALUES(2,'5002',101,1002,1,'gradient-clipping','when-to-clip','en','ffffffffffffffff','cabd','a',1772442240000,1772442240000,1772442240000);
INSERT INTO "polls" VALUES(3,'5003',101,1003,2,'gradient-clipping','when-to-clip','en','ffffffffffffffff','cabd','a',1772442360000,1772442360000,1772442360000);
INSERT INTO "polls" VALUES(4,'5004',202,1004,3,'gradient-clipping','clip-by-norm-keeps','en','ffffffffffffffff','cabd','a',1772442420000,1772442420000,1772442420000);
INSERT INTO "polls" VALUES(5,NULL,202,NULL,3,'gradient-clipping','when-to-clip','ro','eeeeeeeeeeeeeeee','dbac','a',1772442480000,NULL,NULL);
CREATE TABLE sightings (
  telegram_id TEXT PRIMARY KEY,
  question TEXT NOT NULL,
  options TEXT NOT NULL, -- JSON, the texts in their order
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "sightings" VALUES('5999','Which?','["a","b"]',1772442540000);
CREATE UNIQUE INDEX attempts_running ON attempts (learner_id) WHERE ended_at IS NULL;
CREATE INDEX attempts_of_learner ON attempts (learner_id);
CREATE INDEX polls_of_attempt ON polls (attempt_id);
CREATE INDEX answers_of_learner ON answers (learner_id, answered_at);
CREATE INDEX inbox_waiting ON inbox (id) WHERE state = 'waiting';
CREATE INDEX inbox_deferred ON inbox (lane) WHERE state = 'deferred';
CREATE INDEX inbox_done ON inbox (received_at) WHERE state = 'done';
CREATE INDEX sightings_seen ON sightings (seen_at);
CREATE INDEX outbox_of_chat ON outbox (chat_id);
CREATE INDEX outbox_in_state ON outbox (state);
CREATE INDEX outbox_of_poll ON outbox (poll_id) WHERE poll_id IS NOT NULL;
CREATE INDEX agenda_due ON agenda (due_at);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('attempts',3);
INSERT INTO "sqlite_sequence" VALUES('polls',5);
INSERT INTO "sqlite_sequence" VALUES('inbox',5);
INSERT INTO "sqlite_sequence" VALUES('outbox',2);
PRAGMA application_id = 1364479826;
PRAGMA user_version = 1;
COMMIT;
