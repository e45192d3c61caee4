package orders_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// disturbed returns a ticketed order in which airlines have changed flights by themselves, as seen so long before
// departure.
func disturbed(t *testing.T, name string, before time.Duration, fits func(flight.Order) bool) (*counter, flight.Order) {
	t.Helper()
	c := open(t)
	order := c.ticket(t, "r1", c.offer(t, toWork, brand(name)))
	c.now = order.Itinerary.Departure().Add(-before)
	a := c.account(t)
	got := a.Disturb(t, order.ID, fits)
	c.Supplier = a
	if got.Price != order.Price || !sameFlown(got.Itinerary, order.Itinerary) {
		t.Fatalf("the order itself has changed: %+v", got)
	}
	return c, got
}

func because(word string) func(flight.Order) bool {
	return func(o flight.Order) bool {
		return strings.Contains(o.Notice.Why, word) && strings.Count(o.Notice.Why, ".") == 1 &&
			len(o.Notice.Itinerary.Segments) > 0
	}
}

func (c *counter) accept(t *testing.T, order flight.Order) flight.Order {
	t.Helper()
	moved := must(c.Accept(t.Context(), order.ID, order.Notice.ID))(t)
	if moved.Price != order.Price || moved.Status != order.Status || moved.Notice != nil ||
		!slices.Contains(moved.Changes, order.Notice.ID) {
		t.Fatalf("Accept: %s for %s, notice %+v, changes %q",
			moved.Status, moved.Price.Total, moved.Notice, moved.Changes)
	}
	return moved
}

const aDay = 24 * time.Hour

// flown returns the flight numbers of an itinerary.
func flown(it gangway.Itinerary) []string {
	var names []string
	for _, seg := range it.Segments {
		names = append(names, seg.FlightNumber)
	}
	slices.Sort(names)
	return names
}

func sameFlown(a, b gangway.Itinerary) bool {
	return slices.EqualFunc(a.Segments, b.Segments, func(x, y gangway.Segment) bool {
		return x.FlightNumber == y.FlightNumber && x.Departure.Equal(y.Departure) && x.Arrival.Equal(y.Arrival)
	})
}
