package flighttest_test

import (
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/flighttest"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// stage returns the simulated network behind a Faulty.
func stage(t *testing.T) (flighttest.Stage, *flighttest.Faulty) {
	t.Helper()
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	network, err := sim.New(sim.Config{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	db := storetest.New(t)
	line := flighttest.NewFaulty(network.For(db.In(storetest.Account(t, db).Scope()).Ledger(), 0))
	return flighttest.Stage{
		Supplier: line,
		Now:      func() time.Time { return now },
		Forward:  func(d time.Duration) { now = now.Add(d) },
		Ask: func(days int) flight.Ask {
			return flight.Ask{Legs: []flight.Leg{{From: []flight.End{{Airport: "MNL"}},
				To: []flight.End{{Airport: "AMS"}}, Date: gangway.DateOf(now.AddDate(0, 0, days))}}, Vessel: "Nordlys",
				Flag: "NO", MaxStops: -1}
		},
	}, line
}

// Without faults a Faulty changes nothing.
func TestFaultyWithoutFaults(t *testing.T) {
	flighttest.Supplier(t, func(t *testing.T) flighttest.Stage {
		s, _ := stage(t)
		return s
	})
}

// A fault hides an outcome and never changes it.
func TestFaults(t *testing.T) {
	tests := []struct {
		name  string
		fault flighttest.Fault
		done  bool
	}{
		{"a lost request does nothing", flighttest.LostBefore, false},
		{"a lost answer undoes nothing", flighttest.LostAfter, true},
		{"a slow supplier has made the hold", flighttest.Slow, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, line := stage(t)
			var offer flight.Offer
			err := s.Supplier.Search(t.Context(), s.Ask(30), func(o []flight.Offer) { offer = o[0] })
			if err != nil || offer.ID == "" {
				t.Fatalf("Search found %q, %v", offer.ID, err)
			}
			line.Fail("hold", tt.fault)
			_, err = line.Hold(t.Context(), flight.HoldAsk{
				Reference: "r1", Offer: offer.ID, Price: offer.Price.Total, Vessel: "Nordlys", Flag: "NO",
				Passenger: gangway.Traveller{LastName: "Santos", FirstName: "Maria"},
			})
			if gangway.KindOf(err) != gangway.Unavailable {
				t.Fatalf("Hold = %v; want Unavailable", err)
			}
			if tt.fault == flighttest.Slow {
				if _, err := line.Find(t.Context(), "r1"); gangway.KindOf(err) != gangway.Unavailable {
					t.Fatalf("Find while it is slow = %v; want Unavailable", err)
				}
				line.Settle()
			}
			order, err := line.Find(t.Context(), "r1")
			if tt.done && (err != nil || order.Status != flight.Held) || !tt.done && gangway.KindOf(err) !=
				gangway.NotFound {
				t.Fatalf("Find = %s, %v; want it held: %v", order.Status, err, tt.done)
			}
			if want := map[bool]int{true: 1}[tt.done]; line.Calls("hold") != want {
				t.Errorf("the supplier was asked %d times; want %d", line.Calls("hold"), want)
			}
		})
	}
}
