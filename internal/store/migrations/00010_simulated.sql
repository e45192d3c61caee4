-- +goose Up

-- Bookings say whether they are real. Those that Duffel sold to a development
-- account earlier were made in its test mode, because such an account takes no
-- other token. For the simulated network the supplier's name says so
-- (Booking.NotReal). A document begins with "{" and is never empty.
UPDATE booking
SET doc = '{"simulated":true,' || substr(doc, 2)
WHERE account IN (SELECT id FROM account WHERE environment = 'development')
	AND doc LIKE '%"supplier":"duffel","order":%';
