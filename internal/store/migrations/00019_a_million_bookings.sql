ON_POSTGRES -- +goose NO TRANSACTION
-- +goose Up

-- oldest: 19

-- A program that does not know this would leave deadlines and tickets out.

-- However many bookings an account has, each list of them is read in the order of
-- an index, from where the previous page ended. On PostgreSQL nothing here keeps
-- others from writing, and an interrupted migration continues.

-- When the time of what a booking waits for ends (gangway.Booking.Deadline); 0: it waits for nothing.
ALTER TABLE booking ADD COLUMN IF NOT EXISTS deadline BIGINT NOT NULL DEFAULT 0;

-- For bookings that already wait: the price or the seats, whichever ends first. By
-- when the airline wants an answer is written when the booking is next looked at.
UPDATE booking
SET deadline = coalesce(
ON_SQLITE 	CAST(round((julianday(json_extract(doc, '$.change.expires')) - 2440587.5) * 86400000) AS INTEGER),
ON_POSTGRES 	CAST(extract(epoch FROM CAST(CAST(doc AS JSON) #>> '{change,expires}' AS TIMESTAMPTZ)) * 1000 AS BIGINT),
	nullif(hold_until, 0), nullif(ticket_by, 0), 1)
WHERE state = 'change_pending';

UPDATE booking
SET deadline = coalesce(
ON_SQLITE 	CAST(round((julianday(json_extract(doc, '$.price_until')) - 2440587.5) * 86400000) AS INTEGER),
ON_POSTGRES 	CAST(extract(epoch FROM CAST(CAST(doc AS JSON) ->> 'price_until' AS TIMESTAMPTZ)) * 1000 AS BIGINT),
	nullif(ticket_by, 0), nullif(hold_until, 0), 1)
WHERE state IN ('approval_required', 'confirmed');

UPDATE booking
SET deadline = hold_until
WHERE state IN ('approval_required', 'confirmed') AND hold_until > 0 AND hold_until < deadline;

-- Each ticket by its number, digits only: a booking may have several.
CREATE TABLE IF NOT EXISTS booking_ticket (
	account TEXT COLLATE_BYTES NOT NULL,
	number  TEXT COLLATE_BYTES NOT NULL,
	booking TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, number, booking)
);
INSERT INTO booking_ticket (account, number, booking)
ON_SQLITE SELECT b.account, replace(t.value, '-', ''), b.id
ON_SQLITE FROM booking b, json_each('["' || replace(b.tickets, ' ', '","') || '"]') t
ON_POSTGRES SELECT b.account, replace(t.value, '-', ''), b.id
ON_POSTGRES FROM booking b, json_array_elements_text(CAST('["' || replace(b.tickets, ' ', '","') || '"]' AS JSON)) t
WHERE b.tickets <> ''
ON CONFLICT DO NOTHING;

DROP INDEX CONCURRENTLY IF EXISTS booking_newest;
CREATE INDEX CONCURRENTLY booking_newest ON booking (account, created_at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS booking_in_state;
CREATE INDEX CONCURRENTLY booking_in_state ON booking (account, state, created_at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS booking_by;
CREATE INDEX CONCURRENTLY booking_by ON booking (account, created_by, created_at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS booking_vessel;
CREATE INDEX CONCURRENTLY booking_vessel ON booking (account, vessel, created_at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS booking_passenger;
CREATE INDEX CONCURRENTLY booking_passenger ON booking (account, passenger, departs DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS booking_leaves;
CREATE INDEX CONCURRENTLY booking_leaves ON booking (account, departs, id);
DROP INDEX CONCURRENTLY IF EXISTS booking_of_change;
CREATE INDEX CONCURRENTLY booking_of_change ON booking (account, change_key, created_at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS booking_of_search;
CREATE INDEX CONCURRENTLY booking_of_search ON booking (account, search, created_at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS booking_of_request;
CREATE INDEX CONCURRENTLY booking_of_request ON booking (account, request, sub_request, id);
DROP INDEX CONCURRENTLY IF EXISTS booking_deadline;
CREATE INDEX CONCURRENTLY booking_deadline ON booking (account, deadline, id) WHERE deadline > 0;
DROP INDEX CONCURRENTLY IF EXISTS booking_approval;
CREATE INDEX CONCURRENTLY booking_approval ON booking (account, deadline, id) WHERE state = 'approval_required';
DROP INDEX CONCURRENTLY IF EXISTS booking_person;
CREATE INDEX CONCURRENTLY booking_person ON booking (account, attention, id) WHERE attention > 0;

-- Few bookings are on hold at any time. Whenever plans are sent again, those booked
-- for them are looked for, and this index alone is read.
DROP INDEX CONCURRENTLY IF EXISTS booking_held;
CREATE INDEX CONCURRENTLY booking_held ON booking (account, change_key, request, search, id) WHERE state IN ('approval_required', 'confirmed');

-- Travel requests by day.
DROP INDEX CONCURRENTLY IF EXISTS travel_request_day;
CREATE INDEX CONCURRENTLY travel_request_day ON travel_request (account, starts, request_id, sub_request_id);
DROP INDEX CONCURRENTLY IF EXISTS travel_request_night;
CREATE INDEX CONCURRENTLY travel_request_night ON travel_request (account, hotel_from, request_id, sub_request_id);
DROP INDEX CONCURRENTLY IF EXISTS travel_request_starts;
DROP INDEX CONCURRENTLY IF EXISTS travel_request_hotel;

-- Crew changes by day, of all vessels or of one.
DROP INDEX CONCURRENTLY IF EXISTS crew_change_day;
CREATE INDEX CONCURRENTLY crew_change_day ON crew_change (account, change_date, vessel, key);
DROP INDEX CONCURRENTLY IF EXISTS crew_change_date;

-- Each of these is the beginning of one above.
DROP INDEX CONCURRENTLY IF EXISTS booking_created;
DROP INDEX CONCURRENTLY IF EXISTS booking_state;
DROP INDEX CONCURRENTLY IF EXISTS booking_traveller;
DROP INDEX CONCURRENTLY IF EXISTS booking_departs;
DROP INDEX CONCURRENTLY IF EXISTS booking_attention;
DROP INDEX CONCURRENTLY IF EXISTS booking_change;
DROP INDEX CONCURRENTLY IF EXISTS booking_search;
DROP INDEX CONCURRENTLY IF EXISTS booking_request;
