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
	stopCents = 8000
)

// A choice is the trips of one leg that are worth offering, as they are found.
// Where marine fares can be had, most are of airlines that have them: alone,
// low-cost airlines would often push them out.
type choice struct {
	*timetable
	*want
	ask           flight.Ask
	now           int
	most          int
	with, without []rated // with a marine fare that is asked for, and without
	closed        bool    // all without have been found
	one           journey // room for one trip
}

// A rated trip is a trip with what it is compared by.
type rated struct {
	*trip
	cents int // the price in the middle brand
	cost  int // with the traveller's time
}

func (t *timetable) newChoice(ask flight.Ask, w *want, now, most int) *choice {
	return &choice{timetable: t, want: w, ask: ask, now: now, most: most}
}

// content reports whether there is no reason to look by other rules, looser
// than before: something was found, and with a marine fare if one can be had.
// Where only that is missing, nothing else is taken any more.
func (c *choice) content(r rules) bool {
	c.closed = len(c.without) > 0
	return len(c.with) > 0 || c.closed && (!sellsMarine(c.ask) || r.transfers)
}

// marineOnly reports whether only trips with a marine fare are wanted.
func (c *choice) marineOnly() bool { return c.ask.FareType == gangway.Marine || c.closed }

// isMarine reports whether a trip has a marine fare that is asked for.
func (c *choice) isMarine(p *trip) bool {
	if !sellsMarine(c.ask) {
		return false
	}
	c.one = append(c.one[:0], *p)
	return c.sells(marine, c.one, c.ask.Cabin)
}

// take chooses among the trips found, so that about so many are offered
// altogether, and hands those on that were not handed on before.
func (c *choice) take(trips []trip, most int, found func([]trip) error) error {
	var with, without []rated
	for i := range trips {
		p := &trips[i]
		switch {
		case !c.hasCabin(p, c.ask.Cabin):
		case c.isMarine(p):
			with = append(with, rated{trip: p})
		case !c.marineOnly():
			without = append(without, rated{trip: p})
		}
	}
	room := most
	if sellsMarine(c.ask) {
		room /= 4
	}
	others := c.choose(without, c.without, room)
	c.without = append(c.without, others...)
	chosen := c.choose(with, c.with, most-len(c.without))
	c.with = append(c.with, chosen...)
	if chosen = append(chosen, others...); len(chosen) == 0 {
		return nil
	}
	list := make([]trip, len(chosen))
	for i, p := range chosen {
		list[i] = *p.trip
	}
	return found(list)
}

// takeSurely does the same with those trips that will be worth offering
// whatever else is found, and leaves room for that.
func (c *choice) takeSurely(trips []trip, found func([]trip) error) error {
	var sure []trip
	for i := range trips {
		p := &trips[i]
		first, last := &c.lines[p.hops[0].line], &c.lines[p.hops[p.n-1].line]
		if p.minutes() <= tooLong(c.inTheAir(int(first.from), int(last.to))) {
			sure = append(sure, *p)
		}
	}
	return c.take(sure, c.most*3/4, found)
}

// inTheAir is about how many minutes the quickest flight between two airports would take.
func (t *timetable) inTheAir(from, to int) int { return 30 + t.km(from, to)*10/145 }

// tooLong is how long a trip may take when another takes so many minutes:
// nobody travels twice as long.
func tooLong(shortest int) int { return 2*shortest + 3*60 }

