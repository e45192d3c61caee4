ON_POSTGRES -- +goose NO TRANSACTION
-- +goose Up

-- oldest: 108

-- Closed intents are deleted after a while, those that were emptied before too. Programs that only empty them find
-- theirs by this index as well. It begins with open, as SQLite would read intent_due otherwise.
DROP INDEX CONCURRENTLY IF EXISTS intent_closed;
CREATE INDEX CONCURRENTLY intent_closed ON intent (open, created_at) WHERE open = 0;
DROP INDEX CONCURRENTLY IF EXISTS intent_old;
