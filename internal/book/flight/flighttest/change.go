package flighttest

import (
	"slices"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// testChange holds that an order moves to the flights of a change offer, for its price,
// until the offer expires.
func testChange(t *testing.T, s Stage) {
	order := s.ticket(t, "r1")
	o := s.changes(t, order, 33)[0]
	if priced := must(s.PriceChange(t.Context(), order.ID, o.ID))(t); priced.Due != o.Due || priced.Price != o.Price {
		t.Fatalf("PriceChange = %s due; want %s", priced.Due, o.Due)
	}
	s.Forward(o.Expires.Sub(s.Now()) + time.Second)
	refused(t, gangway.Conflict)(s.Change(t.Context(), order.ID, o.ID))
	o = s.changes(t, order, 33)[0]
	changed := must(s.Change(t.Context(), order.ID, o.ID))(t)
	if changed.Status != flight.Ticketed || !slices.Contains(changed.Changes, o.ID) {
		t.Fatalf("Change = %s, changes %q; want it ticketed and the change listed", changed.Status, changed.Changes)
	}
	if !changed.Itinerary.Departure().Equal(o.Itinerary.Departure()) || changed.Price.Total != o.Price.Total {
		t.Fatalf("Change leaves %s for %s; want %s for %s", changed.Itinerary.Departure(), changed.Price.Total,
			o.Itinerary.Departure(), o.Price.Total)
	}
	refused(t, gangway.NotFound)(s.FindChanges(t.Context(), "no-such-order", s.Ask(33).Legs))
}

// changes returns the offers to change an order to flights in so many days, which are some.
func (s Stage) changes(t *testing.T, order flight.Order, days int) []flight.ChangeOffer {
	t.Helper()
	offers := must(s.FindChanges(t.Context(), order.ID, s.Ask(days).Legs))(t)
	if len(offers) == 0 {
		t.Fatal("FindChanges found nothing")
	}
	return offers
}
