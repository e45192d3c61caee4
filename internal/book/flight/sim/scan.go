package sim

import (
	"context"
	"slices"
	"sync"
)

// A scan follows all flights in order of time and finds out which of them can be
// taken: ahead from where a traveller leaves, or back from where she has to be.
// It answers for all airports at once, by the same days, times for changing
// flights, waits and airlines that sell together as a join. But of the trips
// that end with a flight it finds only one, with as few flights as can be, and
// it does not mind detours.
type scan struct {
	*timetable
	rules
	marine bool // low-cost airlines are left out
	back   bool

	at     [mostHops][][]reached // by flights so far less one, and place
	some   []uint8               // by place: which of these there are, a bit each
	visits []visit
}

// A visit is a flight that the traveller can take.
type visit struct {
	departure
	dep, arr int32
	near     int32 // the visit before it, towards where the scan began; negative: none
	flights  int8
	end      uint8 // where it began: which of the ends, plus one
}

// A reached is when the traveller is at a place, in order of time: after landing
// there, or in a scan back, when leaving it, as a negative number.
type reached struct {
	at    int32
	visit int32
}

// scans are kept for the next ones, because they take room.
var scans = sync.Pool{New: func() any { return new(scan) }}

func (t *timetable) newScan(r rules, marine, back bool) *scan {
	s := scans.Get().(*scan)
	s.timetable, s.rules, s.marine, s.back, s.visits = t, r, marine, back, s.visits[:0]
	if len(s.some) != len(t.places) {
		s.some = make([]uint8, len(t.places))
		for i := range s.at {
			s.at[i] = make([][]reached, len(t.places))
		}
	}
	for place, some := range s.some {
		for i := 0; some>>i != 0; i++ {
			s.at[i][place] = s.at[i][place][:0]
		}
	}
	clear(s.some)
	return s
}

// done gives a scan back. Nothing that it found may be used any more.
func (s *scan) done() { scans.Put(s) }

// run begins at ends and tells of the visits to places that are watched, in the
// order of departure: from the first, or in a scan back from the last. tell
// returns the minute of departure up to which others are of use; until is that
// in the beginning.
func (s *scan) run(ctx context.Context, ends []end, watched []bool, until int, tell func(v *visit) (until int)) error {
	begin := make([]uint8, len(s.places))
	first, last := ends[0].first, ends[0].last
	for i, e := range ends {
		begin[e.place] = uint8(i + 1)
		first, last = min(first, e.first), max(last, e.last)
	}
	look := func(day int, d *departure) (more bool) {
		dep := day*minutesADay + int(d.minute)
		switch {
		case !s.back && (dep < first || dep > until):
			return dep < first
		case s.back && (dep > last || dep < until):
			return dep > last
		case d.alone() && s.marine, d.named() && !s.sanctioned:
			return true
		}
		if v := s.take(d, dep, ends, begin); v != nil && watched[s.far(d)] {
			until = tell(v)
		}
		return true
	}
	if s.back {
		for day := last / minutesADay; day >= until/minutesADay && ctx.Err() == nil; day-- {
			if len(s.visits) == 0 && (day+2)*minutesADay < first {
				break // nothing lands there
			}
			list := s.departures(day)
			for i := len(list) - 1; i >= 0; i-- {
				if !look(day, &list[i]) {
					return ctx.Err()
				}
			}
		}
		return ctx.Err()
	}
	for day := first / minutesADay; day <= until/minutesADay && ctx.Err() == nil; day++ {
		if len(s.visits) == 0 && day*minutesADay > last {
			break // nothing leaves there
		}
		list := s.departures(day)
		for i := range list {
			if !look(day, &list[i]) {
				return ctx.Err()
			}
		}
	}
	return ctx.Err()
}

// far returns the place to which a flight takes the scan.
func (s *scan) far(d *departure) uint16 {
	if s.back {
		return d.from
	}
	return d.to
}

// take enters a flight if it can be taken: from where the scan begins, or after
// another. Nobody comes back to the airport where she began.
func (s *scan) take(d *departure, dep int, ends []end, begin []uint8) *visit {
	v := visit{departure: *d, dep: int32(dep), arr: int32(dep + int(d.block)), near: -1}
	place, here, there, at := d.from, v.dep, v.arr, dep // where and when it is reached, and when the scan is beyond
	if s.back {
		place, here, there, at = d.to, -v.arr, -v.dep, int(v.arr)
	}
	connects := !d.alone() || s.transfers
	if i := begin[place]; i > 0 && at >= ends[i-1].first && at <= ends[i-1].last {
		v.flights, v.end = 1, i
	} else if connects {
		some := s.some[place]
		for n := 0; n < s.stops && some>>n != 0; n++ {
			if some>>n&1 == 0 {
				continue
			}
			if v.near = s.find(s.at[n][place], d, here, begin[place]); v.near >= 0 {
				v.flights, v.end = int8(n+2), s.visits[v.near].end
				break
			}
		}
	}
	if v.flights == 0 {
		return nil
	}
	s.visits = append(s.visits, v)
	if int(v.flights) <= s.stops && connects {
		s.reach(s.far(d), int(v.flights)-1, there)
	}
	return &s.visits[len(s.visits)-1]
}

