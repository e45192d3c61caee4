package orders_test

import (
	"fmt"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
)

// Whichever flights of an order an airline was told to cancel, delay or retime, neither does it offer them as they were
// planned, not even once they should have left, nor does a search for other flights find them. Every process says the
// same.
func TestStruckFlightsAreNotOffered(t *testing.T) {
	for _, what := range gangway.Disruptions {
		t.Run(string(what), func(t *testing.T) { strikeAll(t, what) })
	}
}

func strikeAll(t *testing.T, what gangway.Disruption) {
	c := open(t)
	begin, legs := c.now, []flight.Leg{between("MNL", "AMS", "2026-12-05")}
	network := func() *sim.Sandbox {
		return must(sim.New(sim.Config{Now: func() time.Time { return c.now }}))(t).Sandbox(c.ledger, 0, 0)
	}
	here, there := network(), network()
	offered, found := 0, 0
	for i, o := range c.offers(t, flight.Ask{Legs: legs, Vessel: "Nordlys", Flag: "NO", MaxStops: -1}) {
		if len(o.Itinerary.Segments) < 2 || o.Terms.Brand != "Marine" {
			continue
		}
		c.now = begin
		order := c.ticket(t, fmt.Sprint("r", i), o)
		struck := map[string]bool{}
		check := func(does string, its gangway.Itinerary) {
			for _, seg := range its.Segments {
				if struck[planned(seg)] {
					t.Errorf("%s %v: %s %s", what, struck, does, planned(seg))
				}
			}
		}
		offer := func() {
			got, again := must(here.Order(t.Context(), order.ID))(t), must(there.Order(t.Context(), order.ID))(t)
			if got.Notice == nil || again.Notice == nil || got.Notice.ID != again.Notice.ID {
				t.Fatalf("notice %+v, and elsewhere %+v", got.Notice, again.Notice)
			}
			check("offers", got.Notice.Itinerary)
			offered += len(got.Notice.Itinerary.Segments)
		}
		for _, seg := range order.Itinerary.Segments {
			if err := here.Disrupt(t.Context(), order.ID, what); err != nil {
				t.Fatal(err)
			}
			struck[planned(seg)] = true
			offer()
			for _, other := range must(here.FindChanges(t.Context(), order.ID, legs))(t) {
				check("finds", other.Itinerary)
				found++
			}
		}
		if what == gangway.FlightCancelled {
			c.now = order.Itinerary.Departure().Add(time.Hour)
			offer()
		}
	}
	if offered == 0 || found == 0 {
		t.Errorf("%d flights were offered and %d journeys found", offered, found)
	}
}

// planned names a flight at the time that it was planned for.
func planned(seg gangway.Segment) string {
	return seg.FlightNumber + seg.Departure.Format(" on 2 January at 15:04")
}
