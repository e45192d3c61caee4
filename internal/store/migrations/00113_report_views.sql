-- +goose Up

-- oldest: 108

-- The reports that people of an account have saved under a name.
CREATE TABLE report_view (
	account       TEXT COLLATE_BYTES NOT NULL,
	name          TEXT COLLATE_BYTES NOT NULL,
	query         TEXT COLLATE_BYTES NOT NULL, -- of the report's address
	saved_by      TEXT COLLATE_BYTES NOT NULL,
	saved_by_name TEXT COLLATE_BYTES NOT NULL,
	saved_at      BIGINT NOT NULL,
	PRIMARY KEY (account, name)
);
