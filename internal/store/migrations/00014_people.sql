-- +goose Up

-- People can be shut out and let in again, and their sessions ended at once: a
-- session stores the round in which it began.
ALTER TABLE person ADD COLUMN disabled BIGINT NOT NULL DEFAULT 0; -- since when; 0: may sign in
ALTER TABLE person ADD COLUMN round    BIGINT NOT NULL DEFAULT 0; -- sessions of other rounds are over

-- Where people have signed in from: there, somebody who guesses passwords elsewhere
-- cannot lock them out. Networks and browsers' marks are stored as hashes.
CREATE TABLE familiar (
	person  TEXT   COLLATE_BYTES NOT NULL REFERENCES person (id) ON DELETE CASCADE,
	place   TEXT   COLLATE_BYTES NOT NULL,
	seen_at BIGINT NOT NULL,
	PRIMARY KEY (person, place)
);
