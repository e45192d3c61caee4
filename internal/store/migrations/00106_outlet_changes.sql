-- +goose Up

-- oldest: 100

-- When somebody last changed an outlet, and last resumed it: what was tried before says nothing of it any more.
ALTER TABLE outlet ADD COLUMN IF NOT EXISTS set_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE outlet ADD COLUMN IF NOT EXISTS resumed_at BIGINT NOT NULL DEFAULT 0;
