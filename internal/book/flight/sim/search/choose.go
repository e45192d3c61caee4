package search

import (
	"cmp"
	"math"
	"slices"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
)

// How many trips are offered: of a search's only leg, of each of several, and
// of several put together. Each is then offered in up to four brands.
const (
	manyTrips       = 18
	manyTripsOfMany = 12
	manyJourneys    = 16
)

// A choice is the trips of one leg that are worth offering, as they are found.
// Where marine fares can be had, most trips are of airlines that sell them: by
// price alone, low-cost airlines would often leave them no room.
type choice struct {
	*tariff.Tariff
	*want
	ask           flight.Ask
	now           int
	most          int
	with, without []ratedTrip       // with a marine fare that is asked for, and without
	closed        bool              // all without have been found
	one           timetable.Journey // room for one trip
}

func (f *Finder) newChoice(ask flight.Ask, w *want, now, most int) *choice {
	return &choice{Tariff: f.Tariff, want: w, ask: ask, now: now, most: most}
}

// content reports whether there is no reason to look by other rules, looser
// than before: something was found, and with a marine fare if one can be had.
// Where only that is missing, nothing else is taken any more.
func (c *choice) content(r rules) bool {
	c.closed = len(c.without) > 0
	return len(c.with) > 0 || c.closed && (!tariff.SellsMarine(c.ask) || r.transfers)
}

// marineOnly reports whether only trips with a marine fare are wanted.
func (c *choice) marineOnly() bool { return c.ask.FareType == gangway.Marine || c.closed }

// isMarine reports whether a trip has a marine fare that is asked for.
func (c *choice) isMarine(p *timetable.Trip) bool {
	if !tariff.SellsMarine(c.ask) {
		return false
	}
	c.one = append(c.one[:0], *p)
	return c.Sells(tariff.Marine, c.one, c.ask.Cabin)
}

// take chooses among the trips found, so that about so many are offered
// altogether, and hands those on that were not handed on before.
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
	list := make([]timetable.Trip, len(chosen))
	for i, p := range chosen {
		list[i] = *p.Trip
	}
	return found(list)
}

// takeSurely does the same with those trips that will be worth offering
// whatever else is found, and leaves room for that.
func (c *choice) takeSurely(trips []timetable.Trip, found func([]timetable.Trip) error) error {
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

// choose returns so many of the trips found that, with those that were kept
// before, the most are offered, best first: those that no other beats in price,
// arrival, departure and stops, and where these are few, the best of the others
// by other airlines or ways.
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

// rate returns the trips of those found that are worth comparing, cheapest first
// when the traveller's time counts too: those that take no longer than anybody
// travels, and were not kept before.
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

// withOtherWays adds trips by other airlines or airports, until there are so
// many with those that were kept before.
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

// withWished adds the best of the trips that leave nearest to when the traveller wishes.
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

// offWish returns by how many minutes a trip leaves sooner or later than wished.
func (c *choice) offWish(p ratedTrip) int {
	_, minute := c.Local(int(c.Lines[p.Hops[0].Line].From), p.Dep())
	off := max(minute-c.wish, c.wish-minute)
	if c.arriving {
		off = min(off, timetable.MinutesADay-off) // of whichever day
	}
	return off
}

// inTheAir is about how many minutes the quickest flight between two airports would take.
func (c *choice) inTheAir(from, to int) int { return 30 + c.Km(from, to)*10/145 }

// tripEdges tells trips apart by airlines and airports, whatever their time.
func (c *choice) way(p *timetable.Trip) (w [timetable.MostHops]uint64) {
	for i, h := range p.Flights() {
		l := &c.Lines[h.Line]
		w[i] = uint64(l.Carrier)<<32 | uint64(l.From)<<16 | uint64(l.To)
	}
	return w
}
