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
		refused(t, gangway.Conflict, gangway.NotFound, gangway.Invalid)(s.Accept(t.Context(), order.ID, "unknown"))
		moved := must(s.Accept(t.Context(), order.ID, order.Notice.ID))(t)
		if moved.Status != flight.Ticketed || moved.Notice != nil || !slices.Contains(moved.Changes,
			order.Notice.ID) {
			t.Fatalf("Accept = %s, changes %q, notice %+v; want it ticketed and the notice among the changes",
				moved.Status, moved.Changes, moved.Notice)
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
		s.cancel(t, order)
		refused(t, gangway.Conflict)(s.Accept(t.Context(), order.ID, order.Notice.ID))
	})
}

func sameTimes(a, b gangway.Segment) bool {
	return a.FlightNumber == b.FlightNumber && a.Departure.Equal(b.Departure) && a.Arrival.Equal(b.Arrival)
}
