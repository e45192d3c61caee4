-- +goose Up

-- oldest: 46

-- A program that does not know them would erase a person and leave what requests have named.

-- What customers' programs asked, for 30 days. The identifiers are in the order of time.
CREATE TABLE logged_request (
	account  TEXT COLLATE_BYTES NOT NULL REFERENCES account (id),
	id       TEXT COLLATE_BYTES NOT NULL,
	at       BIGINT NOT NULL,
	took_ms  BIGINT NOT NULL,
	method   TEXT COLLATE_BYTES NOT NULL,
	path     TEXT COLLATE_BYTES NOT NULL, -- of the endpoint; '' for an address at which there is nothing
	status   BIGINT NOT NULL,
	api_key  TEXT COLLATE_BYTES NOT NULL, -- its identifier
	received BIGINT NOT NULL, -- bytes of the body, as it travelled
	sent     BIGINT NOT NULL, -- bytes of the answer
	details  TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- the whole address, and what was wrong
	PRIMARY KEY (account, id)
);
CREATE INDEX logged_request_refused ON logged_request (account, id) WHERE status >= 400;

-- What programs sent and were answered, sealed, for a day, where the account has it kept.
CREATE TABLE request_body (
	account TEXT COLLATE_BYTES NOT NULL REFERENCES account (id),
	id      TEXT COLLATE_BYTES NOT NULL,
	body    TEXT COLLATE_BYTES NOT NULL,
	answer  TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, id)
);

-- What is true of an account's log as a whole. Whoever writes to the log holds this row.
CREATE TABLE request_log (
	account    TEXT COLLATE_BYTES PRIMARY KEY REFERENCES account (id),
	missing    BIGINT NOT NULL DEFAULT 0, -- requests that could not be written down
	missing_at BIGINT NOT NULL DEFAULT 0, -- the latest of them
	erased_at  BIGINT NOT NULL DEFAULT 0  -- when somebody was erased last
);
