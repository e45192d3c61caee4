-- +goose Up

-- oldest: 45

-- A program that does not know them would wait for ever for the bookings of queues that have none.

-- Actions that an outlet gets together wait in one queue for all bookings, whose lane has no booking. Which
-- of them go out as one document is decided once, so that every try has the same: they have its identifier.
ALTER TABLE delivery ADD COLUMN batch TEXT COLLATE_BYTES NOT NULL DEFAULT '';
