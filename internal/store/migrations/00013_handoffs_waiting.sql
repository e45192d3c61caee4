-- +goose Up

-- Unclaimed hand-offs belong to no account, and anybody can send them. So the
-- number of bytes that may wait is bounded, for each network and in all.
ALTER TABLE handoff ADD COLUMN network TEXT COLLATE_BYTES NOT NULL DEFAULT ''; -- an IPv4 address, or half of an IPv6 one

CREATE INDEX handoff_created ON handoff (created_at);

-- How many bytes wait, by the minute in which they came: a sum reads at most an
-- hour's rows, and a miscount is deleted with its minute.
CREATE TABLE handoff_waiting (
	network TEXT COLLATE_BYTES NOT NULL, -- empty: of all together
	minute  BIGINT             NOT NULL, -- since 1970; 0: the row that is locked to count
	bytes   BIGINT             NOT NULL,
	PRIMARY KEY (network, minute)
);

CREATE INDEX handoff_waiting_minute ON handoff_waiting (minute);
