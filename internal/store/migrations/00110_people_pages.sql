-- +goose Up

-- oldest: 108

-- An invitation lets somebody choose a password and become a person of the customer, which uses it up. Programs that do
-- not know of it remove customers. With a person it lets that one choose another password.
CREATE TABLE invitation (
	customer   TEXT COLLATE_BYTES NOT NULL REFERENCES customer (id) ON DELETE CASCADE,
	email      TEXT COLLATE_BYTES NOT NULL,
	name       TEXT COLLATE_BYTES NOT NULL,
	role       TEXT COLLATE_BYTES NOT NULL,
	token_hash TEXT COLLATE_BYTES NOT NULL UNIQUE,
	created_at BIGINT NOT NULL,
	person     TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	round      BIGINT NOT NULL DEFAULT 0, -- the person's when it was made: it ends with their sessions
	made_by    TEXT COLLATE_BYTES NOT NULL, -- an admin's e-mail, or that it was the operator
	PRIMARY KEY (customer, email)
);
CREATE INDEX invitation_created ON invitation (created_at);

ALTER TABLE person ADD COLUMN IF NOT EXISTS seen_at BIGINT NOT NULL DEFAULT 0; -- to within an hour
ALTER TABLE credential ADD COLUMN IF NOT EXISTS name TEXT COLLATE_BYTES NOT NULL DEFAULT ''; -- what uses it
