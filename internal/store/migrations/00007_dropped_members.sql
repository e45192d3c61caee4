-- +goose Up

-- Members whom a later upload of a crew change leaves out are kept with it.
ALTER TABLE crew_change ADD COLUMN dropped TEXT COLLATE_BYTES NOT NULL DEFAULT ''; -- JSON; empty while nobody was
