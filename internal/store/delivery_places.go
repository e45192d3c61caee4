package store

import "gangway/internal/gangway"

// placeColumns are what a placed reads of a delivery d of the account $1, with d.id, d.state and d.attempts: where it
// stands if it is due, and how often it was tried with its webhook-id. It waits in the queue of its booking, or in that
// of all bookings of its outlet, which never has both. Tries are kept for a time: of one that is due those are counted
// that are, and of any other those are left out that it had before it was replayed.
var placeColumns = `
	CASE d.state WHEN 'due' THEN ` + oldestDue("$1", "d.outlet", "d.booking") + ` ELSE 0 END,
	CASE d.state WHEN 'due' THEN coalesce((
		SELECT max(l.due)
		FROM lane l
		WHERE l.account = $1 AND l.outlet = d.outlet AND l.booking IN (d.booking, '')), 0) ELSE 0 END,
	CASE d.state
		WHEN 'due' THEN (` + triesOf + ` IN ('', d.id))
		ELSE d.attempts - (` + triesOf + ` NOT IN ('', d.id)) END`

// triesOf counts the tries of a delivery d of the account $1 that are kept, by their webhook-id.
const triesOf = `
	SELECT count(*)
	FROM attempt c
	WHERE c.account = $1 AND c.outlet = d.outlet AND c.booking = d.booking AND c.seq = d.seq AND c.webhook_id`

// A placed is a row with placeColumns.
type placed struct {
	first, tries int
	due          int64
}

// columns are where placeColumns are read to.
func (p *placed) columns() []any { return []any{&p.first, &p.due, &p.tries} }

// of returns the place of the delivery of an action.
func (p placed) of(seq int) gangway.DeliveryPlace {
	return gangway.DeliveryPlace{Seq: seq, First: p.first, Tries: p.tries, Due: instant(p.due)}
}
