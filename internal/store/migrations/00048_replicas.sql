-- +goose Up

-- oldest: 40

-- The replicas that deliver, each a row that it changes every second: whose row stays as it is has been stopped,
-- and what it was delivering is given back. The part of a lane's holder before the stroke is the replica.
CREATE TABLE replica (
	id   TEXT COLLATE_BYTES NOT NULL PRIMARY KEY,
	beat BIGINT NOT NULL
);
