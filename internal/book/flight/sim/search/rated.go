package search

import (
	"cmp"
	"slices"

	"gangway/internal/book/flight/sim/timetable"
)

// hourCents and stopCents are what an hour of the traveller's time and a stop count for when trips are
// compared.
const (
	hourCents = 2000
	stopCents = 8000
)

// A ratedTrip is a trip with the values by which it is compared.
type ratedTrip struct {
	*timetable.Trip
	cents int // the price in the middle brand
	cost  int // with the traveller's time
}

// tooLong is how long a trip may take when the shortest takes a number of minutes: nobody travels
// twice as long.
func tooLong(shortest int) int { return 2*shortest + 3*60 }

func holdsTrip(list []ratedTrip, p ratedTrip) bool {
	return slices.ContainsFunc(list, func(q ratedTrip) bool { return *q.Trip == *p.Trip })
}

// leadingTrips returns the first trips of a sorted list, at most most together with those kept before:
// always the cheapest, the earliest to arrive, the last to leave and the shortest, and non-stop flights
// before others.
func leadingTrips(best, kept []ratedTrip, most int) []ratedTrip {
	most -= len(kept)
	if len(best) == 0 || len(best) <= most {
		return best
	}
	var chosen []ratedTrip
	for _, by := range []func(a, b ratedTrip) int{
		func(a, b ratedTrip) int { return cmp.Compare(a.cents, b.cents) },
		func(a, b ratedTrip) int { return cmp.Compare(a.Reaches(), b.Reaches()) },
		func(a, b ratedTrip) int { return cmp.Compare(b.Leaves(), a.Leaves()) },
		func(a, b ratedTrip) int { return cmp.Compare(a.Minutes(), b.Minutes()) },
	} {
		p := slices.MinFunc(best, by)
		asGood := func(q ratedTrip) bool { return by(q, p) <= 0 }
		if !slices.ContainsFunc(chosen, asGood) && !slices.ContainsFunc(kept, asGood) {
			chosen = append(chosen, p)
		}
	}
	for _, fits := range []func(p ratedTrip) bool{
		func(p ratedTrip) bool { return p.N == 1 && len(chosen) < most/2 }, // non-stop flights first
		func(p ratedTrip) bool { return len(chosen) < most },
	} {
		for _, p := range best {
			if fits(p) && !holdsTrip(chosen, p) {
				chosen = append(chosen, p)
			}
		}
	}
	return chosen
}

// isBetter reports whether nobody would choose p if q is available.
func isBetter(q, p *ratedTrip) bool {
	return q.cents <= p.cents && q.Reaches() <= p.Reaches() && q.Leaves() >= p.Leaves() && q.N <= p.N
}

// compareFlights gives trips that are otherwise equal a stable order.
func compareFlights(a, b *timetable.Trip) int {
	for i := range timetable.MostHops {
		if c := cmp.Or(cmp.Compare(a.Hops[i].Line, b.Hops[i].Line), cmp.Compare(a.Hops[i].Dep, b.Hops[i].Dep)); c != 0 {
			return c
		}
	}
	return 0
}
