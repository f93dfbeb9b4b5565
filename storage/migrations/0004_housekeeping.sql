-- How often what failed was tried; and finding rounds that are long over, for forgetting them.

ALTER TABLE inbox ADD COLUMN tries INTEGER NOT NULL DEFAULT 0; -- that failed

UPDATE inbox SET tries = 1 WHERE error IS NOT NULL; -- at least

CREATE INDEX rounds_ended ON rounds (ended_at) WHERE ended_at IS NOT NULL;
