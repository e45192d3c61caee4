-- +goose Up

-- oldest: 35

-- A program that does not know them would erase a person and leave what feeds have stored.

-- A customer's feed: everything but its secrets as JSON, and its secrets, sealed.
CREATE TABLE feed (
	account  TEXT COLLATE_BYTES NOT NULL REFERENCES account (id),
	name     TEXT COLLATE_BYTES NOT NULL,
	doc      TEXT COLLATE_BYTES NOT NULL,
	secrets  TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	version  BIGINT NOT NULL, -- of doc; see feed_version
	due      BIGINT NOT NULL, -- when it is fetched next by itself; 0: never
	lease    BIGINT NOT NULL DEFAULT 0, -- until when a process surely is at it
	holder   TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- which
	have     TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- by what the customer's system knows the answer that we have
	size     BIGINT NOT NULL DEFAULT 0, -- records that its last good run brought
	good_at  BIGINT NOT NULL DEFAULT 0, -- when that was
	failing  BIGINT NOT NULL DEFAULT 0, -- since when no run went well; 0: all is well
	PRIMARY KEY (account, name)
);
CREATE INDEX feed_due ON feed (due, account, name) WHERE due > 0;

-- The earlier versions of a feed, to go back to.
CREATE TABLE feed_version (
	account TEXT COLLATE_BYTES NOT NULL,
	feed    TEXT COLLATE_BYTES NOT NULL,
	version BIGINT NOT NULL,
	doc     TEXT COLLATE_BYTES NOT NULL,
	made_at BIGINT NOT NULL,
	by_whom TEXT COLLATE_BYTES NOT NULL,
	by_name TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, feed, version),
	FOREIGN KEY (account, feed) REFERENCES feed (account, name) ON DELETE CASCADE
);

-- The runs of a feed. A run without an end was interrupted: whoever takes the feed next
-- continues it.
CREATE TABLE feed_run (
	account TEXT COLLATE_BYTES NOT NULL,
	feed    TEXT COLLATE_BYTES NOT NULL,
	id      BIGINT NOT NULL, -- the generation of what it changes
	began   BIGINT NOT NULL,
	ended   BIGINT NOT NULL DEFAULT 0,
	created BIGINT NOT NULL DEFAULT 0, -- records, so far
	updated BIGINT NOT NULL DEFAULT 0,
	removed BIGINT NOT NULL DEFAULT 0,
	failed  INTEGER NOT NULL DEFAULT 0,
	doc     TEXT COLLATE_BYTES NOT NULL DEFAULT '{}', -- the rest of it
	remarks TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- on records that were refused, or stored without what was wrong
	PRIMARY KEY (account, feed, id),
	FOREIGN KEY (account, feed) REFERENCES feed (account, name) ON DELETE CASCADE
);
CREATE INDEX feed_run_began ON feed_run (began);

-- Documents as they came, for some days: one portion in each row, compressed.
CREATE TABLE feed_document (
	account TEXT COLLATE_BYTES NOT NULL,
	feed    TEXT COLLATE_BYTES NOT NULL,
	run     BIGINT NOT NULL,
	place   INTEGER NOT NULL, -- among those of the run, from 0
	portion INTEGER NOT NULL, -- of the document, from 0
	name    TEXT COLLATE_BYTES NOT NULL,
	content_type TEXT COLLATE_BYTES NOT NULL,
	doc     TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, feed, run, place, portion),
	FOREIGN KEY (account, feed, run) REFERENCES feed_run (account, feed, id) ON DELETE CASCADE
);

-- Files and mails whose run has ended and which were not put away yet.
CREATE TABLE feed_arrival (
	account  TEXT COLLATE_BYTES NOT NULL,
	feed     TEXT COLLATE_BYTES NOT NULL,
	key      TEXT COLLATE_BYTES NOT NULL, -- by which the transport knows it
	run      BIGINT NOT NULL,
	failed   INTEGER NOT NULL,
	report   TEXT COLLATE_BYTES NOT NULL,
	answer   TEXT COLLATE_BYTES NOT NULL, -- to a mail; empty: none is due
	PRIMARY KEY (account, feed, key),
	FOREIGN KEY (account, feed) REFERENCES feed (account, name) ON DELETE CASCADE
);