// choose returns so many of the trips found that, with those that were kept
// before, the most are offered, best first: those that no other beats in price,
// arrival, departure and stops, and where these are few, the best of the others
// by other airlines or ways.
func (c *choice) choose(found, kept []rated, most int) []rated {
	shortest := math.MaxInt / 4
	for _, list := range [][]rated{found, kept} {
		for _, p := range list {
			shortest = min(shortest, p.minutes())
		}
	}
	all := found[:0]
	for _, p := range found {
		if p.minutes() > tooLong(shortest) || holds(kept, p) {
			continue
		}
		f := c.tripFare(p.trip, classic, c.ask.Cabin, c.now)
		p.cents = f.base + f.taxes
		p.cost = p.cents + p.minutes()*hourCents/60 + p.stops()*stopCents
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b rated) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.reaches(), b.reaches()), compareFlights(a.trip, b.trip))
	})
	var best, others []rated
	for _, p := range all {
		beaten := func(q rated) bool { return beats(&q, &p) }
		if !slices.ContainsFunc(best, beaten) && !slices.ContainsFunc(kept, beaten) {
			best = append(best, p)
		} else {
			others = append(others, p)
		}
	}
	chosen := leading(best, kept, most)
	ways := map[[mostHops]uint64]bool{}
	for _, list := range [][]rated{kept, chosen} {
		for _, p := range list {
			ways[c.way(p.trip)] = true
		}
	}
	for _, p := range others {
		if len(kept)+len(chosen) >= most*3/4 {
			break
		}
		if w := c.way(p.trip); !ways[w] {
			ways[w] = true
			chosen = append(chosen, p)
		}
	}
	chosen = c.withWished(chosen, kept, all)
	slices.SortStableFunc(chosen, func(a, b rated) int { return cmp.Compare(a.cost, b.cost) })
	return chosen
}

func holds(list []rated, p rated) bool {
	return slices.ContainsFunc(list, func(q rated) bool { return *q.trip == *p.trip })
}

// leading returns the first of a sorted list, so many together with those that
// were kept before: in any case the cheapest, the earliest to arrive, the last to
// leave and the shortest, and non-stop flights before others.
func leading(best, kept []rated, most int) []rated {
	most -= len(kept)
	if len(best) == 0 || len(best) <= most {
		return best
	}
	var chosen []rated
	for _, by := range []func(a, b rated) int{
		func(a, b rated) int { return cmp.Compare(a.cents, b.cents) },
		func(a, b rated) int { return cmp.Compare(a.reaches(), b.reaches()) },
		func(a, b rated) int { return cmp.Compare(b.leaves(), a.leaves()) },
		func(a, b rated) int { return cmp.Compare(a.minutes(), b.minutes()) },
	} {
		p := slices.MinFunc(best, by)
		asGood := func(q rated) bool { return by(q, p) <= 0 }
		if !slices.ContainsFunc(chosen, asGood) && !slices.ContainsFunc(kept, asGood) {
			chosen = append(chosen, p)
		}
	}
	for _, fits := range []func(p rated) bool{
		func(p rated) bool { return p.n == 1 && len(chosen) < most/2 }, // everybody wants to see these
		func(p rated) bool { return len(chosen) < most },
	} {
		for _, p := range best {
			if fits(p) && !holds(chosen, p) {
				chosen = append(chosen, p)
			}
		}
	}
	return chosen
}

// withWished adds the best of the trips that leave nearest to when the traveller wishes.
func (c *choice) withWished(chosen, kept, all []rated) []rated {
	if c.wish < 0 || len(all) == 0 {
		return chosen
	}
	p := slices.MinFunc(all, func(a, b rated) int { return cmp.Compare(c.offWish(a), c.offWish(b)) })
	nearer := func(q rated) bool { return c.offWish(q) <= c.offWish(p) }
	if slices.ContainsFunc(chosen, nearer) || slices.ContainsFunc(kept, nearer) {
		return chosen
	}
	return append(chosen, p)
}

// offWish returns by how many minutes a trip leaves sooner or later than wished.
func (c *choice) offWish(p rated) int {
	_, minute := c.local(int(c.lines[p.hops[0].line].from), p.dep())
	off := max(minute-c.wish, c.wish-minute)
	if c.arriving {
		off = min(off, minutesADay-off) // of whichever day
	}
	return off
}

// beats reports whether nobody would choose p when q is to be had.
func beats(q, p *rated) bool {
	return q.cents <= p.cents && q.reaches() <= p.reaches() && q.leaves() >= p.leaves() && q.n <= p.n
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
