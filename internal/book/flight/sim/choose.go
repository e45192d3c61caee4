package sim

import (
	"cmp"
	"math"
	"slices"

	"gangway"
	"gangway/internal/book/flight"
)

// How many trips are offered: of a search's only leg, of each of several, and
// of several put together. Each is then offered in up to four brands.
const (
	manyTrips       = 18
	manyTripsOfMany = 12
	manyJourneys    = 16
)

// hourCents is what an hour of a traveller's time counts for when trips are
// compared, and stopCents what a stop does.
const (
	hourCents = 2000
	stopCents = 5000
)

// A rated trip is a trip with what it is compared by.
type rated struct {
	trip
	cents int // the price in the middle brand
	cost  int // with the traveller's time
}

// chooseFor returns the trips worth offering to who asks. Where marine fares
// can be had, most are of airlines that have them: alone, low-cost airlines
// would often push them out.
func (t *timetable) chooseFor(ask flight.Ask, found []trip, now, most int) []trip {
	if !sellsMarine(ask) {
		return t.choose(found, ask.Cabin, now, most)
	}
	var with, without []trip
	for _, p := range found {
		if t.sells(marine, journey{p}, ask.Cabin) {
			with = append(with, p)
		} else {
			without = append(without, p)
		}
	}
	if ask.FareType == gangway.Marine {
		return t.choose(with, ask.Cabin, now, most)
	}
	with = t.choose(with, ask.Cabin, now, most*3/4)
	return append(with, t.choose(without, ask.Cabin, now, most-len(with))...)
}

// choose returns the trips worth offering, best first: those that no other
// beats in price, arrival, departure and stops, and where these are few, the
// best of the others by other airlines or ways.
func (t *timetable) choose(found []trip, cabin gangway.Cabin, now, most int) []trip {
	shortest := math.MaxInt / 4
	for _, p := range found {
		shortest = min(shortest, p.minutes())
	}
	var all []rated
	for _, p := range found {
		if p.minutes() > 2*shortest+3*60 {
			continue // nobody travels twice as long
		}
		f := t.tripFare(&p, classic, cabin, now)
		cents := f.base + f.taxes
		all = append(all, rated{p, cents, cents + p.minutes()*hourCents/60 + p.stops()*stopCents})
	}
	slices.SortFunc(all, func(a, b rated) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.arr(), b.arr()), compareFlights(&a.trip, &b.trip))
	})
	var best, others []rated
	for _, p := range all {
		if !slices.ContainsFunc(best, func(q rated) bool { return beats(&q, &p) }) {
			best = append(best, p)
		} else {
			others = append(others, p)
		}
	}
	kept := leading(best, most)
	ways := map[[mostHops]uint64]bool{}
	for _, p := range kept {
		ways[t.way(&p.trip)] = true
	}
	for _, p := range others {
		if len(kept) >= most*3/4 {
			break
		}
		if w := t.way(&p.trip); !ways[w] {
			ways[w] = true
			kept = append(kept, p)
		}
	}
	slices.SortStableFunc(kept, func(a, b rated) int { return cmp.Compare(a.cost, b.cost) })
	trips := make([]trip, len(kept))
	for i, p := range kept {
		trips[i] = p.trip
	}
	return trips
}

// leading returns the first of a sorted list, and in any case the cheapest, the
// earliest to arrive, the last to leave and the shortest.
func leading(best []rated, most int) []rated {
	if len(best) <= most {
		return best
	}
	kept := slices.Clone(best[:most-4])
	for _, by := range []func(a, b rated) int{
		func(a, b rated) int { return cmp.Compare(a.cents, b.cents) },
		func(a, b rated) int { return cmp.Compare(a.arr(), b.arr()) },
		func(a, b rated) int { return cmp.Compare(b.dep(), a.dep()) },
		func(a, b rated) int { return cmp.Compare(a.minutes(), b.minutes()) },
	} {
		p := slices.MinFunc(best, by)
		if !slices.ContainsFunc(kept, func(q rated) bool { return q.trip == p.trip }) {
			kept = append(kept, p)
		}
	}
	return kept
}

// beats reports whether nobody would choose p when q is to be had.
func beats(q, p *rated) bool {
	return q.cents <= p.cents && q.arr() <= p.arr() && q.dep() >= p.dep() && q.n <= p.n
}

// way tells trips apart by airlines and airports, whatever their time.
func (t *timetable) way(p *trip) (w [mostHops]uint64) {
	for i, h := range p.flights() {
		l := &t.lines[h.line]
		w[i] = uint64(l.carrier)<<32 | uint64(l.from)<<16 | uint64(l.to)
	}
	return w
}

// compareFlights puts trips that are otherwise equal in an order that is always the same.
func compareFlights(a, b *trip) int {
	for i := range mostHops {
		if c := cmp.Or(cmp.Compare(a.hops[i].line, b.hops[i].line), cmp.Compare(a.hops[i].dep, b.hops[i].dep)); c != 0 {
			return c
		}
	}
	return 0
}
