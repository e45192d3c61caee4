-- +goose NO TRANSACTION
-- +goose Up

-- oldest: 32

-- A program that does not know this would overwrite what a feed has of the same record.

-- Where a record comes from, when it was last sent or fetched (to within a day; 0:
-- before this was stored), and the run of its source that last changed it. If
-- several sources have the same record, one of them has the row. The versions of
-- the others are stored beside it, one JSON object a line, so that they are at hand
-- once that source no longer has the record. All existing records were uploaded.

ALTER TABLE traveller ADD COLUMN IF NOT EXISTS source TEXT COLLATE_BYTES NOT NULL DEFAULT 'upload';
ALTER TABLE traveller ADD COLUMN IF NOT EXISTS last_seen BIGINT NOT NULL DEFAULT 0;
ALTER TABLE traveller ADD COLUMN IF NOT EXISTS generation BIGINT NOT NULL DEFAULT 0;
ALTER TABLE traveller ADD COLUMN IF NOT EXISTS outranked TEXT COLLATE_BYTES NOT NULL DEFAULT '';
DROP INDEX CONCURRENTLY IF EXISTS traveller_fed;
CREATE INDEX CONCURRENTLY traveller_fed ON traveller (account, source, key) WHERE source <> 'upload';
DROP INDEX CONCURRENTLY IF EXISTS traveller_outranked;
CREATE INDEX CONCURRENTLY traveller_outranked ON traveller (account, key) WHERE outranked <> '';

ALTER TABLE travel_request ADD COLUMN IF NOT EXISTS source TEXT COLLATE_BYTES NOT NULL DEFAULT 'upload';
ALTER TABLE travel_request ADD COLUMN IF NOT EXISTS last_seen BIGINT NOT NULL DEFAULT 0;
ALTER TABLE travel_request ADD COLUMN IF NOT EXISTS generation BIGINT NOT NULL DEFAULT 0;
ALTER TABLE travel_request ADD COLUMN IF NOT EXISTS outranked TEXT COLLATE_BYTES NOT NULL DEFAULT '';
DROP INDEX CONCURRENTLY IF EXISTS travel_request_fed;
CREATE INDEX CONCURRENTLY travel_request_fed ON travel_request (account, source, request_id, sub_request_id) WHERE source <> 'upload';
DROP INDEX CONCURRENTLY IF EXISTS travel_request_outranked;
CREATE INDEX CONCURRENTLY travel_request_outranked ON travel_request (account, request_id, sub_request_id) WHERE outranked <> '';

ALTER TABLE crew_change ADD COLUMN IF NOT EXISTS source TEXT COLLATE_BYTES NOT NULL DEFAULT 'upload';
ALTER TABLE crew_change ADD COLUMN IF NOT EXISTS last_seen BIGINT NOT NULL DEFAULT 0;
ALTER TABLE crew_change ADD COLUMN IF NOT EXISTS generation BIGINT NOT NULL DEFAULT 0;
ALTER TABLE crew_change ADD COLUMN IF NOT EXISTS outranked TEXT COLLATE_BYTES NOT NULL DEFAULT '';
DROP INDEX CONCURRENTLY IF EXISTS crew_change_fed;
CREATE INDEX CONCURRENTLY crew_change_fed ON crew_change (account, source, key) WHERE source <> 'upload';
DROP INDEX CONCURRENTLY IF EXISTS crew_change_outranked;
CREATE INDEX CONCURRENTLY crew_change_outranked ON crew_change (account, key) WHERE outranked <> '';
