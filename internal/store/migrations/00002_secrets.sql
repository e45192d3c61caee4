-- +goose Up

-- What an account must keep from others, sealed with the operator's key. The
-- secrets of outlets are sealed in the same way in their own table.
CREATE TABLE secret (
	account    TEXT   NOT NULL,
	name       TEXT   NOT NULL,
	sealed     TEXT   NOT NULL,
	changed_at BIGINT NOT NULL,
	PRIMARY KEY (account, name)
);
