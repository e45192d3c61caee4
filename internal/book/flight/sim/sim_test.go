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

func TestSupplier(t *testing.T) {
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	network, err := sim.New(sim.Config{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	flighttest.Supplier(t, func(t *testing.T) flighttest.Stage {
		db := storetest.New(t)
		return flighttest.Stage{
			Supplier: network.For(db.In(storetest.Account(t, db).Scope()).Ledger(), 0),
			Now:      func() time.Time { return now },
			Forward:  func(d time.Duration) { now = now.Add(d) },
			Ask: func(days int) flight.Ask {
				return flight.Ask{Legs: []flight.Leg{{From: []flight.End{{Airport: "MNL"}}, To: []flight.End{{Airport: "AMS"}}, Date: gangway.DateOf(now.AddDate(0, 0, days))}}, Vessel: "Nordlys", Flag: "NO", MaxStops: -1}
			},
		}
	})
}
