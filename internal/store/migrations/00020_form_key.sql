-- +goose Up

-- oldest: 17

-- What forms of the web application are signed with if the operator gives no key:
-- at most one row, of no account.
CREATE TABLE form_key (
	id    INTEGER NOT NULL PRIMARY KEY,
	value TEXT COLLATE_BYTES NOT NULL
);
