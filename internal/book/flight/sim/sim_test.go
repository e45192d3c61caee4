package sim_test

import (
	"testing"
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/flighttest"
	"gangway/internal/book/flight/sim"
	"gangway/internal/store/storetest"
)

// An account is the network as one account sees it; its seed of disruptions can
// be set later.
type account struct {
	flight.Supplier
	network *sim.Network
	ledger  flight.Ledger
}

// disturb sets the seed so that an order's flights are disrupted in a way that
// fits. Nothing else about the order changes by it.
func (a *account) disturb(t *testing.T, order string, fits func(flight.Order) bool) flight.Order {
	t.Helper()
	for seed := range int64(20_000) {
		other := a.network.For(a.ledger, seed+1)
		o, err := other.Order(t.Context(), order)
		if err != nil {
			t.Fatal(err)
		}
		if o.Notice != nil && fits(o) {
			a.Supplier = other
			return o
		}
	}
	t.Fatal("no seed disturbs this order")
	return flight.Order{}
}

func TestSupplier(t *testing.T) {
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	network, err := sim.New(sim.Config{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	flighttest.Supplier(t, func(t *testing.T) flighttest.Stage {
		db := storetest.New(t)
		a := &account{network: network, ledger: db.In(storetest.Account(t, db).Scope()).Ledger()}
		a.Supplier = network.For(a.ledger, 0)
		return flighttest.Stage{
			Supplier: a,
			Now:      func() time.Time { return now },
			Forward:  func(d time.Duration) { now = now.Add(d) },
			Ask: func(days int) flight.Ask {
				return flight.Ask{Legs: []flight.Leg{between("MNL", "AMS", gangway.DateOf(now.AddDate(0, 0, days)))}, Vessel: "Nordlys", Flag: "NO", MaxStops: -1}
			},
			Disturb: func(t *testing.T, order string) {
				a.disturb(t, order, func(o flight.Order) bool { return len(o.Notice.Itinerary.Segments) > 0 })
			},
		}
	})
}
