package orders

import (
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/search"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// open returns a seller without a ledger, which cannot book.
func open(t *testing.T) *Seller {
	t.Helper()
	flights, err := timetable.Load()
	if err != nil {
		t.Fatal(err)
	}
	finder := search.New(tariff.New(flights, world.DefaultFactors()))
	return New(finder, nil, 0, func() time.Time { return simtest.Today })
}

// find returns all offers for an ask.
func find(t *testing.T, s *Seller, ask flight.Ask) []flight.Offer {
	t.Helper()
	var offers []flight.Offer
	if err := s.Search(t.Context(), ask, func(o []flight.Offer) { offers = append(offers, o...) }); err != nil {
		t.Fatal(err)
	}
	return offers
}

// splitJourneys returns journeys on a low-cost airline and then on another: half of them within a
// leg, half of them on two legs.
func splitJourneys(t *testing.T, n *Seller, day int) []timetable.Journey {
	t.Helper()
	fly := func(line uint32, day int) timetable.Trip {
		l := &n.Lines[line]
		dep := n.UTC(int(l.From), day, int(l.Dep))
		return timetable.Trip{}.With(timetable.Hop{Line: line, Day: day, Dep: dep, Arr: dep + int(l.Block)})
	}
	var within, legs []timetable.Journey
	for i := range n.Lines {
		first := &n.Lines[i]
		if n.Carriers[first.Carrier].Type != world.LowCost || !first.On(day) {
			continue
		}
		for _, e := range n.From(int(first.To)) {
			second := &n.Lines[e.First]
			if int(e.To) == int(first.From) || n.Together(first.Carrier, second.Carrier) ||
				first.Carrier == second.Carrier || !second.On(day+1) {
				continue
			}
			a, b := fly(uint32(i), day), fly(e.First, day+1)
			switch {
			case len(within) < 10 && n.Connects(a.Hops[0], b.Hops[0]):
				within = append(within, timetable.Journey{a.With(b.Hops[0])})
			case len(legs) < 10 && n.Follows(&a, &b):
				legs = append(legs, timetable.Journey{a, b})
			}
			break
		}
	}
	if len(within) == 0 || len(legs) == 0 {
		t.Fatalf("%d journeys are split within a leg and %d between legs; want some", len(within), len(legs))
	}
	return append(within, legs...)
}

// SplitOffers returns offers of journeys on two tickets, the first of a low-cost airline, as sold at
// an instant for a date.
func SplitOffers(t *testing.T, brand string, at time.Time, on gangway.Date) []flight.Offer {
	s := open(t)
	day, _ := timetable.DayOf(on)
	var offers []flight.Offer
	for _, j := range splitJourneys(t, s, day) {
		q := tariff.Quote{Journey: j, Brand: tariff.BrandNamed(brand), Cabin: gangway.Economy, At: at, Currency: "EUR"}
		offers = append(offers, s.Offer(q))
	}
	return offers
}
