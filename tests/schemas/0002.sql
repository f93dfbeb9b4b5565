-- A database of version 2 in use: that of version 1, and a group with a round over and one in a topic.
BEGIN TRANSACTION;
CREATE TABLE admins (
  chat_id INTEGER PRIMARY KEY,
  learner_ids TEXT NOT NULL, -- JSON
  asked_at INTEGER NOT NULL
) STRICT;
INSERT INTO "admins" VALUES(-1001234567890,'[404,101]',1772528400000);
CREATE TABLE agenda (
  kind TEXT NOT NULL,
  subject INTEGER NOT NULL, -- the id of what it is about
  due_at INTEGER NOT NULL,
  PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;
INSERT INTO "agenda" VALUES('doubt',5,1772442600000);
INSERT INTO "agenda" VALUES('housekeeping',0,1772445600000);
INSERT INTO "agenda" VALUES('close',9,1772528640500);
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
INSERT INTO "answers" VALUES(6,404,'a',1,1772528412000);
INSERT INTO "answers" VALUES(6,505,'b',0,1772528413000);
INSERT INTO "answers" VALUES(7,505,'a',1,1772528464750);
INSERT INTO "answers" VALUES(9,505,'a',1,1772528622500);
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
CREATE TABLE groups (
  chat_id INTEGER PRIMARY KEY,
  language TEXT, -- chosen by an admin
  openers TEXT NOT NULL DEFAULT 'all' CHECK (openers IN ('all', 'admins')) -- who may open a round
) STRICT;
INSERT INTO "groups" VALUES(-1001234567890,'uk','admins');
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
, last_name TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO "learners" VALUES(101,'Ada','en',NULL,1772442000000,'Byron');
INSERT INTO "learners" VALUES(202,'Ігор 🧠','uk','ro',1772442060000,'');
INSERT INTO "learners" VALUES(404,'Оксана','uk',NULL,1772528400000,'Шевченко');
INSERT INTO "learners" VALUES(505,'Dan','ro',NULL,1772528400000,'');
CREATE TABLE lost_chats (
  id INTEGER PRIMARY KEY,
  reason TEXT NOT NULL,
  lost_at INTEGER NOT NULL
) STRICT;
INSERT INTO "lost_chats" VALUES(303,'Forbidden: bot was blocked by the user',1772442120000);
CREATE TABLE named_messages (
  name TEXT PRIMARY KEY,
  chat_id INTEGER NOT NULL,
  message_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "named_messages" VALUES('lobby 2',-1001234567890,19);
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
, message_name TEXT) STRICT;
INSERT INTO "outbox" VALUES(1,202,0,'sendPoll','{"chat_id":202,"question":"Which?","options":[{"text":"a"},{"text":"b"}]}',5,'doubtful',0,0,NULL);
INSERT INTO "outbox" VALUES(2,101,3,'sendMessage','{"chat_id":101,"text":"Привіт 🧠"}',NULL,'waiting',0,0,NULL);
INSERT INTO "outbox" VALUES(3,-1001234567890,1,'editMessageText','{"chat_id":-1001234567890,"text":"Раунд"}',NULL,'sending',0,0,'lobby 2');
CREATE TABLE players (
  round_id INTEGER NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  joined_at INTEGER NOT NULL,
  PRIMARY KEY (round_id, learner_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "players" VALUES(1,404,1772528400000);
INSERT INTO "players" VALUES(1,505,1772528401000);
INSERT INTO "players" VALUES(2,505,1772528580000);
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
, round_id INTEGER REFERENCES rounds (id) ON DELETE SET NULL, open_seconds INTEGER) STRICT;
INSERT INTO "polls" VALUES(1,'5001',101,1001,1,'gradient-clipping','clip-by-norm-keeps','en','ffffffffffffffff','cabd','a',1772442180000,1772442180000,1772442180000,NULL,NULL);
INSERT INTO "polls" VALUES(2,'5002',101,1002,1,'gradient-clipping','when-to-clip','en','ffffffffffffffff','cabd','a',1772442240000,1772442240000,1772442240000,NULL,NULL);
INSERT INTO "polls" VALUES(3,'5003',101,1003,2,'gradient-clipping','when-to-clip','en','ffffffffffffffff','cabd','a',1772442360000,1772442360000,1772442360000,NULL,NULL);
INSERT INTO "polls" VALUES(4,'5004',202,1004,3,'gradient-clipping','clip-by-norm-keeps','en','ffffffffffffffff','cabd','a',1772442420000,1772442420000,1772442420000,NULL,NULL);
INSERT INTO "polls" VALUES(5,NULL,202,NULL,3,'gradient-clipping','when-to-clip','ro','eeeeeeeeeeeeeeee','dbac','a',1772442480000,NULL,NULL,NULL,NULL);
INSERT INTO "polls" VALUES(6,'6001',-1001234567890,11,NULL,'gradient-clipping','clip-by-norm-keeps','uk','dddddddddddddddd','bdca','a',1772528410000,1772528410500,1772528440500,1,30);
INSERT INTO "polls" VALUES(7,'6002',-1001234567890,13,NULL,'gradient-clipping','when-to-clip','uk','dddddddddddddddd','bdca','a',1772528460000,1772528460500,1772528490500,1,30);
INSERT INTO "polls" VALUES(8,'6003',-1001234567890,21,NULL,'gradient-clipping','clip-by-norm-keeps','uk','dddddddddddddddd','bdca','a',1772528590000,1772528590500,1772528610500,2,20);
INSERT INTO "polls" VALUES(9,'6004',-1001234567890,23,NULL,'gradient-clipping','when-to-clip','uk','dddddddddddddddd','bdca','a',1772528620000,1772528620500,NULL,2,20);
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
INSERT INTO "rounds" VALUES(1,-1001234567890,0,'gradient-clipping','uk',404,'ended',30,'gradient-clipping/clip-by-norm-keeps
gradient-clipping/when-to-clip',2,0,0,1772528400000,1772528520000);
INSERT INTO "rounds" VALUES(2,-1001234567890,7,'gradient-clipping','uk',0,'asking',20,'gradient-clipping/clip-by-norm-keeps
gradient-clipping/when-to-clip',1,1,1,1772528580000,NULL);
CREATE TABLE scores (
  chat_id INTEGER NOT NULL,
  week TEXT NOT NULL,
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  answers INTEGER NOT NULL,
  right_answers INTEGER NOT NULL,
  right_ms INTEGER NOT NULL, -- the sum of the times of the right answers
  PRIMARY KEY (chat_id, week, learner_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "scores" VALUES(-1001234567890,'2026-02-23',404,3,2,9000);
INSERT INTO "scores" VALUES(-1001234567890,'2026-03-02',404,1,1,1500);
INSERT INTO "scores" VALUES(-1001234567890,'2026-03-02',505,3,2,6250);
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
CREATE UNIQUE INDEX rounds_running ON rounds (chat_id, thread_id) WHERE ended_at IS NULL;
CREATE INDEX players_of_learner ON players (learner_id);
CREATE INDEX polls_of_round ON polls (round_id) WHERE round_id IS NOT NULL;
CREATE INDEX scores_of_learner ON scores (learner_id);
CREATE INDEX named_messages_of_chat ON named_messages (chat_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('attempts',3);
INSERT INTO "sqlite_sequence" VALUES('polls',9);
INSERT INTO "sqlite_sequence" VALUES('inbox',5);
INSERT INTO "sqlite_sequence" VALUES('outbox',3);
INSERT INTO "sqlite_sequence" VALUES('rounds',2);
PRAGMA application_id = 1364479826;
PRAGMA user_version = 2;
COMMIT;
