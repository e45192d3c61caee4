package book

import (
	"gangway"
	"gangway/internal/book/flight"
)

// Standing returns what the table says of a state and a status.
func Standing(state gangway.State, status flight.Status) (event, refund gangway.Event, known bool) {
	s, known := standings[state][status]
	return s.event, s.refund, known
}
