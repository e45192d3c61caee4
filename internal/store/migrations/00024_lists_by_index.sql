-- +goose NO TRANSACTION
-- +goose Up

-- oldest: 17

-- If several filters together fit few bookings, hundreds are looked at for a page.
-- The columns that are compared are in the index by which they are read, so that
-- rows, which are scattered among a million, are read only for bookings that fit.

DROP INDEX CONCURRENTLY IF EXISTS booking_named;
CREATE INDEX CONCURRENTLY booking_named ON booking (account, passenger, departs DESC, id DESC, state, vessel, created_by);
DROP INDEX CONCURRENTLY IF EXISTS booking_aboard;
CREATE INDEX CONCURRENTLY booking_aboard ON booking (account, vessel, created_at DESC, id DESC, state, departs, created_by, passenger);
DROP INDEX CONCURRENTLY IF EXISTS booking_made_by;
CREATE INDEX CONCURRENTLY booking_made_by ON booking (account, created_by, created_at DESC, id DESC, state, departs);
DROP INDEX CONCURRENTLY IF EXISTS booking_leaving;
CREATE INDEX CONCURRENTLY booking_leaving ON booking (account, departs, id, state);

-- Each of these is the beginning of one above.
DROP INDEX CONCURRENTLY IF EXISTS booking_passenger;
DROP INDEX CONCURRENTLY IF EXISTS booking_vessel;
DROP INDEX CONCURRENTLY IF EXISTS booking_by;
DROP INDEX CONCURRENTLY IF EXISTS booking_leaves;

-- The statistics of an ANALYZE that somebody once ran do not cover the new indexes.
-- SQLite then takes these to be tiny, and sorts a million bookings. Without any
-- statistics it reads each list in the order of its index.
ON_SQLITE DROP TABLE IF EXISTS sqlite_stat1;
ON_SQLITE DROP TABLE IF EXISTS sqlite_stat4;
