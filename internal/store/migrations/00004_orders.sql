-- +goose Up

-- A supplier reports events by its order, so the booking has to be found by it; and
-- a traveller's other bookings for the same days are found before a second is made.
ALTER TABLE booking ADD COLUMN supplier_order TEXT NOT NULL DEFAULT ''; -- the supplier's name and its order's, after a space
CREATE INDEX booking_order ON booking (account, supplier_order);
CREATE INDEX booking_traveller ON booking (account, passenger, departs);
