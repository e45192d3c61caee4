-- +goose Up

-- oldest: 108

-- What of a limit for moves of crew changes was spent, by the booking that was made with it or the request to change one.
-- root is the first of the bookings that took each other's place: what was spent on one person has the same.
CREATE TABLE move_spent (
	account    TEXT COLLATE_BYTES NOT NULL REFERENCES account (id),
	id         TEXT COLLATE_BYTES NOT NULL,
	move_limit TEXT COLLATE_BYTES NOT NULL,
	change_key TEXT COLLATE_BYTES NOT NULL,
	root       TEXT COLLATE_BYTES NOT NULL,
	amount     BIGINT NOT NULL, -- in the smallest unit of the limit's currency
	at         BIGINT NOT NULL,
	PRIMARY KEY (account, id)
);
CREATE INDEX move_spent_change ON move_spent (account, move_limit, change_key);
CREATE INDEX move_spent_old ON move_spent (at);
