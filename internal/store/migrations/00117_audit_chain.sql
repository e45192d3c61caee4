-- +goose Up

-- oldest: 108

-- The entries of a customer form a chain: see audit_chain.go. An older program writes entries without a place in it,
-- and the next program gives them theirs.
ALTER TABLE audit ADD COLUMN IF NOT EXISTS seq BIGINT NOT NULL DEFAULT 0; -- the place in the chain; 0: none yet
ALTER TABLE audit ADD COLUMN IF NOT EXISTS salt TEXT COLLATE_BYTES NOT NULL DEFAULT ''; -- of digest; empty: erased
ALTER TABLE audit ADD COLUMN IF NOT EXISTS digest TEXT COLLATE_BYTES NOT NULL DEFAULT ''; -- of the personal values
ALTER TABLE audit ADD COLUMN IF NOT EXISTS hash TEXT COLLATE_BYTES NOT NULL DEFAULT '';
CREATE INDEX audit_unchained ON audit (customer, at, id) WHERE seq = 0;
CREATE UNIQUE INDEX audit_chained ON audit (customer, seq) WHERE seq > 0;

-- The ends of a customer's chain. The beginning, up to removed, is no longer kept: mac signs its last hash.
CREATE TABLE audit_chain (
	customer     TEXT COLLATE_BYTES PRIMARY KEY,
	seq          BIGINT NOT NULL, -- of the last entry
	hash         TEXT COLLATE_BYTES NOT NULL,
	removed      BIGINT NOT NULL DEFAULT 0,
	removed_hash TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	mac          TEXT COLLATE_BYTES NOT NULL DEFAULT '' -- empty: the server had no key to sign with
);
