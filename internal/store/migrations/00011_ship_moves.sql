-- +goose Up

-- Where a coordinator has moved a crew change is stored with it, for everybody.
ALTER TABLE crew_change ADD COLUMN moved TEXT COLLATE_BYTES NOT NULL DEFAULT ''; -- JSON; empty while it is where it was sent for

-- Every page for some days lists the bookings that leave on them.
CREATE INDEX booking_departs ON booking (account, departs);
