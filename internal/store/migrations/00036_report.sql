-- +goose Up

-- oldest: 36

-- A program that does not know them would change bookings and leave the report as it was.

-- The report: a row for each booking, written with it. Times are milliseconds since 1970.
CREATE TABLE report_booking (
	account                    TEXT COLLATE_BYTES NOT NULL,
	booking_id                 TEXT COLLATE_BYTES NOT NULL,
	locator                    TEXT COLLATE_BYTES NOT NULL,
	state                      TEXT COLLATE_BYTES NOT NULL,
	co2_emissions_kg           BIGINT, -- grams
	co2_forced                 BIGINT, -- the same with radiative forcing
	mileage_km                 BIGINT, -- metres
	created_at                 BIGINT NOT NULL,
	departure_at               BIGINT,
	arrival_at                 BIGINT,
	cancelled_at               BIGINT,
	first_origin               TEXT COLLATE_BYTES,
	last_destination           TEXT COLLATE_BYTES,
	full_route                 TEXT COLLATE_BYTES,
	total_connection_duration  BIGINT, -- minutes
	no_show                    INTEGER,
	reject_reason              TEXT COLLATE_BYTES,
	rejected_at                BIGINT,
	approved_at                BIGINT,
	payment_method             TEXT COLLATE_BYTES,
	frequent_flyer_number_used INTEGER NOT NULL,
	passenger_last_name        TEXT COLLATE_BYTES,
	passenger_first_name       TEXT COLLATE_BYTES,
	terms_fare_type            TEXT COLLATE_BYTES,
	vessel_name                TEXT COLLATE_BYTES,
	vessel_flag                TEXT COLLATE_BYTES,
	price_total                BIGINT, -- thousandths
	price_currency             TEXT COLLATE_BYTES,
	created_by_user_name       TEXT COLLATE_BYTES,
	approved_by_user_name      TEXT COLLATE_BYTES,
	rejected_by_user_name      TEXT COLLATE_BYTES,
	cancelled_by_user_name     TEXT COLLATE_BYTES,
	custom_fields_map          TEXT COLLATE_BYTES,
	flight_numbers             TEXT COLLATE_BYTES,
	pnrs                       TEXT COLLATE_BYTES,
	fare_plating_carriers      TEXT COLLATE_BYTES,
	airline_names              TEXT COLLATE_BYTES,
	ticket_numbers             TEXT COLLATE_BYTES,
	invoice_numbers            TEXT COLLATE_BYTES,
	refund_total               BIGINT, -- thousandths
	refund_currency            TEXT COLLATE_BYTES,
	search                     TEXT COLLATE_BYTES NOT NULL, -- the folded texts that $search looks at
	members                    TEXT COLLATE_BYTES NOT NULL, -- the whole row as the report writes it, without braces
	changed                    BIGINT NOT NULL, -- by which transaction: see report_changed.go
	PRIMARY KEY (account, booking_id)
);
CREATE INDEX report_booking_created ON report_booking (account, created_at, booking_id);
-- With what sums are made of, so that totals by state are read from the index alone.
CREATE INDEX report_booking_state
	ON report_booking (account, state, created_at, booking_id, price_currency, price_total);
-- OData has null before everything else, as SQLite has.
ON_SQLITE CREATE INDEX report_booking_departure ON report_booking (account, departure_at, booking_id);
ON_POSTGRES CREATE INDEX report_booking_departure ON report_booking (account, departure_at NULLS FIRST, booking_id);
CREATE INDEX report_booking_changed ON report_booking (account, changed, booking_id);

ALTER TABLE report_login ADD COLUMN revoked_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE report_login ADD COLUMN used_at BIGINT NOT NULL DEFAULT 0; -- to the minute
CREATE INDEX report_login_account ON report_login (account, created_at, name);

-- Accounts whose rows are being written anew, booking by booking.
CREATE TABLE report_build (
	account                    TEXT COLLATE_BYTES PRIMARY KEY REFERENCES account (id),
	fresh   INTEGER NOT NULL, -- 1: some bookings have no row yet
	reached                    TEXT COLLATE_BYTES NOT NULL DEFAULT '' -- the last booking that was written
);
INSERT INTO report_build (account, fresh)
SELECT DISTINCT account, 1
FROM booking;
