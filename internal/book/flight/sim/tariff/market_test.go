package tariff_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/calltest"
	"gangway/internal/world"
)

// A market is a tariff and a finder that uses it.
type market struct {
	*tariff.Tariff
	supplier flight.Supplier
}

func open(t *testing.T) market {
	t.Helper()
	flights := calltest.Must(timetable.Load())(t)
	network := calltest.Must(sim.New(sim.Config{Now: func() time.Time { return simtest.Today }}))(t)
	return market{tariff.New(flights, world.DefaultFactors()), network.For(nil, 0)}
}

// find returns all offers for an ask.
func find(t *testing.T, n market, ask flight.Ask) []flight.Offer {
	t.Helper()
	var offers []flight.Offer
	if err := n.supplier.Search(t.Context(), ask, func(o []flight.Offer) {
		offers = append(offers,
			o...)
	}); err != nil {
		t.Fatal(err)
	}
	return offers
}

// wantFlyable fails if a flight of an offer cannot be reached from the one before it.
func wantFlyable(t *rapid.T, n market, o flight.Offer) {
	for _, leg := range o.Itinerary.Legs() {
		for i := range leg[1:] {
			a, b := leg[i], leg[i+1]
			wait := int(b.Departure.Sub(a.Arrival).Minutes())
			if a.Destination != b.Origin || wait < n.MinConnectionBetween(a, b) || wait > timetable.LongestWait {
				t.Fatalf("%s: %s follows %s after %d minutes", o.ID, b.FlightNumber, a.FlightNumber, wait)
			}
		}
	}
}
