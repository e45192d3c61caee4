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
	find := func() flight.ChangeOffer {
		t.Helper()
		offers, err := s.Supplier.FindChanges(t.Context(), order.ID, s.Ask(33).Legs)
		if err != nil || len(offers) == 0 {
			t.Fatalf("FindChanges = %d offers, %v; want some", len(offers), err)
		}
		return offers[0]
	}
	o := find()
	priced, err := s.Supplier.PriceChange(t.Context(), order.ID, o.ID)
	if err != nil || priced.Due != o.Due || priced.Price != o.Price {
		t.Fatalf("PriceChange = %s due, %v; want %s", priced.Due, err, o.Due)
	}
	s.Forward(o.Expires.Sub(s.Now()) + time.Second)
	_, err = s.Supplier.Change(t.Context(), order.ID, o.ID)
	wantRefusal(t, "Change on an expired offer", err, gangway.Conflict)
	o = find()
	changed, err := s.Supplier.Change(t.Context(), order.ID, o.ID)
	if err != nil || changed.Status != flight.Ticketed || !slices.Contains(changed.Changes, o.ID) {
		t.Fatalf("Change = %s, changes %q, %v; want it ticketed and the change listed", changed.Status, changed.Changes,
			err)
	}
	if !changed.Itinerary.Departure().Equal(o.Itinerary.Departure()) || changed.Price.Total != o.Price.Total {
		t.Fatalf("Change leaves %s for %s; want %s for %s", changed.Itinerary.Departure(), changed.Price.Total,
			o.Itinerary.Departure(), o.Price.Total)
	}
	_, err = s.Supplier.FindChanges(t.Context(), "no-such-order", s.Ask(33).Legs)
	wantRefusal(t, "FindChanges of an unknown order", err, gangway.NotFound)
}
