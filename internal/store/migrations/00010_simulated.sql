-- +goose Up

-- Bookings say whether anything of them is real. Those that Duffel sold to a
-- development account from before were made in its test mode, since such an
-- account takes no other token. For the simulated network the supplier's name
-- says it (Booking.NotReal). A document begins with "{" and is never empty.
UPDATE booking
SET doc = '{"simulated":true,' || substr(doc, 2)
WHERE account IN (SELECT id FROM account WHERE environment = 'development')
	AND doc LIKE '%"supplier":"duffel","order":%';
