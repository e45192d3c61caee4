-- +goose Up

-- A supplier says of an order that something happened to it; a traveller who is
-- booked for the same days already is found before she is booked twice.
ALTER TABLE booking ADD COLUMN supplier_order TEXT NOT NULL DEFAULT ''; -- the supplier's name and its order's, after a space
CREATE INDEX booking_order ON booking (account, supplier_order);
CREATE INDEX booking_traveller ON booking (account, passenger, departs);
