-- When a poll went out, and what Telegram says of how long it is open: what tells equal ones apart.

ALTER TABLE outbox ADD COLUMN sent_at INTEGER; -- the last time
ALTER TABLE sightings ADD COLUMN open_seconds INTEGER; -- 0: without end; NULL where a poll does not say
ALTER TABLE sightings ADD COLUMN opened_at INTEGER; -- to the second; NULL where a poll does not say
