package sim

import (
	"testing"

	"gangway"
	"gangway/internal/book/flight"
)

// BenchmarkStart measures laying out the timetable, as every process does once.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		f, err := files.Open("data/routes.csv.gz")
		if err != nil {
			b.Fatal(err)
		}
		routes, err := readRoutes(f)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := newTimetable(routes); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSearch measures one search, on average over many pairs of airports.
func BenchmarkSearch(b *testing.B) {
	n := network(b)
	s := n.For(nil, 0)
	i := 0
	for b.Loop() {
		from, to := busy[i%len(busy)], busy[(i*7+3)%len(busy)]
		i++
		if from == to {
			continue
		}
		ask := crew(gangway.Leg{Origin: gangway.Place(from), Destination: gangway.Place(to), ArriveOn: "2026-12-01"})
		if err := s.Search(b.Context(), ask, func([]flight.Offer) {}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReach measures who of a crew of forty can be at a port at all.
func BenchmarkReach(b *testing.B) {
	n := network(b)
	var asks []flight.Ask
	for _, home := range busy[:40] {
		asks = append(asks, crew(gangway.Leg{Origin: gangway.Place(home), Destination: "NLRTM", ArriveOn: "2026-12-09", ArriveBy: "18:00"}))
	}
	for b.Loop() {
		reach(b, n, asks...)
	}
}

// BenchmarkSheet measures laying out what leaves on a day.
func BenchmarkSheet(b *testing.B) {
	n := network(b)
	for b.Loop() {
		n.layOut(20_800)
	}
}

// BenchmarkCrew measures the searches for a crew of forty that comes from all over the world.
func BenchmarkCrew(b *testing.B) {
	s := network(b).For(nil, 0)
	for b.Loop() {
		for _, home := range busy[:40] {
			ask := crew(gangway.Leg{Origin: gangway.Place(home), Destination: "GRU", ArriveOn: "2026-12-01"})
			if err := s.Search(b.Context(), ask, func([]flight.Offer) {}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
