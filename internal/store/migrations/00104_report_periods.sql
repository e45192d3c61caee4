-- +goose Up

-- oldest: 100

-- What the report's page adds up of an account's bookings, packed by the ten days in which they were booked: see
-- report_periods.go. A period counts only while no booking of it has changed since the mark.
CREATE TABLE report_mark (
	account TEXT COLLATE_BYTES PRIMARY KEY REFERENCES account (id),
	mark    BIGINT NOT NULL
);
CREATE TABLE report_period (
	account TEXT COLLATE_BYTES NOT NULL REFERENCES report_mark (account) ON DELETE CASCADE,
	period  BIGINT NOT NULL,
	packed  TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, period)
);
