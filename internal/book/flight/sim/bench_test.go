package sim_test

import (
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/gangway"
)

// One operation is a search, on average over many pairs of airports.
func BenchmarkSearch(b *testing.B) {
	n := network(b)
	s := n.For(nil, 0)
	i := 0
	for b.Loop() {
		from, to := simtest.Busy[i%len(simtest.Busy)], simtest.Busy[(i*7+3)%len(simtest.Busy)]
		i++
		if from == to {
			continue
		}
		ask := simtest.Crew(gangway.Leg{Origin: gangway.Place(from), Destination: gangway.Place(to),
			ArriveOn: "2026-12-01"})
		if err := s.Search(b.Context(), ask, func([]flight.Offer) {}); err != nil {
			b.Fatal(err)
		}
	}
}

// One operation finds out who of a crew of forty can reach a port at all.
func BenchmarkReach(b *testing.B) {
	s := network(b).For(nil, 0).(flight.Scout)
	var asks []flight.Ask
	for _, home := range simtest.Busy[:40] {
		asks = append(asks, simtest.Crew(gangway.Leg{Origin: gangway.Place(home), Destination: "NLRTM",
			ArriveOn: "2026-12-09", ArriveBy: "18:00"}))
	}
	for b.Loop() {
		if _, err := s.Reach(b.Context(), asks); err != nil {
			b.Fatal(err)
		}
	}
}

// One operation is the searches for a crew of forty from all over the world.
func BenchmarkCrew(b *testing.B) {
	s := network(b).For(nil, 0)
	for b.Loop() {
		for _, home := range simtest.Busy[:40] {
			ask := simtest.Crew(gangway.Leg{Origin: gangway.Place(home), Destination: "GRU", ArriveOn: "2026-12-01"})
			if err := s.Search(b.Context(), ask, func([]flight.Offer) {}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
