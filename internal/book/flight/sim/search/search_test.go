package search

import (
	"cmp"
	"context"
	"slices"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// A network is a finder at a time.
type network struct {
	*Finder
	now time.Time
}

func open(t testing.TB) *network {
	t.Helper()
	return openAt(t, simtest.Today)
}

// openAt is the network at another time than simtest.Today.
func openAt(t testing.TB, now time.Time) *network {
	t.Helper()
	flights := calltest.Must(timetable.Load())(t)
	return &network{New(tariff.New(flights, world.DefaultFactors())), now}
}

// search passes the offers for legs to found as they are found.
func (n *network) search(ctx context.Context, ask flight.Ask, found func([]flight.Offer)) error {
	ask.Cabin = cmp.Or(ask.Cabin, gangway.Economy)
	return n.EachJourney(ctx, ask, timetable.MinuteOf(n.now), func(journeys []timetable.Journey) error {
		var quotes []tariff.Quote
		for _, j := range journeys {
			quotes = append(quotes, tariff.Quote{Journey: j, Cabin: ask.Cabin, At: n.now, Currency: "USD"})
		}
		found(n.Offers(ask, quotes))
		return nil
	})
}

// find returns all offers for legs.
func find(t testing.TB, n *network, ask flight.Ask) []flight.Offer {
	t.Helper()
	var offers []flight.Offer
	err := n.search(t.Context(), ask, func(o []flight.Offer) { offers = append(offers, o...) })
	if err != nil {
		t.Fatalf("search(%v) = %v", ask.Legs, err)
	}
	return offers
}

// placeOf returns an airport of the network by its code.
func placeOf(n *network, code string) int {
	place, _ := n.PlaceOf(gangway.Airport(code))
	return place
}

func TestSearch(t *testing.T) {
	n := open(t)
	t.Run("forty crew reach a port from all over the world, on marine fares too", func(t *testing.T) {
		for _, port := range []gangway.Airport{"SIN", "AMS", "IAH", "GRU", "PTY"} {
			for _, home := range simtest.Busy {
				if home == string(port) {
					continue
				}
				offers := find(t, n, simtest.Crew(gangway.Leg{Origin: gangway.Place(home),
					Destination: gangway.Place(port), ArriveOn: "2026-12-01"}))
				marine := func(o flight.Offer) bool { return o.Terms.FareType == gangway.Marine }
				if !slices.ContainsFunc(offers, marine) {
					t.Errorf("%s-%s: %d offers, none marine", home, port, len(offers))
				}
				if len(offers) > 80 {
					t.Errorf("%s-%s: %d offers, which nobody would read", home, port, len(offers))
				}
			}
		}
	})
	t.Run("a fourth flight only if nothing else goes", func(t *testing.T) {
		offers := find(t, n, simtest.Fly("KOI", "KTA", "2026-12-01"))
		if len(offers) == 0 || len(offers[0].Itinerary.Segments) != 4 {
			t.Errorf("KOI-KTA: %d offers; want some of four flights", len(offers))
		}
		for _, o := range find(t, n, simtest.Fly("MNL", "AMS", "2026-12-01")) {
			if len(o.Itinerary.Segments) > 3 {
				t.Errorf("MNL-AMS: %s has %d flights", o.ID, len(o.Itinerary.Segments))
			}
		}
	})
	t.Run("several legs follow one another", func(t *testing.T) {
		offers := find(t, n, simtest.Crew(
			gangway.Leg{Origin: "MNL", Destination: "AMS", Date: "2026-12-01"},
			gangway.Leg{Origin: "AMS", Destination: "ABZ", Date: "2026-12-04"},
			gangway.Leg{Origin: "ABZ", Destination: "LHR", Date: "2026-12-04"}))
		if len(offers) == 0 {
			t.Fatal("nothing found")
		}
		for _, o := range offers {
			wantSound(t, n, o)
			legs := o.Itinerary.Legs()
			if len(legs) != 3 || len(o.Baggage) != 3 || legs[2][0].Departure.Before(legs[1][len(legs[1])-1].Arrival) {
				t.Errorf("%s: legs %v, baggage %v", o.ID, o.Itinerary.Route(), o.Baggage)
			}
		}
	})
	t.Run("a better cabin is that of the longest flight and costs more", func(t *testing.T) {
		ask := simtest.Fly("AMS", "SIN", "2026-12-01")
		cheapest := func() (best int64) {
			for _, o := range find(t, n, ask) {
				if best == 0 || o.Price.Total.Minor < best {
					best = o.Price.Total.Minor
				}
				longest := slices.MaxFunc(o.Itinerary.Segments,
					func(a, b gangway.Segment) int { return a.DistanceKm - b.DistanceKm })
				if want := ask.Cabin; want != "" && longest.Cabin != want {
					t.Errorf("%s: the longest flight is in %s; want %s", o.ID, longest.Cabin, want)
				}
			}
			return best
		}
		economy := cheapest()
		for _, c := range []gangway.Cabin{gangway.PremiumEconomy, gangway.Business, gangway.First} {
			ask.Cabin = c
			if got := cheapest(); got <= economy {
				t.Errorf("%s from %d; want more than %d", c, got, economy)
			}
		}
	})
	t.Run("nothing is sold that leaves too soon, has left, or is beyond the horizon", func(t *testing.T) {
		for _, date := range []gangway.Date{"2026-11-01", "2025-01-01", "2028-01-01"} {
			if offers := find(t, n, simtest.Fly("AMS", "LHR", date)); len(offers) != 0 {
				t.Errorf("%s: %d offers", date, len(offers))
			}
		}
		for _, o := range find(t, n, simtest.Fly("AMS", "LHR", gangway.DateOf(simtest.Today))) {
			if o.Itinerary.Departure().Before(simtest.Today.Add(tariff.SaleEnds * time.Minute)) {
				t.Errorf("%s leaves %s", o.ID, o.Itinerary.Departure())
			}
		}
	})
}
