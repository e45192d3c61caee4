-- +goose Up

-- oldest: 33

-- A program that does not know them would push without them.

-- The credentials that an outlet wants: their kind, and all of them sealed; empty
-- for the kind none.
ALTER TABLE outlet ADD COLUMN credentials_kind TEXT COLLATE_BYTES NOT NULL DEFAULT 'none'
	CHECK (credentials_kind IN ('none', 'basic', 'bearer', 'header', 'certificate'));
ALTER TABLE outlet ADD COLUMN credentials TEXT COLLATE_BYTES NOT NULL DEFAULT '';
