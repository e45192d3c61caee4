-- +goose NO TRANSACTION
-- +goose Up

-- oldest: 43

-- What was tried is read of one outlet, the newest first, and deleted outlet by outlet.
DROP INDEX CONCURRENTLY IF EXISTS attempt_newest;
CREATE INDEX CONCURRENTLY attempt_newest ON attempt (account, outlet, at);
DROP INDEX CONCURRENTLY IF EXISTS attempt_at;
