package store

import "gangway"

// placeColumns are what a placed reads of a delivery d of the account $1, with d.state; nothing of one that is not
// due. It waits in the queue of its booking, or in that of all bookings of its outlet, which never has both.
var placeColumns = `
	CASE d.state WHEN 'due' THEN ` + oldestDue("$1", "d.outlet", "d.booking") + ` ELSE 0 END,
	CASE d.state WHEN 'due' THEN coalesce((
		SELECT max(l.due)
		FROM lane l
		WHERE l.account = $1 AND l.outlet = d.outlet AND l.booking IN (d.booking, '')), 0) ELSE 0 END`

// A placed is a row with placeColumns.
type placed struct {
	first int
	due   int64
}

// of returns the place of the delivery of an action that was tried a number of times.
func (p placed) of(seq, tries int) gangway.DeliveryPlace {
	return gangway.DeliveryPlace{Seq: seq, First: p.first, Tries: tries, Due: instant(p.due)}
}
