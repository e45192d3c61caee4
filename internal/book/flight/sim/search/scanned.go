package search

import (
	"context"
	"slices"

	"gangway/internal/book/flight/sim/timetable"
)

// maxScanned is how many trips are taken from a scan, and maxScannedHours how long after the first of
// them the others may be.
const (
	maxScanned      = 60
	maxScannedHours = 12
)

// passable reports whether what was flown is not too great a detour.
func (r rules) passable(p *timetable.Trip, t *timetable.Timetable) bool {
	km := 0
	for _, h := range p.Flights() {
		km += int(t.Lines[h.Line].Km)
	}
	from, to := t.Lines[p.Hops[0].Line].From, t.Lines[p.Hops[p.N-1].Line].To
	return p.N == 1 || km <= r.detour.limit(t.Km(int(from), int(to)))
}

// ground returns the minutes by road before and after a trip.
func (w *want) ground(p *timetable.Trip, t *timetable.Timetable) (before, after int) {
	of := func(ends []end, place uint16) int {
		for _, e := range ends {
			if e.place == int(place) {
				return e.ground
			}
		}
		return 0
	}
	return of(w.from, t.Lines[p.Hops[0].Line].From), of(w.to, t.Lines[p.Hops[p.N-1].Line].To)
}

// scanFor finds trips by a scan: the first to arrive of those that leave in time, or the last to leave
// of those that arrive in time.
func (f *Finder) scanFor(ctx context.Context, w *want, r rules, marineOnly bool) ([]timetable.Trip, error) {
	s := f.newScan(r, marineOnly, w.arriving)
	defer s.done()
	begin, goal, until := w.from, w.to, w.scanned(r)
	if w.arriving {
		begin, goal = goal, begin
	}
	watched := make([]bool, len(f.Places))
	for _, e := range goal {
		watched[e.place] = true
	}
	var found []timetable.Trip
	err := s.run(ctx, begin, watched, until, func(v *reachableFlight) int {
		e := goal[slices.IndexFunc(goal, func(e end) bool { return e.place == int(s.far(&v.Departure)) })]
		at := int(v.arr)
		if w.arriving {
			at = int(v.dep)
		}
		if at < e.first || at > e.last {
			return until
		}
		p := s.trip(v)
		p.Before, p.After = w.ground(&p, f.Timetable)
		if r.passable(&p, f.Timetable) && !f.Returns(&p) {
			found = append(found, p)
			switch {
			case len(found) >= maxScanned:
				until = int(v.dep)
			case w.arriving:
				until = max(until, p.Leaves()-maxScannedHours*60)
			default:
				until = min(until, p.Reaches()+maxScannedHours*60)
			}
		}
		return until
	})
	return found, err
}
