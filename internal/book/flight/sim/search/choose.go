package search

import (
	"cmp"
	"math"
	"slices"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// How many trips are offered: for a search's only leg, for each of several legs, and for several
// legs together. Each is then offered in up to four brands.
const (
	manyTrips       = 18
	manyTripsOfMany = 12
	manyJourneys    = 16
)

// A choice is the trips of one leg that are worth offering, as they are found. If marine fares are
// possible, most trips are by airlines that sell them: by price alone, low-cost airlines would often
// leave no room for them.
type choice struct {
	*tariff.Tariff
	*want
	ask           flight.Ask
	now           int
	most          int
	with, without []ratedTrip       // with and without a requested marine fare
	closed        bool              // no more trips without one are taken
	one           timetable.Journey // reused for single trips
}

func (f *Finder) newChoice(ask flight.Ask, w *want, now, most int) *choice {
	return &choice{Tariff: f.Tariff, want: w, ask: ask, now: now, most: most}
}

// satisfied reports whether there is no reason to search again by looser rules: something was found,
// and with a marine fare if one is possible. If only that is missing, nothing else is taken any
// more.
func (c *choice) satisfied(r rules) bool {
	c.closed = len(c.without) > 0
	return len(c.with) > 0 || c.closed && (!tariff.SellsMarine(c.ask) || r.transfers)
}

// marineOnly reports whether only trips with a marine fare are wanted.
func (c *choice) marineOnly() bool { return c.ask.FareType == gangway.Marine || c.closed }

// isMarine reports whether a trip has a requested marine fare.
func (c *choice) isMarine(p *timetable.Trip) bool {
	if !tariff.SellsMarine(c.ask) {
		return false
	}
	c.one = append(c.one[:0], *p)
	return c.Sells(tariff.Marine, c.one, c.ask.Cabin)
}

// take chooses among the found trips so that about most are offered in all, and passes on those that
// were not passed on before.
func (c *choice) take(trips []timetable.Trip, most int, found func([]timetable.Trip) error) error {
	var with, without []ratedTrip
	for i := range trips {
		p := &trips[i]
		switch {
		case !c.HasCabin(p, c.ask.Cabin):
		case c.isMarine(p):
			with = append(with, ratedTrip{Trip: p})
		case !c.marineOnly():
			without = append(without, ratedTrip{Trip: p})
		}
	}
	room := most
	if tariff.SellsMarine(c.ask) {
		room /= 4
	}
	others := c.choose(without, c.without, room)
	c.without = append(c.without, others...)
	chosen := c.choose(with, c.with, most-len(c.without))
	c.with = append(c.with, chosen...)
	if chosen = append(chosen, others...); len(chosen) == 0 {
		return nil
	}
	return found(gangway.Each(chosen, func(p ratedTrip) timetable.Trip { return *p.Trip }))
}

// takeCertain does the same with those trips that are worth offering whatever else is found, and
// leaves room for the others.
func (c *choice) takeCertain(trips []timetable.Trip, found func([]timetable.Trip) error) error {
	var sure []timetable.Trip
	for i := range trips {
		p := &trips[i]
		first, last := &c.Lines[p.Hops[0].Line], &c.Lines[p.Hops[p.N-1].Line]
		if p.Minutes() <= tooLong(c.inTheAir(int(first.From), int(last.To))) {
			sure = append(sure, *p)
		}
	}
	return c.take(sure, c.most*3/4, found)
}

// choose returns some of the found trips, best first, so that at most most are offered together with
// those kept before: first the trips that no other beats in price, arrival, departure and stops, and
// if these are few, the best of the others by other airlines or ways.
func (c *choice) choose(found, kept []ratedTrip, most int) []ratedTrip {
	all := c.rate(found, kept)
	var best, others []ratedTrip
	for _, p := range all {
		beaten := func(q ratedTrip) bool { return isBetter(&q, &p) }
		if !slices.ContainsFunc(best, beaten) && !slices.ContainsFunc(kept, beaten) {
			best = append(best, p)
		} else {
			others = append(others, p)
		}
	}
	chosen := leadingTrips(best, kept, most)
	chosen = c.withOtherWays(chosen, kept, others, most*3/4)
	chosen = c.withWished(chosen, kept, all)
	slices.SortStableFunc(chosen, func(a, b ratedTrip) int { return cmp.Compare(a.cost, b.cost) })
	return chosen
}

// rate returns the found trips that are worth comparing, cheapest first with the traveller's time
// counted in. It leaves out trips that take longer than anybody would travel, and those kept before.
func (c *choice) rate(found, kept []ratedTrip) []ratedTrip {
	shortest := math.MaxInt / 4
	for _, list := range [][]ratedTrip{found, kept} {
		for _, p := range list {
			shortest = min(shortest, p.Minutes())
		}
	}
	all := found[:0]
	for _, p := range found {
		if p.Minutes() > tooLong(shortest) || holdsTrip(kept, p) {
			continue
		}
		p.cents = c.TripPrice(p.Trip, tariff.Classic, c.ask.Cabin, c.now)
		p.cost = p.cents + p.Minutes()*hourCents/60 + p.Stops()*stopCents
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b ratedTrip) int {
		byCost, byArrival := cmp.Compare(a.cost, b.cost), cmp.Compare(a.Reaches(), b.Reaches())
		return cmp.Or(byCost, byArrival, compareFlights(a.Trip, b.Trip))
	})
	return all
}

// withOtherWays adds trips by other airlines or airports until there are most of them, counting those
// kept before.
func (c *choice) withOtherWays(chosen, kept, others []ratedTrip, most int) []ratedTrip {
	ways := map[[timetable.MostHops]uint64]bool{}
	for _, list := range [][]ratedTrip{kept, chosen} {
		for _, p := range list {
			ways[c.way(p.Trip)] = true
		}
	}
	for _, p := range others {
		if len(kept)+len(chosen) >= most {
			break
		}
		if w := c.way(p.Trip); !ways[w] {
			ways[w] = true
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// withWished adds the best of the trips that leave nearest to the preferred departure time.
func (c *choice) withWished(chosen, kept, all []ratedTrip) []ratedTrip {
	if c.wish < 0 || len(all) == 0 {
		return chosen
	}
	p := slices.MinFunc(all, func(a, b ratedTrip) int { return cmp.Compare(c.offWish(a), c.offWish(b)) })
	nearer := func(q ratedTrip) bool { return c.offWish(q) <= c.offWish(p) }
	if slices.ContainsFunc(chosen, nearer) || slices.ContainsFunc(kept, nearer) {
		return chosen
	}
	return append(chosen, p)
}

// offWish returns by how many minutes a trip misses the preferred departure time.
func (c *choice) offWish(p ratedTrip) int {
	_, minute := c.Local(int(c.Lines[p.Hops[0].Line].From), p.Dep())
	off := max(minute-c.wish, c.wish-minute)
	if c.arriving {
		off = min(off, timetable.MinutesADay-off) // on any day
	}
	return off
}

// inTheAir returns about how many minutes the quickest flight between two airports would take.
func (c *choice) inTheAir(from, to int) int { return 30 + c.Km(from, to)*10/145 }

// way identifies the airlines and airports of a trip, whatever its times.
func (c *choice) way(p *timetable.Trip) (w [timetable.MostHops]uint64) {
	for i, h := range p.Flights() {
		l := &c.Lines[h.Line]
		w[i] = uint64(l.Carrier)<<32 | uint64(l.From)<<16 | uint64(l.To)
	}
	return w
}
