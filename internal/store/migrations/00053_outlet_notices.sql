-- +goose Up

-- oldest: 43

-- The latest that an account's admins were told of an outlet, so that of many replicas one tells it. A program that
-- does not know it tells nothing.
CREATE TABLE outlet_notice (
	account    TEXT COLLATE_BYTES NOT NULL,
	outlet     TEXT COLLATE_BYTES NOT NULL,
	news       TEXT COLLATE_BYTES NOT NULL, -- '': they were told nothing
	since      BIGINT NOT NULL, -- when that trouble began
	told_at    BIGINT NOT NULL,
	well_since BIGINT NOT NULL, -- since when the outlet has been well again, unless they were told that; 0: it is not
	PRIMARY KEY (account, outlet)
);

-- The mails of that to admins which the mail server has not taken yet. Whoever sends one moves due forward.
CREATE TABLE outlet_mail (
	account TEXT COLLATE_BYTES NOT NULL,
	id      TEXT COLLATE_BYTES NOT NULL,
	outlet  TEXT COLLATE_BYTES NOT NULL,
	person  TEXT COLLATE_BYTES NOT NULL,
	news    TEXT COLLATE_BYTES NOT NULL,
	since   BIGINT NOT NULL,
	told_at BIGINT NOT NULL,
	due     BIGINT NOT NULL,
	tries   INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (account, id)
);
