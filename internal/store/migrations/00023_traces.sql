ON_POSTGRES -- +goose NO TRANSACTION
-- +goose Up

-- oldest: 23

-- A program that does not know this would not mark changed searches to be traced again.

-- Everything that an account has of a person is found by marks, without reading the
-- whole account: a mark is a hash of one of the record's match keys
-- (gangway.Identity.MatchKeys), made of an identifier, a passport number or a name.
-- Marks are written after the records, some at a time, so that nobody waits for
-- them; so are those of earlier records. Whoever looks also reads the records that
-- have none yet. They are deleted with their records.

ALTER TABLE traveller ADD COLUMN IF NOT EXISTS traced BIGINT NOT NULL DEFAULT 0;
DROP INDEX CONCURRENTLY IF EXISTS traveller_untraced;
CREATE INDEX CONCURRENTLY traveller_untraced ON traveller (account, key) WHERE traced <> version;
CREATE TABLE IF NOT EXISTS traveller_trace (
	account TEXT COLLATE_BYTES NOT NULL,
	mark    BIGINT NOT NULL,
	key     TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, key),
	FOREIGN KEY (account, key) REFERENCES traveller (account, key) ON DELETE CASCADE
) WITHOUT_ROWID;
DROP INDEX CONCURRENTLY IF EXISTS traveller_trace_of;
CREATE INDEX CONCURRENTLY traveller_trace_of ON traveller_trace (account, key);

ALTER TABLE travel_request ADD COLUMN IF NOT EXISTS traced BIGINT NOT NULL DEFAULT 0;
DROP INDEX CONCURRENTLY IF EXISTS travel_request_untraced;
CREATE INDEX CONCURRENTLY travel_request_untraced ON travel_request (account, request_id, sub_request_id) WHERE traced <> version;
CREATE TABLE IF NOT EXISTS travel_request_trace (
	account TEXT COLLATE_BYTES NOT NULL,
	mark    BIGINT NOT NULL,
	request_id TEXT COLLATE_BYTES NOT NULL,
	sub_request_id TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, request_id, sub_request_id),
	FOREIGN KEY (account, request_id, sub_request_id) REFERENCES travel_request (account, request_id, sub_request_id) ON DELETE CASCADE
) WITHOUT_ROWID;
DROP INDEX CONCURRENTLY IF EXISTS travel_request_trace_of;
CREATE INDEX CONCURRENTLY travel_request_trace_of ON travel_request_trace (account, request_id, sub_request_id);

ALTER TABLE crew_change ADD COLUMN IF NOT EXISTS traced BIGINT NOT NULL DEFAULT 0;
DROP INDEX CONCURRENTLY IF EXISTS crew_change_untraced;
CREATE INDEX CONCURRENTLY crew_change_untraced ON crew_change (account, key) WHERE traced <> version;
CREATE TABLE IF NOT EXISTS crew_change_trace (
	account TEXT COLLATE_BYTES NOT NULL,
	mark    BIGINT NOT NULL,
	key     TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, key),
	FOREIGN KEY (account, key) REFERENCES crew_change (account, key) ON DELETE CASCADE
) WITHOUT_ROWID;
DROP INDEX CONCURRENTLY IF EXISTS crew_change_trace_of;
CREATE INDEX CONCURRENTLY crew_change_trace_of ON crew_change_trace (account, key);

ALTER TABLE search ADD COLUMN IF NOT EXISTS traced BIGINT NOT NULL DEFAULT 0;
DROP INDEX CONCURRENTLY IF EXISTS search_untraced;
CREATE INDEX CONCURRENTLY search_untraced ON search (account, id) WHERE traced = 0;
CREATE TABLE IF NOT EXISTS search_trace (
	account TEXT COLLATE_BYTES NOT NULL,
	mark    BIGINT NOT NULL,
	id      TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, id),
	FOREIGN KEY (account, id) REFERENCES search (account, id) ON DELETE CASCADE
) WITHOUT_ROWID;
DROP INDEX CONCURRENTLY IF EXISTS search_trace_of;
CREATE INDEX CONCURRENTLY search_trace_of ON search_trace (account, id);

ALTER TABLE booking ADD COLUMN IF NOT EXISTS traced BIGINT NOT NULL DEFAULT 0;
DROP INDEX CONCURRENTLY IF EXISTS booking_untraced;
CREATE INDEX CONCURRENTLY booking_untraced ON booking (account, id) WHERE traced = 0;
CREATE TABLE IF NOT EXISTS booking_trace (
	account TEXT COLLATE_BYTES NOT NULL,
	mark    BIGINT NOT NULL,
	id      TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, id),
	FOREIGN KEY (account, id) REFERENCES booking (account, id) ON DELETE CASCADE
) WITHOUT_ROWID;
DROP INDEX CONCURRENTLY IF EXISTS booking_trace_of;
CREATE INDEX CONCURRENTLY booking_trace_of ON booking_trace (account, id);

ALTER TABLE intent ADD COLUMN IF NOT EXISTS traced BIGINT NOT NULL DEFAULT 0;
DROP INDEX CONCURRENTLY IF EXISTS intent_untraced;
CREATE INDEX CONCURRENTLY intent_untraced ON intent (account, id) WHERE traced = 0;
CREATE TABLE IF NOT EXISTS intent_trace (
	account TEXT COLLATE_BYTES NOT NULL,
	mark    BIGINT NOT NULL,
	id      TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, id),
	FOREIGN KEY (account, id) REFERENCES intent (account, id) ON DELETE CASCADE
) WITHOUT_ROWID;
DROP INDEX CONCURRENTLY IF EXISTS intent_trace_of;
CREATE INDEX CONCURRENTLY intent_trace_of ON intent_trace (account, id);

-- The same as handoff_created.
DROP INDEX CONCURRENTLY IF EXISTS handoff_old;
