package flighttest

import (
	"slices"
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// testNotices holds that flights changed by the airline can be accepted free of charge, or
// the order be cancelled.
func testNotices(t *testing.T, s Stage) {
	if s.Disturb == nil {
		t.Skip("the supplier cannot be made to change flights by itself")
	}
	disturbed := func(reference string) flight.Order {
		t.Helper()
		order := s.ticket(t, reference)
		s.Disturb(t, order.ID)
		order = s.wantStatus(t, order.ID, flight.Ticketed)
		n := order.Notice
		if n == nil || n.ID == "" || n.Why == "" || n.At.IsZero() || n.At.After(s.Now()) || len(n.Itinerary.Segments) ==
			0 {
			t.Fatalf("notice %+v; want what happened, when, and other flights", n)
		}
		return order
	}
	t.Run("accepting the airline's new flights costs nothing", func(t *testing.T) {
		order := disturbed("r1")
		_, err := s.Supplier.Accept(t.Context(), order.ID, "no-such-notice")
		wantRefusal(t, "Accept of an unknown notice", err, gangway.Conflict, gangway.NotFound, gangway.Invalid)
		moved, err := s.Supplier.Accept(t.Context(), order.ID, order.Notice.ID)
		if err != nil || moved.Status != flight.Ticketed || moved.Notice != nil || !slices.Contains(moved.Changes,
			order.Notice.ID) {
			t.Fatalf("Accept = %s, changes %q, notice %+v, %v; want it ticketed and the notice among the changes",
				moved.Status, moved.Changes, moved.Notice, err)
		}
		if moved.Price.Total != order.Price.Total || !slices.EqualFunc(moved.Itinerary.Segments,
			order.Notice.Itinerary.Segments, sameTimes) {
			t.Errorf("Accept flies %v for %s; want %v for %s", moved.Itinerary.Segments, moved.Price.Total,
				order.Notice.Itinerary.Segments, order.Price.Total)
		}
		if again := s.wantStatus(t, order.ID, flight.Ticketed); again.Notice != nil {
			t.Errorf("the notice is still there: %+v", again.Notice)
		}
	})
	t.Run("an order whose notice was not accepted can be cancelled", func(t *testing.T) {
		order := disturbed("r2")
		quote, err := s.Supplier.QuoteCancel(t.Context(), order.ID)
		if err != nil || quote.Rule == "" {
			t.Fatalf("QuoteCancel = %+v, %v", quote, err)
		}
		if gone, err := s.Supplier.Cancel(t.Context(), order.ID, quote.ID); err != nil || gone.Status !=
			flight.Withdrawn {
			t.Fatalf("Cancel = %s, %v; want it withdrawn", gone.Status, err)
		}
		_, err = s.Supplier.Accept(t.Context(), order.ID, order.Notice.ID)
		wantRefusal(t, "Accept after cancelling", err, gangway.Conflict)
	})
}

func sameTimes(a, b gangway.Segment) bool {
	return a.FlightNumber == b.FlightNumber && a.Departure.Equal(b.Departure) && a.Arrival.Equal(b.Arrival)
}
