-- +goose Up

-- oldest: 28

-- A program that does not know this would leave vessels out.

-- The vessels that an account's bookings name, folded. A booking is found by any
-- word of its vessel's name: this list is searched for words, instead of probing
-- the index of all bookings once for each vessel.
CREATE TABLE booking_vessel (
	account TEXT COLLATE_BYTES NOT NULL,
	vessel  TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, vessel)
);

INSERT INTO booking_vessel (account, vessel)
WITH RECURSIVE listed (account, vessel) AS (
	SELECT a.id, (SELECT b.vessel FROM booking b WHERE b.account = a.id ORDER BY b.vessel LIMIT 1)
	FROM account a
	UNION ALL
	SELECT l.account, (SELECT b.vessel FROM booking b WHERE b.account = l.account AND b.vessel > l.vessel ORDER BY b.vessel LIMIT 1)
	FROM listed l
	WHERE l.vessel IS NOT NULL
)
SELECT account, vessel
FROM listed
WHERE vessel <> '';
