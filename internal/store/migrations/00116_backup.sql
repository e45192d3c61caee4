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

-- What suppliers said after a restore: of a booking, of an order that no booking has, or of their orders as a whole.
CREATE TABLE restored_order (
	account TEXT COLLATE_BYTES NOT NULL,
	kind    TEXT COLLATE_BYTES NOT NULL, -- booking, order or list
	id      TEXT COLLATE_BYTES NOT NULL, -- the booking, the supplier's order, or empty
	outcome TEXT COLLATE_BYTES NOT NULL, -- same, differs or unanswered
	words   TEXT COLLATE_BYTES NOT NULL,
	at      BIGINT NOT NULL,
	PRIMARY KEY (account, kind, id)
);
