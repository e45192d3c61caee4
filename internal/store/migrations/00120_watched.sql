-- +goose Up

-- oldest: 108

-- A server that runs on the database. It says every half minute that it still does.
CREATE TABLE replica (
	id       TEXT COLLATE_BYTES NOT NULL PRIMARY KEY,
	machine  TEXT COLLATE_BYTES NOT NULL, -- and its process
	version  TEXT COLLATE_BYTES NOT NULL,
	revision TEXT COLLATE_BYTES NOT NULL, -- the commit
	schema   BIGINT NOT NULL, -- the newest that it knows
	began    BIGINT NOT NULL,
	seen     BIGINT NOT NULL
);

-- The request that caused the work, as the header Request-Id named it; empty: the work was due by itself.
ALTER TABLE action ADD COLUMN IF NOT EXISTS request TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE intent ADD COLUMN IF NOT EXISTS request TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE batch ADD COLUMN IF NOT EXISTS request TEXT COLLATE_BYTES NOT NULL DEFAULT '';
