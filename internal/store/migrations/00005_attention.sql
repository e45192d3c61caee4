-- +goose Up

-- Scheduled work is done apart for each account and supplier, so that one that
-- hangs delays nobody else; bookings that need a person are listed.
ALTER TABLE booking ADD COLUMN supplier TEXT NOT NULL DEFAULT '';
ALTER TABLE booking ADD COLUMN attention BIGINT NOT NULL DEFAULT 0; -- since when it needs a person; 0: it does not
UPDATE booking SET supplier = CASE
	WHEN supplier_order LIKE 'simulated %' THEN 'simulated'
	WHEN supplier_order LIKE 'duffel %' THEN 'duffel'
	ELSE 'manual' END;
CREATE INDEX booking_attention ON booking (account, attention) WHERE attention > 0;
ALTER TABLE intent ADD COLUMN supplier TEXT NOT NULL DEFAULT '';
