package search

import (
	"context"
	"fmt"
	"slices"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// A target is an ask whose best trip a scan looks for, together with other asks.
type target struct {
	*want
	ask  int // its index
	best timetable.Trip
}

// improve keeps the trip of a visit if it is the best for the target so far.
func (g *target) improve(s *scan, v *reachableFlight) bool {
	goal, at := g.to, int(v.arr)
	if s.back {
		goal, at = g.from, int(v.dep)
	}
	e := goal[slices.IndexFunc(goal, func(e end) bool { return e.place == int(s.far(&v.Departure)) })]
	switch {
	case at < e.first || at > e.last:
		return false
	case g.best.N > 0 && s.back && at-e.ground <= g.best.Leaves():
		return false
	case g.best.N > 0 && !s.back && at+e.ground >= g.best.Reaches():
		return false
	}
	p := s.trip(v)
	if s.Returns(&p) {
		return false
	}
	g.best = p
	g.best.Before, g.best.After = g.ground(&p, s.Timetable)
	return true
}

// usefulUntil returns the minute of departure up to which a scan may improve a target; until, as long
// as some have no trip.
func usefulUntil(targets []*target, back bool, until int) int {
	worst := targets[0]
	for _, g := range targets {
		switch {
		case g.best.N == 0:
			return until
		case back && g.best.Leaves() < worst.best.Leaves(), !back && g.best.Reaches() > worst.best.Reaches():
			worst = g
		}
	}
	if back {
		return worst.best.Leaves()
	}
	return worst.best.Reaches()
}

// Reach returns the best that the only leg of each ask allows, by the first rules that allow anything.
// Asks that share the airports and times at the end from which they are scanned are answered together:
// a whole crew that has to be at a port costs hardly more than one traveller.
//
// It considers only times. Whether seats are left, in which cabin, and whether a trip is too great a
// detour is left to a search.
func (f *Finder) Reach(ctx context.Context, asks []flight.Ask, now int) ([]flight.Reach, error) {
	answers := make([]flight.Reach, len(asks))
	var keys []string // in the order of the asks
	groups := map[string][]*target{}
	for i, ask := range asks {
		if len(ask.Legs) != 1 {
			return nil, gangway.Errorf(gangway.Invalid,
				"reach is answered for one leg, not for %d", len(ask.Legs))
		}
		w, err := f.wanted(ask.Legs[0], now)
		if err != nil || w == nil {
			continue // no airline flies there
		}
		begin := w.from
		if w.arriving {
			begin = w.to
		}
		marine := ask.FareType == gangway.Marine
		key := fmt.Sprint(begin, w.arriving, ask.MaxStops, ask.MaxLayover, marine, ask.Sanctioned)
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], &target{want: w, ask: i})
	}
	for _, key := range keys {
		if err := f.reachAll(ctx, asks, groups[key]); err != nil {
			return nil, err
		}
		for _, g := range groups[key] {
			if g.best.N > 0 {
				answers[g.ask] = f.answer(&g.best)
			}
		}
	}
	return answers, nil
}

// reachAll finds the best trips for targets that are scanned from the same end, by the first rules that
// allow any.
func (f *Finder) reachAll(ctx context.Context, asks []flight.Ask, targets []*target) error {
	ask := &asks[targets[0].ask]
	var tried []rules
	for i, r := range stepsFor(ask) {
		if r.detour = usual; slices.Contains(tried, r) {
			continue
		}
		tried = append(tried, r)
		var open []*target
		for _, g := range targets {
			if g.best.N == 0 && (i == 0 || r.transfers || !f.isolated(g.want)) {
				open = append(open, g)
			}
		}
		if len(open) == 0 {
			continue
		}
		if err := f.reachBy(ctx, r, ask.FareType == gangway.Marine, open); err != nil {
			return err
		}
	}
	return nil
}

// reachBy finds the best trips by rules, with one scan.
func (f *Finder) reachBy(ctx context.Context, r rules, marine bool, targets []*target) error {
	back := targets[0].arriving
	s := f.newScan(r, marine, back)
	defer s.done()
	at := map[uint16][]*target{} // by place
	watched := make([]bool, len(f.Places))
	begin, until := targets[0].from, targets[0].scanned(r)
	if back {
		begin = targets[0].to
	}
	for _, g := range targets {
		goal := g.to
		if back {
			goal, until = g.from, min(until, g.scanned(r))
		}
		for _, e := range goal {
			watched[e.place] = true
			at[uint16(e.place)] = append(at[uint16(e.place)], g)
		}
	}
	return s.run(ctx, begin, watched, until, func(v *reachableFlight) int {
		better := false
		for _, g := range at[s.far(&v.Departure)] {
			better = g.improve(s, v) || better
		}
		if better {
			until = usefulUntil(targets, back, until)
		}
		return until
	})
}

func (f *Finder) answer(p *timetable.Trip) flight.Reach {
	first, last := p.Hops[0], p.Hops[p.N-1]
	from, to := &f.Places[f.Lines[first.Line].From], &f.Places[f.Lines[last.Line].To]
	return flight.Reach{
		OK: true, From: gangway.Airport(from.IATA), To: gangway.Airport(to.IATA), Stops: p.Stops(),
		Departure: timetable.TimeOf(first.Dep, from.Loc), Arrival: timetable.TimeOf(last.Arr, to.Loc),
	}
}
