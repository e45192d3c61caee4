package book

import (
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// OrderOutcome returns the entry of the table for a state and a status.
func OrderOutcome(state gangway.State, status flight.Status) (event, refund gangway.Event, known bool) {
	s, known := orderOutcomes[state][status]
	return s.event, s.refund, known
}
