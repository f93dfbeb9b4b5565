-- When a poll went out, and when Telegram says that it was opened: what tells equal ones apart.

ALTER TABLE outbox ADD COLUMN sent_at INTEGER; -- the last time
ALTER TABLE sightings ADD COLUMN opened_at INTEGER; -- to the second; NULL where it takes votes without end
