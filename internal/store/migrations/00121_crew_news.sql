-- +goose Up

-- oldest: 108

-- news is JSON: what the last upload that changed a crew change did to it. rules is JSON: what a coordinator set for it.
ALTER TABLE crew_change ADD COLUMN IF NOT EXISTS news TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE crew_change ADD COLUMN IF NOT EXISTS rules TEXT COLLATE_BYTES NOT NULL DEFAULT '';
