-- +goose Up

-- oldest: 108

-- When gangway backup last copied the database, and how long the copy is: at most one row.
CREATE TABLE last_backup (
	id    INTEGER NOT NULL PRIMARY KEY,
	at    BIGINT NOT NULL,
	bytes BIGINT NOT NULL
);

-- The copy that the database was restored from: at most one row. Until the operator confirms the differences
-- (confirmed_at), servers only read.
CREATE TABLE restored (
	id           INTEGER NOT NULL PRIMARY KEY,
	copied_at    BIGINT NOT NULL,
	restored_at  BIGINT NOT NULL,
	confirmed_at BIGINT NOT NULL DEFAULT 0
);
