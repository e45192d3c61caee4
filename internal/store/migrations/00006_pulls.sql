-- +goose Up

-- What waits to be pulled has a row for each booking, in the order in which it is
-- returned, and a pull has a row for each booking it returned. So a pull costs
-- what it returns, however much waits behind it, and the log of actions itself is
-- never written to again.

CREATE TABLE waiting (
	account  TEXT COLLATE_BYTES NOT NULL,
	booking  TEXT COLLATE_BYTES NOT NULL,
	from_seq INTEGER NOT NULL, -- the first and the last action that wait
	to_seq   INTEGER NOT NULL,
	since    BIGINT  NOT NULL, -- of the first of them: its place in the queue
	latest   BIGINT  NOT NULL, -- of the latest of them: its place in an answer
	pull     TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- the pull whose answer is being written
	taken    INTEGER NOT NULL DEFAULT 0, -- the last action that this pull has
	PRIMARY KEY (account, booking)
);
INSERT INTO waiting (account, booking, from_seq, to_seq, since, latest)
SELECT account, booking, min(seq), max(seq), min(at), max(at)
FROM action
WHERE pull = '' OR EXISTS (
	SELECT 1
	FROM pull p
	WHERE p.account = action.account AND p.id = action.pull AND p.written = 0)
GROUP BY account, booking;
CREATE INDEX waiting_pull ON waiting (account, pull, since, booking);

CREATE TABLE pull_booking (
	account  TEXT COLLATE_BYTES NOT NULL,
	pull     TEXT COLLATE_BYTES NOT NULL,
	place    INTEGER NOT NULL, -- in the answer, from 1
	booking  TEXT COLLATE_BYTES NOT NULL,
	from_seq INTEGER NOT NULL,
	to_seq   INTEGER NOT NULL,
	PRIMARY KEY (account, pull, place)
);
INSERT INTO pull_booking (account, pull, place, booking, from_seq, to_seq)
SELECT a.account, a.pull, row_number() OVER (PARTITION BY a.account, a.pull ORDER BY max(a.at), a.booking), a.booking, min(a.seq), max(a.seq)
FROM action a
JOIN pull p ON p.account = a.account AND p.id = a.pull AND p.written = 1
GROUP BY a.account, a.pull, a.booking;

CREATE TABLE pull_kept (
	account    TEXT COLLATE_BYTES NOT NULL,
	id         TEXT COLLATE_BYTES NOT NULL,
	number     BIGINT  NOT NULL, -- from 1: the order in which they began
	created_at BIGINT  NOT NULL,
	bookings   INTEGER NOT NULL,
	actions    INTEGER NOT NULL,
	written    INTEGER NOT NULL, -- 1 when the actions are its own for good: the customer named it, or the whole answer was written
	lease      BIGINT  NOT NULL, -- until when the answer may still be being written
	PRIMARY KEY (account, id)
);
INSERT INTO pull_kept (account, id, number, created_at, bookings, actions, written, lease)
SELECT p.account, p.id, row_number() OVER (PARTITION BY p.account ORDER BY p.created_at, p.id), p.created_at,
	count(b.booking), sum(b.to_seq - b.from_seq + 1), 1, 0
FROM pull p
JOIN pull_booking b ON b.account = p.account AND b.pull = p.id
GROUP BY p.account, p.id, p.created_at;
DROP TABLE pull;
ALTER TABLE pull_kept RENAME TO pull;
CREATE UNIQUE INDEX pull_number ON pull (account, number);
CREATE INDEX pull_open ON pull (account, lease) WHERE written = 0;

DROP INDEX action_pull;
ALTER TABLE action DROP COLUMN pull;
