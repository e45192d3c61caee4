package sim_test

import (
	"context"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/flighttest"
	"gangway/internal/book/flight/sim"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

func TestSupplier(t *testing.T) {
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	network := calltest.Must(sim.New(sim.Config{Now: func() time.Time { return now }}))(t)
	flighttest.Supplier(t, func(t *testing.T) flighttest.Stage {
		db := storetest.New(t)
		ledger := db.In(storetest.Account(t, db).Scope()).Ledger()
		a := &simtest.Account{For: func(seed int64) flight.Supplier { return network.For(ledger, seed) }}
		a.Supplier = a.For(0)
		return flighttest.Stage{
			Supplier: a,
			Now:      func() time.Time { return now },
			Forward:  func(d time.Duration) { now = now.Add(d) },
			Ask: func(days int) flight.Ask {
				return simtest.Ask(flight.Leg{
					From: simtest.Side(0, "MNL"), To: simtest.Side(0, "AMS"),
					Date: gangway.DateOf(now.AddDate(0, 0, days)),
				})
			},
			Disturb: func(t *testing.T, order string) {
				a.Disturb(t, order, func(o flight.Order) bool { return len(o.Notice.Itinerary.Segments) > 0 })
			},
		}
	})
}

// A caller that stops waiting does not learn the outcome.
func TestDelay(t *testing.T) {
	db := storetest.New(t)
	network := calltest.Must(sim.New(sim.Config{Now: time.Now, Delay: time.Hour}))(t)
	supplier := network.For(db.In(storetest.Account(t, db).Scope()).Ledger(), 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := supplier.Find(ctx, "r1"); gangway.KindOf(err) != gangway.Internal {
		t.Fatalf("Find with a cancelled context = %v; want an error that leaves the outcome open", err)
	}
}
