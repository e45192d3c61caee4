-- +goose Up

-- Whom a later upload of a crew change leaves out is remembered with it.
ALTER TABLE crew_change ADD COLUMN dropped TEXT COLLATE_BYTES NOT NULL DEFAULT ''; -- JSON; empty while nobody was
