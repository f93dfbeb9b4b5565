-- A database of version 5 in use: that of version 4, where it is kept when letters went out.
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
INSERT INTO "agenda" VALUES('remind',202,1772731822000);
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
CREATE TABLE "attempts" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('quiz', 'practice', 'review')),
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
INSERT INTO "attempts" VALUES(4,505,'review','','gradient-clipping/when-to-clip
softmax/sums-to-one',1772614800000,NULL);
CREATE TABLE days (
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  day TEXT NOT NULL, -- ISO 8601
  answers INTEGER NOT NULL,
  right_answers INTEGER NOT NULL,
  PRIMARY KEY (learner_id, day)
) STRICT, WITHOUT ROWID;
INSERT INTO "days" VALUES(101,'2026-03-02',3,2);
INSERT INTO "days" VALUES(202,'2026-03-02',1,0);
INSERT INTO "days" VALUES(404,'2026-03-03',1,1);
INSERT INTO "days" VALUES(505,'2026-03-03',3,2);
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
, tries INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "inbox" VALUES(1,9001,NULL,'update','','done',NULL,1772442480000,0);
INSERT INTO "inbox" VALUES(2,9002,202,'update','{"update_id":9002}','failed','KeyError: ''quiz''',1772442480000,3);
INSERT INTO "inbox" VALUES(3,9003,202,'update','{"update_id":9003}','deferred',NULL,1772442480000,0);
INSERT INTO "inbox" VALUES(4,9004,NULL,'update','{"update_id":9004}','waiting',NULL,1772442480000,0);
INSERT INTO "inbox" VALUES(5,NULL,NULL,'due','{"kind":"doubt","subject":5}','waiting',NULL,1772442540000,0);
CREATE TABLE learners (
  id INTEGER PRIMARY KEY, -- Telegram's user id
  name TEXT NOT NULL,
  client_language TEXT NOT NULL, -- as the client says, '' where it says nothing
  language TEXT, -- chosen by the learner; wins over the client's
  first_seen_at INTEGER NOT NULL
, last_name TEXT NOT NULL DEFAULT '', zone TEXT, attempts INTEGER NOT NULL DEFAULT 0, finished INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "learners" VALUES(101,'Ada','en',NULL,1772442000000,'Byron',NULL,2,1);
INSERT INTO "learners" VALUES(202,'Ігор 🧠','uk','ro',1772442060000,'','Europe/Chisinau',1,0);
INSERT INTO "learners" VALUES(404,'Оксана','uk',NULL,1772528400000,'Шевченко',NULL,0,0);
INSERT INTO "learners" VALUES(505,'Dan','ro',NULL,1772528400000,'',NULL,1,0);
CREATE TABLE lost_chats (
  id INTEGER PRIMARY KEY,
  reason TEXT NOT NULL,
  lost_at INTEGER NOT NULL
) STRICT;
INSERT INTO "lost_chats" VALUES(303,'Forbidden: bot was blocked by the user',1772442120000);
CREATE TABLE memories (
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  quiz_id TEXT NOT NULL,
  question_id TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  stability REAL NOT NULL, -- days
  difficulty REAL NOT NULL, -- 1 to 10
  last_review_at INTEGER NOT NULL,
  stage TEXT NOT NULL CHECK (stage IN ('learning', 'review', 'relearning')),
  answers INTEGER NOT NULL,
  right_answers INTEGER NOT NULL,
  lapses INTEGER NOT NULL,
  PRIMARY KEY (learner_id, quiz_id, question_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "memories" VALUES(101,'gradient-clipping','clip-by-norm-keeps',1772614980000,2.3065,2.11810397045901588342e+00,1772442180000,'review',1,1,0);
INSERT INTO "memories" VALUES(101,'gradient-clipping','when-to-clip',1772528760000,2.46689187775672724711e-01,6.40211506929683782374e+00,1772442360000,'review',2,1,0);
INSERT INTO "memories" VALUES(202,'gradient-clipping','clip-by-norm-keeps',1772443020000,0.212,6.4133,1772442420000,'learning',1,0,0);
INSERT INTO "memories" VALUES(404,'gradient-clipping','clip-by-norm-keeps',1772701212000,2.3065,2.11810397045901588342e+00,1772528412000,'review',1,1,0);
INSERT INTO "memories" VALUES(505,'gradient-clipping','clip-by-norm-keeps',1772529013000,0.212,6.4133,1772528413000,'learning',1,0,0);
INSERT INTO "memories" VALUES(505,'gradient-clipping','when-to-clip',1772701422500,2.3065,2.11121423578539513243e+00,1772528622500,'review',2,2,0);
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
INSERT INTO "notes" VALUES('answers counted','yes');
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
, message_name TEXT, sent_at INTEGER) STRICT;
INSERT INTO "outbox" VALUES(1,202,0,'sendPoll','{"chat_id":202,"question":"Which?","options":[{"text":"a"},{"text":"b"}]}',5,'doubtful',0,0,NULL,1772442500000);
INSERT INTO "outbox" VALUES(2,101,3,'sendMessage','{"chat_id":101,"text":"Привіт 🧠"}',NULL,'waiting',0,0,NULL,NULL);
INSERT INTO "outbox" VALUES(3,-1001234567890,1,'editMessageText','{"chat_id":-1001234567890,"text":"Раунд"}',NULL,'sending',0,0,'lobby 2',1772528590000);
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
CREATE TABLE reminders (
  learner_id INTEGER PRIMARY KEY REFERENCES learners (id) ON DELETE CASCADE,
  time_of_day TEXT NOT NULL, -- HH:MM, the learner's own
  last_day TEXT -- the day of the last one, ISO 8601
) STRICT;
INSERT INTO "reminders" VALUES(202,'19:30','2026-03-04');
CREATE TABLE reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  learner_id INTEGER REFERENCES learners (id) ON DELETE SET NULL,
  poll_id INTEGER NOT NULL REFERENCES polls (id),
  quiz_id TEXT NOT NULL,
  question_id TEXT NOT NULL,
  language TEXT NOT NULL,
  fingerprint TEXT NOT NULL, -- of the question's texts, as asked
  reported_at INTEGER NOT NULL
) STRICT;
INSERT INTO "reports" VALUES(1,202,4,'gradient-clipping','clip-by-norm-keeps','en','ffffffffffffffff',1772614800000);
INSERT INTO "reports" VALUES(2,NULL,6,'gradient-clipping','clip-by-norm-keeps','uk','dddddddddddddddd',1772614800000);
CREATE TABLE reviews (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  quiz_id TEXT NOT NULL,
  question_id TEXT NOT NULL,
  reviewed_at INTEGER NOT NULL,
  rating INTEGER NOT NULL CHECK (rating IN (1, 3)), -- again, good
  stage TEXT, -- this and what follows: before the answer; NULL at the first one
  stability REAL,
  difficulty REAL,
  elapsed_ms INTEGER
) STRICT;
INSERT INTO "reviews" VALUES(1,101,'gradient-clipping','clip-by-norm-keeps',1772442180000,3,NULL,NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(2,101,'gradient-clipping','when-to-clip',1772442240000,1,NULL,NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(3,101,'gradient-clipping','when-to-clip',1772442360000,3,'learning',0.212,6.4133,120000);
INSERT INTO "reviews" VALUES(4,202,'gradient-clipping','clip-by-norm-keeps',1772442420000,1,NULL,NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(5,404,'gradient-clipping','clip-by-norm-keeps',1772528412000,3,NULL,NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(6,505,'gradient-clipping','clip-by-norm-keeps',1772528413000,1,NULL,NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(7,505,'gradient-clipping','when-to-clip',1772528464750,3,NULL,NULL,NULL,NULL);
INSERT INTO "reviews" VALUES(8,505,'gradient-clipping','when-to-clip',1772528622500,3,'review',2.3065,2.11810397045901588342e+00,157750);
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
, open_seconds INTEGER, opened_at INTEGER) STRICT, WITHOUT ROWID;
INSERT INTO "sightings" VALUES('5999','Which?','["a","b"]',1772442540000,NULL,NULL);
CREATE TABLE streaks (
  learner_id INTEGER PRIMARY KEY REFERENCES learners (id) ON DELETE CASCADE,
  length INTEGER NOT NULL,
  best INTEGER NOT NULL,
  last_day TEXT NOT NULL, -- ISO 8601
  last_active_at INTEGER NOT NULL
) STRICT;
INSERT INTO "streaks" VALUES(101,1,1,'2026-03-02',1772442360000);
INSERT INTO "streaks" VALUES(202,1,1,'2026-03-02',1772442420000);
INSERT INTO "streaks" VALUES(404,1,1,'2026-03-03',1772528412000);
INSERT INTO "streaks" VALUES(505,1,1,'2026-03-03',1772528622500);
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
CREATE UNIQUE INDEX attempts_running ON attempts (learner_id) WHERE ended_at IS NULL;
CREATE INDEX attempts_of_learner ON attempts (learner_id);
CREATE INDEX reviews_of_learner ON reviews (learner_id);
CREATE UNIQUE INDEX reports_of_learner ON reports (learner_id, poll_id);
CREATE INDEX reports_of_poll ON reports (poll_id);
CREATE INDEX polls_of_chat ON polls (chat_id);
CREATE INDEX rounds_of_opener ON rounds (opener_id);
CREATE INDEX inbox_undone ON inbox (lane) WHERE state != 'done';
CREATE INDEX rounds_ended ON rounds (ended_at) WHERE ended_at IS NOT NULL;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('polls',9);
INSERT INTO "sqlite_sequence" VALUES('inbox',5);
INSERT INTO "sqlite_sequence" VALUES('outbox',3);
INSERT INTO "sqlite_sequence" VALUES('rounds',2);
INSERT INTO "sqlite_sequence" VALUES('attempts',6);
INSERT INTO "sqlite_sequence" VALUES('reviews',8);
INSERT INTO "sqlite_sequence" VALUES('reports',2);
PRAGMA application_id = 1364479826;
PRAGMA user_version = 5;
COMMIT;
