-- +goose Up

-- oldest: 108

-- Who looks after a company's ships in a port.
CREATE TABLE port_agent (
	account TEXT COLLATE_BYTES NOT NULL,
	port    TEXT COLLATE_BYTES NOT NULL,
	name    TEXT COLLATE_BYTES NOT NULL,
	phone   TEXT COLLATE_BYTES NOT NULL,
	mail    TEXT COLLATE_BYTES NOT NULL, -- addresses, with a blank between them
	PRIMARY KEY (account, port)
);

-- The links that open an itinerary without sign-in: of a booking, or of a crew change. hash is that of what is secret
-- in a link's address.
CREATE TABLE shared_link (
	account    TEXT COLLATE_BYTES NOT NULL,
	id         TEXT COLLATE_BYTES NOT NULL,
	hash       TEXT COLLATE_BYTES NOT NULL UNIQUE,
	booking    TEXT COLLATE_BYTES NOT NULL,
	change_key TEXT COLLATE_BYTES NOT NULL,
	made_at    BIGINT NOT NULL,
	made_by    TEXT COLLATE_BYTES NOT NULL,
	made_name  TEXT COLLATE_BYTES NOT NULL,
	opened     BIGINT NOT NULL DEFAULT 0,
	opened_at  BIGINT NOT NULL DEFAULT 0, -- the last time
	PRIMARY KEY (account, id)
);
CREATE INDEX shared_link_of ON shared_link (account, booking, change_key, made_at);
CREATE INDEX shared_link_made ON shared_link (made_at);

-- The lists of flights that were sent to ships' agents.
CREATE TABLE agent_list (
	account    TEXT COLLATE_BYTES NOT NULL,
	id         TEXT COLLATE_BYTES NOT NULL,
	change_key TEXT COLLATE_BYTES NOT NULL,
	sent_at    BIGINT NOT NULL,
	sent_by    TEXT COLLATE_BYTES NOT NULL,
	sent_name  TEXT COLLATE_BYTES NOT NULL,
	sent_to    TEXT COLLATE_BYTES NOT NULL, -- addresses, with a blank between them
	outcome    TEXT COLLATE_BYTES NOT NULL, -- sending, sent or unconfirmed
	PRIMARY KEY (account, id)
);
CREATE INDEX agent_list_of ON agent_list (account, change_key, sent_at);
CREATE INDEX agent_list_sent ON agent_list (account, sent_at);
CREATE INDEX agent_list_old ON agent_list (sent_at);

-- What each booking's row said, to mark what has changed since.
CREATE TABLE agent_list_row (
	account TEXT COLLATE_BYTES NOT NULL,
	list    TEXT COLLATE_BYTES NOT NULL,
	booking TEXT COLLATE_BYTES NOT NULL,
	words   TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, list, booking),
	FOREIGN KEY (account, list) REFERENCES agent_list (account, id) ON DELETE CASCADE
);
CREATE INDEX agent_list_row_of ON agent_list_row (account, booking);
