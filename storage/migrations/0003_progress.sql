-- What a learner's progress comes from: memories, days, streak; reminders and reports.

ALTER TABLE learners ADD COLUMN zone TEXT; -- chosen by the learner, as in the IANA time zone database
ALTER TABLE learners ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0; -- begun
ALTER TABLE learners ADD COLUMN finished INTEGER NOT NULL DEFAULT 0; -- quizzes answered to the end

UPDATE learners SET
  attempts = (SELECT count(*) FROM attempts WHERE learner_id = learners.id),
  finished = (
    SELECT count(*) FROM attempts
    WHERE learner_id = learners.id AND kind = 'quiz' AND ended_at IS NOT NULL AND questions != ''
    -- As many questions answered as there are lines.
    AND length(questions) - length(replace(questions, char(10), '')) < (
      SELECT count(DISTINCT quiz_id || '/' || question_id)
      FROM polls JOIN answers ON answers.poll_id = polls.id WHERE attempt_id = attempts.id
    )
  );

-- An attempt may also be a review, of questions from all quizzes; its quiz_id is ''.
CREATE TABLE attempts_with_reviews (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('quiz', 'practice', 'review')),
  quiz_id TEXT NOT NULL,
  questions TEXT NOT NULL, -- 'quiz-id/question-id', one a line, in the order in which they are asked
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

INSERT INTO attempts_with_reviews SELECT * FROM attempts;
-- No id is ever given twice, not even one whose row is gone: old buttons carry it.
DELETE FROM sqlite_sequence WHERE name = 'attempts_with_reviews';
INSERT INTO sqlite_sequence (name, seq)
  SELECT 'attempts_with_reviews', seq FROM sqlite_sequence WHERE name = 'attempts';
DROP TABLE attempts;
ALTER TABLE attempts_with_reviews RENAME TO attempts;

CREATE UNIQUE INDEX attempts_running ON attempts (learner_id) WHERE ended_at IS NULL;
CREATE INDEX attempts_of_learner ON attempts (learner_id);

-- What is known of one learner and one question; the columns are FSRS's.
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

-- Every answer as FSRS saw it, so that its parameters can be fitted to the learners later.
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

CREATE INDEX reviews_of_learner ON reviews (learner_id);

-- Answers by the learner's own day, which begins at 04:00 where they were at the time.
CREATE TABLE days (
  learner_id INTEGER NOT NULL REFERENCES learners (id) ON DELETE CASCADE,
  day TEXT NOT NULL, -- ISO 8601
  answers INTEGER NOT NULL,
  right_answers INTEGER NOT NULL,
  PRIMARY KEY (learner_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE streaks (
  learner_id INTEGER PRIMARY KEY REFERENCES learners (id) ON DELETE CASCADE,
  length INTEGER NOT NULL,
  best INTEGER NOT NULL,
  last_day TEXT NOT NULL, -- ISO 8601
  last_active_at INTEGER NOT NULL
) STRICT;

CREATE TABLE reminders (
  learner_id INTEGER PRIMARY KEY REFERENCES learners (id) ON DELETE CASCADE,
  time_of_day TEXT NOT NULL, -- HH:MM, the learner's own
  last_day TEXT -- the day of the last one, ISO 8601
) STRICT;

-- What learners found wrong with a question.
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

CREATE UNIQUE INDEX reports_of_learner ON reports (learner_id, poll_id);
CREATE INDEX reports_of_poll ON reports (poll_id);

-- For finding what is stored of one learner.
CREATE INDEX polls_of_chat ON polls (chat_id);
CREATE INDEX rounds_of_opener ON rounds (opener_id);
CREATE INDEX inbox_undone ON inbox (lane) WHERE state != 'done';

-- What is done keeps an update's id, and nothing of whom it came from.
UPDATE inbox SET lane = NULL, error = NULL WHERE state = 'done';
