-- +goose NO TRANSACTION
-- +goose Up

-- oldest: 37

-- A program that does not know them would change bookings and leave the report as it was.

-- More sets of the report: the flights of bookings, and the refunds of those that were cancelled,
-- written with them. A row that a booking has no more stays, without what is not needed to tell so.
CREATE TABLE IF NOT EXISTS report_segment (
	account                TEXT COLLATE_BYTES NOT NULL,
	booking_id             TEXT COLLATE_BYTES NOT NULL,
	number                 BIGINT NOT NULL,
	state                  TEXT COLLATE_BYTES NOT NULL,
	created_at             BIGINT NOT NULL,
	leg                    BIGINT NOT NULL,
	flight_number          TEXT COLLATE_BYTES NOT NULL,
	carrier                TEXT COLLATE_BYTES,
	carrier_name           TEXT COLLATE_BYTES,
	operating_carrier      TEXT COLLATE_BYTES,
	operating_carrier_name TEXT COLLATE_BYTES,
	origin                 TEXT COLLATE_BYTES NOT NULL,
	destination            TEXT COLLATE_BYTES NOT NULL,
	departure_at           BIGINT,
	arrival_at             BIGINT,
	cabin                  TEXT COLLATE_BYTES,
	aircraft               TEXT COLLATE_BYTES,
	mileage_km             BIGINT, -- metres
	co2_emissions_kg       BIGINT, -- grams
	co2_forced             BIGINT, -- the same with radiative forcing
	vessel_name            TEXT COLLATE_BYTES,
	search                 TEXT COLLATE_BYTES NOT NULL, -- the folded texts that $search looks at
	members                TEXT COLLATE_BYTES NOT NULL, -- the whole row as the report writes it, without braces
	changed                BIGINT NOT NULL, -- by which transaction: see report_changed.go
	gone                   INTEGER NOT NULL, -- 1: the booking has no such flight any more
	PRIMARY KEY (account, booking_id, number)
);
CREATE INDEX IF NOT EXISTS report_segment_created ON report_segment (account, created_at, booking_id, number);
CREATE INDEX IF NOT EXISTS report_segment_changed ON report_segment (account, changed, booking_id, number);

CREATE TABLE IF NOT EXISTS report_refund (
	account           TEXT COLLATE_BYTES NOT NULL,
	booking_id        TEXT COLLATE_BYTES NOT NULL,
	asked_at          BIGINT,
	settled_at        BIGINT,
	awaited           INTEGER NOT NULL,
	voided            INTEGER NOT NULL,
	promised_total    BIGINT, -- thousandths, as all amounts
	refund_total      BIGINT,
	returned_total    BIGINT,
	outstanding_total BIGINT,
	kept_total        BIGINT,
	refund_currency   TEXT COLLATE_BYTES,
	search            TEXT COLLATE_BYTES NOT NULL,
	members           TEXT COLLATE_BYTES NOT NULL,
	changed           BIGINT NOT NULL,
	gone              INTEGER NOT NULL, -- 1: the booking has no refund any more
	PRIMARY KEY (account, booking_id)
);
-- OData has null before everything else, as SQLite has.
ON_SQLITE CREATE INDEX IF NOT EXISTS report_refund_asked ON report_refund (account, asked_at, booking_id);
ON_POSTGRES CREATE INDEX IF NOT EXISTS report_refund_asked ON report_refund (account, asked_at NULLS FIRST, booking_id);
CREATE INDEX IF NOT EXISTS report_refund_changed ON report_refund (account, changed, booking_id);

-- Actions are read from where they are. Who did it is known by name from now on; before, by address.
ALTER TABLE action ADD COLUMN IF NOT EXISTS by_name TEXT COLLATE_BYTES NOT NULL DEFAULT '';
ALTER TABLE action ADD COLUMN IF NOT EXISTS changed BIGINT NOT NULL DEFAULT 0;
-- With all that the report tells of them, so that no snapshot is read for it.
DROP INDEX CONCURRENTLY IF EXISTS action_told;
CREATE INDEX CONCURRENTLY action_told ON action (account, at, booking, seq, name, by_whom, by_name);
DROP INDEX CONCURRENTLY IF EXISTS action_at;
DROP INDEX CONCURRENTLY IF EXISTS action_changed;
CREATE INDEX CONCURRENTLY action_changed ON action (account, changed, booking, seq);
DROP INDEX CONCURRENTLY IF EXISTS delivery_made;
CREATE INDEX CONCURRENTLY delivery_made ON delivery (account, made_at, booking, seq, outlet);

INSERT INTO report_build (account, fresh)
SELECT DISTINCT account, 1
FROM booking
WHERE true
ON CONFLICT (account) DO UPDATE
SET fresh = 1, reached = '';
