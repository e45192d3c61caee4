-- +goose Up

-- oldest: 17

-- Which process is looking for the flights of a search, and what it has found so
-- far, for people who follow the search on another replica. It is kept for minutes,
-- and names nobody.
CREATE TABLE search_session (
	account TEXT COLLATE_BYTES NOT NULL,
	key     TEXT COLLATE_BYTES NOT NULL, -- what is looked for
	holder  TEXT COLLATE_BYTES NOT NULL, -- the process that looks for it
	lease   BIGINT  NOT NULL, -- until when it surely does
	expires BIGINT  NOT NULL, -- from then on it is looked for anew
	found   INTEGER NOT NULL, -- how many findings there are
	size    BIGINT  NOT NULL, -- of them, in bytes
	ended   INTEGER NOT NULL, -- 1: nothing more comes
	PRIMARY KEY (account, key)
);
CREATE INDEX search_session_old ON search_session (account, expires);

CREATE TABLE search_finding (
	account TEXT COLLATE_BYTES NOT NULL,
	key     TEXT COLLATE_BYTES NOT NULL,
	place   INTEGER NOT NULL, -- in the order in which they came, from 1
	doc     TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, key, place),
	FOREIGN KEY (account, key) REFERENCES search_session (account, key) ON DELETE CASCADE
);
