package sim_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
)

// network is the network on the day of the tests.
func network(t testing.TB) *sim.Network {
	t.Helper()
	n := calltest.Must(sim.New(sim.Config{Now: func() time.Time { return simtest.Today }}))(t)
	return n
}

// batches returns the offers for an ask in the batches in which they arrive.
func batches(t testing.TB, n *sim.Network, ask flight.Ask) [][]flight.Offer {
	t.Helper()
	var all [][]flight.Offer
	calltest.Done(t, n.For(nil, 0).Search(t.Context(), ask, func(o []flight.Offer) { all = append(all, o) }))
	return all
}

func TestSearchStreams(t *testing.T) {
	n := network(t)
	t.Run("few stops come first, and nothing is found twice", func(t *testing.T) {
		several := 0
		for _, to := range simtest.Busy[20:] {
			if to == "MNL" {
				continue
			}
			came := map[string]bool{}
			all := batches(t, n, simtest.Fly("MNL", gangway.Place(to), "2026-12-09"))
			for i, batch := range all {
				for _, o := range batch {
					if stops := len(o.Itinerary.Segments) - 1; i == 0 && len(all) > 1 && stops > 1 {
						t.Errorf("MNL-%s: %s with %d stops in the first batch of %d", to, o.ID, stops, len(all))
					}
					if came[o.ID] {
						t.Errorf("MNL-%s: %s was found twice", to, o.ID)
					}
					came[o.ID] = true
				}
			}
			if len(all) > 1 {
				several++
			}
		}
		if several < 10 {
			t.Errorf("%d searches found several batches; want most", several)
		}
	})
	t.Run("a caller that stops waiting returns at once", func(t *testing.T) {
		for _, pair := range [][2]gangway.Place{{"MNL", "AMS"}, {"KOI", "KTA"}} {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			ask := simtest.Fly(pair[0], pair[1], "2026-12-09")
			err := n.For(nil, 0).Search(ctx, ask, func([]flight.Offer) { t.Error("offers were found") })
			if !errors.Is(err, context.Canceled) {
				t.Errorf("Search = %v; want it cancelled", err)
			}
			if _, err := n.For(nil, 0).(flight.Scout).Reach(ctx, []flight.Ask{ask}); !errors.Is(err, context.Canceled) {
				t.Errorf("Reach = %v; want it cancelled", err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		came := 0
		err := n.For(nil, 0).Search(ctx, simtest.Fly("MNL", "AMS", "2026-12-09"), func([]flight.Offer) {
			came++
			cancel()
		})
		if !errors.Is(err, context.Canceled) || came != 1 {
			t.Errorf("Search = %v after %d batches; want it cancelled after one", err, came)
		}
	})
}

func TestSearchRefuses(t *testing.T) {
	s := network(t).For(nil, 0)
	day := gangway.Date("2026-12-01")
	tests := []struct {
		name string
		ask  flight.Ask
	}{
		{"no leg", flight.Ask{}},
		{"an unknown airport", simtest.Fly("XQX", "AMS", day)},
		{"an airport without flights", simtest.Ask(flight.Leg{From: simtest.Side(0, "AMS"),
			To: simtest.Side(0, "JCY"), Date: day})},
		{"a flight to where it begins", simtest.Fly("AMS", "AMS", day)},
		{"no date", simtest.Crew(gangway.Leg{Origin: "AMS", Destination: "SIN"})},
		{"a day that no month has", simtest.Fly("AMS", "SIN", "2026-02-30")},
		{"a malformed arrival date", simtest.Crew(gangway.Leg{Origin: "AMS", Destination: "SIN", ArriveOn: "soon"})},
		{"a malformed time", simtest.Crew(gangway.Leg{Origin: "AMS", Destination: "SIN", ArriveOn: day,
			ArriveBy: "25:00"})},
		{"marine fares without a vessel", flight.Ask{Legs: simtest.Fly("AMS", "SIN", day).Legs,
			FareType: gangway.Marine}},
	}
	for _, tt := range tests {
		err := s.Search(t.Context(), tt.ask, func(o []flight.Offer) { t.Errorf("%s: %d offers", tt.name, len(o)) })
		if gangway.KindOf(err) != gangway.Invalid {
			t.Errorf("%s: %v; want Invalid", tt.name, err)
		}
	}
}