// reach enters that the last visit brings the traveller to a place.
func (s *scan) reach(place uint16, flights int, at int32) {
	list := append(s.at[flights][place], reached{at, int32(len(s.visits) - 1)})
	for i := len(list) - 1; i > 0 && list[i-1].at > list[i].at; i-- {
		list[i-1], list[i] = list[i], list[i-1]
	}
	s.at[flights][place] = list
	s.some[place] |= 1 << flights
}

// find returns the visit in a list, not one that began at an end, from which a
// flight is reached with the least wait; negative: none.
func (s *scan) find(list []reached, d *departure, at int32, end uint8) int32 {
	first, last := at-int32(s.wait), at-quickest
	low, high := 0, len(list)
	for low < high {
		if middle := (low + high) / 2; list[middle].at <= last {
			low = middle + 1
		} else {
			high = middle
		}
	}
	for i := low - 1; i >= 0 && list[i].at >= first; i-- {
		if v := &s.visits[list[i].visit]; (end == 0 || v.end != end) && s.connects(v, d, int(at-list[i].at)) {
			return list[i].visit
		}
	}
	return -1
}

// connects reports whether so many minutes do between a visit and a flight.
func (s *scan) connects(v *visit, d *departure, minutes int) bool {
	came, goes := &v.departure, d
	if s.back {
		came, goes = goes, came
	}
	if (came.alone() || goes.alone()) && (!s.transfers || minutes < selfTransfer) {
		return false
	}
	return minutes >= s.change(int(came.from), int(goes.from), int(goes.to))
}

// trip returns the flights from where a scan began to a visit, or in a scan back
// from the visit to where it began.
func (s *scan) trip(v *visit) trip {
	var p trip
	for {
		utcDay := int(v.dep) / minutesADay
		line, day := v.flight(utcDay)
		p = p.with(hop{line: line, day: day, dep: int(v.dep), arr: int(v.arr)})
		if v.near < 0 {
			break
		}
		v = &s.visits[v.near]
	}
	if !s.back {
		slices.Reverse(p.hops[:p.n])
	}
	return p
}

// manyScanned is how many trips are taken from a scan, and manyHours for how
// long after the first of them others are.
const (
	manyScanned = 60
	manyHours   = 12
)

// scanFor finds trips by a scan: the first ones to arrive of those that leave in
// time, or the last ones to leave of those that arrive in time.
func (t *timetable) scanFor(ctx context.Context, w *want, r rules, marineOnly bool) ([]trip, error) {
	s := t.newScan(r, marineOnly, w.arriving)
	defer s.done()
	begin, goal, until := w.from, w.to, w.scanned(r)
	if w.arriving {
		begin, goal = goal, begin
	}
	watched := make([]bool, len(t.places))
	for _, e := range goal {
		watched[e.place] = true
	}
	var found []trip
	err := s.run(ctx, begin, watched, until, func(v *visit) int {
		e := goal[slices.IndexFunc(goal, func(e end) bool { return e.place == int(s.far(&v.departure)) })]
		at := int(v.arr)
		if w.arriving {
			at = int(v.dep)
		}
		if at < e.first || at > e.last {
			return until
		}
		p := s.trip(v)
		p.before, p.after = w.ground(&p, t)
		if t.passable(&p, r) && !t.returns(&p) {
			found = append(found, p)
			switch {
			case len(found) >= manyScanned:
				until = int(v.dep)
			case w.arriving:
				until = max(until, p.leaves()-manyHours*60)
			default:
				until = min(until, p.reaches()+manyHours*60)
			}
		}
		return until
	})
	return found, err
}

// ground returns the minutes by road before and after a trip.
func (w *want) ground(p *trip, t *timetable) (before, after int) {
	of := func(ends []end, place uint16) int {
		for _, e := range ends {
			if e.place == int(place) {
				return e.ground
			}
		}
		return 0
	}
	return of(w.from, t.lines[p.hops[0].line].from), of(w.to, t.lines[p.hops[p.n-1].line].to)
}
