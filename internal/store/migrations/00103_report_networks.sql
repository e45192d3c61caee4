-- +goose Up

-- oldest: 100

-- A report network is one from which a report login was right lately: a stranger's guesses cannot lock it out there.
CREATE TABLE report_network (
	account TEXT COLLATE_BYTES NOT NULL,
	login   TEXT COLLATE_BYTES NOT NULL,
	network TEXT COLLATE_BYTES NOT NULL, -- hash
	seen_at BIGINT NOT NULL,
	PRIMARY KEY (account, login, network)
);
