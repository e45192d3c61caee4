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
	_, err := s.Supplier.Issue(t.Context(), order.ID, less)
	wantRefusal(t, "Issue for too little", err, gangway.Conflict)
	s.wantStatus(t, order.ID, flight.Held)

	issued, err := s.Supplier.Issue(t.Context(), order.ID, order.Price.Total)
	if err != nil || issued.Status != flight.Ticketed || !issued.VoidUntil.After(s.Now()) {
		t.Fatalf("Issue = %s, void until %s, %v; want it ticketed and voidable for a while", issued.Status,
			issued.VoidUntil, err)
	}
	for _, ticket := range issued.Tickets {
		if !thirteenDigits.MatchString(ticket) {
			t.Errorf("ticket %q; want 13 digits", ticket)
		}
	}
	_, err = s.Supplier.Issue(t.Context(), order.ID, order.Price.Total)
	wantRefusal(t, "Issue a second time", err, gangway.Conflict)
	again := s.wantStatus(t, order.ID, flight.Ticketed)
	if !slices.Equal(again.Tickets, issued.Tickets) {
		t.Errorf("tickets %q became %q", issued.Tickets, again.Tickets)
	}
	other := s.ticket(t, "r2")
	for _, ticket := range other.Tickets {
		if slices.Contains(issued.Tickets, ticket) {
			t.Errorf("ticket %s was issued twice", ticket)
		}
	}
}
