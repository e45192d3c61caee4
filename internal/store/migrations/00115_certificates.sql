-- +goose Up

-- oldest: 108

-- What the authority of this installation's certificates was told and has issued: certificates with their keys, the
-- key of the account there, and answers to challenges. All replicas use them. A row without content is being ordered by
-- the replica that has the lease.
CREATE TABLE certificate (
	name   TEXT COLLATE_BYTES PRIMARY KEY,
	sealed TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	lease  BIGINT NOT NULL DEFAULT 0,
	tries  INTEGER NOT NULL DEFAULT 0
);
