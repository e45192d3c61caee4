-- +goose Up

-- A travel request whose flight or hotel has no date yet is on no day's list. This
-- column finds it: "flight", "hotel", "both" or empty.
ALTER TABLE travel_request ADD COLUMN undated TEXT NOT NULL DEFAULT '';

UPDATE travel_request
SET undated = CASE
	WHEN starts = '' AND doc LIKE '%"flight":{%' AND hotel_from = '' AND doc LIKE '%"hotel":{%' THEN 'both'
	WHEN starts = '' AND doc LIKE '%"flight":{%' THEN 'flight'
	WHEN hotel_from = '' AND doc LIKE '%"hotel":{%' THEN 'hotel'
	ELSE ''
END
WHERE starts = '' OR hotel_from = '';

CREATE INDEX travel_request_undated ON travel_request (account, undated, request_id) WHERE undated <> '';
