-- +goose Up

-- Where a coordinator has put a crew change stays with it, whoever looks.
ALTER TABLE crew_change ADD COLUMN moved TEXT COLLATE_BYTES NOT NULL DEFAULT ''; -- JSON; empty while it is where it was sent for

-- What leaves on some days is asked for by every page of those days.
CREATE INDEX booking_departs ON booking (account, departs);
