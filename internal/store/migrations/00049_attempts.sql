-- +goose NO TRANSACTION
-- +goose Up

-- oldest: 43

-- Attempts are deleted by their time.
DROP INDEX CONCURRENTLY IF EXISTS attempt_at;
CREATE INDEX CONCURRENTLY attempt_at ON attempt (at);
DROP INDEX CONCURRENTLY IF EXISTS attempt_old;

-- What is delivered is in no index of what is not, so that those stay as small as what they are asked for.
DROP INDEX CONCURRENTLY IF EXISTS delivery_due;
CREATE INDEX CONCURRENTLY delivery_due ON delivery (account, outlet, made_at) WHERE state = 'due';
DROP INDEX CONCURRENTLY IF EXISTS delivery_parked;
CREATE INDEX CONCURRENTLY delivery_parked ON delivery (account, outlet, made_at) WHERE state = 'parked';
DROP INDEX CONCURRENTLY IF EXISTS delivery_state;

-- See migration 42.
ON_SQLITE ANALYZE sqlite_schema;
ON_SQLITE DELETE FROM sqlite_stat1 WHERE idx IN ('delivery_state', 'delivery_due', 'delivery_parked');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('delivery', 'delivery_due', '10000 1000 1000 2');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('delivery', 'delivery_parked', '10000 1000 1000 2');
ON_SQLITE ANALYZE sqlite_schema;
