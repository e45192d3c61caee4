-- What no row x of an account's table may meet, as gangway verify asks: see verify.go. Each part has its name, what an
-- operator does about a breach, the table and its keys; then why it is wrong; then the condition. Parts are apart by an
-- empty line, and {ofBooking} finds the booking that x.booking names.

-- actions | restore | booking | id
-- its state and version are not those of its last action, or an action is missing
NOT EXISTS (
	SELECT count(*)
	FROM action a
	WHERE a.account = x.account AND a.booking = x.id
	HAVING max(a.seq) = x.version AND count(*) = max(a.seq) - min(a.seq) + 1
		AND max(CASE a.seq WHEN x.version THEN a.name END) = x.state)

-- action-bookings | restore | action | booking seq
-- there is no such booking
NOT EXISTS (SELECT 1 {ofBooking})

-- deliveries | replay | action | booking seq
-- an outlet that wants it has no delivery
EXISTS ( -- only of the last week, since older ones need not be kept; replicas' clocks may differ by some seconds
	SELECT 1
	FROM outlet o
	JOIN account c ON c.id = o.account
	WHERE o.account = x.account AND c.ahead = 0 AND (o.states = '' OR ',' || o.states || ',' LIKE '%,' || x.name || ',%')
		AND x.at > o.created_at + 60000 AND x.at > o.set_at + 60000 AND x.at > {now} - 604800000
		AND NOT EXISTS (
			SELECT 1
			FROM delivery d
			WHERE d.account = o.account AND d.outlet = o.id AND d.booking = x.booking AND d.seq = x.seq))
AND EXISTS (SELECT 1 {ofBooking} AND b.supplier <> 'sample')

-- delivery-actions | report | delivery | outlet booking seq
-- there is no such action
x.seq >= coalesce((SELECT min(a.seq) FROM action a WHERE a.account = x.account AND a.booking = x.booking), 0)
AND NOT EXISTS (SELECT 1 FROM action a WHERE a.account = x.account AND a.booking = x.booking AND a.seq = x.seq)

-- delivery-queues | replay | delivery | outlet booking seq
-- it is due, and its queue does not wait
x.state = 'due' AND NOT EXISTS (
	SELECT 1
	FROM lane l
	JOIN outlet o ON o.account = l.account AND o.id = l.outlet
	WHERE l.account = x.account AND l.outlet = x.outlet AND l.pending = 1
		AND l.booking = CASE WHEN o.batch > 0 THEN '' ELSE x.booking END)

-- queue-deliveries | report | lane | outlet booking
-- it waits, and has no delivery that is due, or no outlet
NOT EXISTS (SELECT 1 FROM outlet o WHERE o.account = x.account AND o.id = x.outlet)
OR x.pending <> 0 AND x.booking <> '' AND NOT EXISTS (
	SELECT 1
	FROM delivery d
	WHERE d.account = x.account AND d.outlet = x.outlet AND d.booking = x.booking AND d.state = 'due')

-- pulls | report | waiting | booking
-- what waits to be pulled does not end with the last action
x.from_seq > x.to_seq OR x.to_seq <> coalesce((SELECT b.version {ofBooking}), 0)

-- pull-answers | report | pull | id
-- its bookings are not those that it counts
x.bookings <> (SELECT count(*) FROM pull_booking b WHERE b.account = x.account AND b.pull = x.id)

-- intents | supplier | intent | id
-- its outcome and its booking contradict each other
x.kind = 'book' AND (x.open = 1 OR x.outcome = 'done') AND x.open = (SELECT count(*) {ofBooking})
OR x.kind <> 'book' AND x.open = 1 AND NOT EXISTS (SELECT 1 {ofBooking} AND b.{live})

-- batches | report | batch | id
-- its open items are not those that it counts
x.pending <> (SELECT count(*) FROM batch_item i WHERE i.account = x.account AND i.batch = x.id AND i.state = 'open')

-- report-bookings | report | report_booking | booking_id
-- there is no such booking
NOT EXISTS (SELECT 1 FROM booking b WHERE b.account = x.account AND b.id = x.booking_id)

-- tickets | report | booking_ticket | number booking
-- the booking has no such ticket
NOT EXISTS (SELECT 1 {ofBooking} AND ' ' || b.tickets || ' ' LIKE '% ' || x.number || ' %')

-- references | report | booking_reference | reference booking
-- there is no such booking
NOT EXISTS (SELECT 1 {ofBooking})

-- booking-vessels | report | booking | id
-- it is not found by its vessel
x.vessel <> '' AND NOT EXISTS (SELECT 1 FROM booking_vessel v WHERE v.account = x.account AND v.vessel = x.vessel)

-- vessels | report | booking_vessel | vessel
-- no booking names it
NOT EXISTS (SELECT 1 FROM booking b WHERE b.account = x.account AND b.vessel = x.vessel)

-- erased-traces | report | booking_trace | mark id
-- the booking's traveller was erased
EXISTS (SELECT 1 FROM booking b WHERE b.account = x.account AND b.id = x.id AND b.erased_at > 0)
