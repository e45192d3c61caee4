package flighttest

import (
	"regexp"
	"slices"
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

var thirteenDigits = regexp.MustCompile(`^\d{13}$`)

// testIssue holds that an order is issued once, for its exact price, with tickets of its own.
func testIssue(t *testing.T, s Stage) {
	order := s.hold(t, "r1")
	less := order.Price.Total
	less.Minor--
	refused(t, gangway.Conflict)(s.Issue(t.Context(), order.ID, less))
	s.wantStatus(t, order.ID, flight.Held)

	issued := s.issue(t, order)
	for _, ticket := range issued.Tickets {
		if !thirteenDigits.MatchString(ticket) {
			t.Errorf("ticket %q; want 13 digits", ticket)
		}
	}
	refused(t, gangway.Conflict)(s.Issue(t.Context(), order.ID, order.Price.Total))
	again := s.wantStatus(t, order.ID, flight.Ticketed)
	if !slices.Equal(again.Tickets, issued.Tickets) {
		t.Errorf("tickets %q became %q", issued.Tickets, again.Tickets)
	}
	for _, ticket := range s.ticket(t, "r2").Tickets {
		if slices.Contains(issued.Tickets, ticket) {
			t.Errorf("ticket %s was issued twice", ticket)
		}
	}
}
