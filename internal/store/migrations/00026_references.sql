ON_POSTGRES -- +goose NO TRANSACTION
-- +goose Up

-- oldest: 26

-- A program that does not know this would leave locators out.

-- A booking is found by what others call it: by each airline's locator, and by the
-- customer's identifier of the crew change. a to z are in upper case, every other
-- byte as it is. On PostgreSQL nothing here keeps others from writing, and an
-- interrupted migration continues.
CREATE TABLE IF NOT EXISTS booking_reference (
	account   TEXT COLLATE_BYTES NOT NULL,
	reference TEXT COLLATE_BYTES NOT NULL,
	booking   TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, reference, booking)
);

INSERT INTO booking_reference (account, reference, booking)
ON_SQLITE SELECT b.account, upper(p.value), b.id
ON_SQLITE FROM booking b, json_each(b.doc, '$.pnrs') p
ON_POSTGRES SELECT b.account, upper(p.value COLLATE "C"), b.id
ON_POSTGRES FROM booking b, json_array_elements_text(CAST(b.doc AS JSON) -> 'pnrs') AS p (value)
WHERE p.value <> ''
ON CONFLICT DO NOTHING;

INSERT INTO booking_reference (account, reference, booking)
ON_SQLITE SELECT account, upper(json_extract(doc, '$.purpose.travel_request_id')), id
ON_POSTGRES SELECT account, upper((CAST(doc AS JSON) #>> '{purpose,travel_request_id}') COLLATE "C"), id
FROM booking
ON_SQLITE WHERE json_extract(doc, '$.purpose.travel_request_id') <> ''
ON_POSTGRES WHERE CAST(doc AS JSON) #>> '{purpose,travel_request_id}' <> ''
ON CONFLICT DO NOTHING;
