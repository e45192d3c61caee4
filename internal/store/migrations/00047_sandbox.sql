ON_POSTGRES -- +goose NO TRANSACTION
-- +goose Up

-- oldest: 40

-- The clock of a development account can be moved forward: by how many milliseconds it is ahead of real time.
-- Instants of its bookings, check_at among them, are by that clock.
ALTER TABLE account ADD COLUMN IF NOT EXISTS ahead BIGINT NOT NULL DEFAULT 0;
DROP INDEX CONCURRENTLY IF EXISTS account_ahead;
CREATE INDEX CONCURRENTLY account_ahead ON account (id) WHERE ahead > 0;
DROP INDEX CONCURRENTLY IF EXISTS booking_check_of;
CREATE INDEX CONCURRENTLY booking_check_of ON booking (account, check_at) WHERE check_at > 0;
