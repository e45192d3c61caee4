ON_POSTGRES -- +goose NO TRANSACTION
-- +goose Up

-- oldest: 43

-- A program that does not know it replays, and leaves the tries before to the new webhook-id.

-- The webhook-id that a try had, if its delivery has another one since: it was replayed.
ALTER TABLE attempt ADD COLUMN IF NOT EXISTS webhook_id TEXT COLLATE_BYTES NOT NULL DEFAULT '';
DROP INDEX CONCURRENTLY IF EXISTS attempt_webhook_id;
CREATE INDEX CONCURRENTLY attempt_webhook_id ON attempt (account, webhook_id) WHERE webhook_id <> '';
