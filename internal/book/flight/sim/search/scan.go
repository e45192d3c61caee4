package search

import (
	"context"
	"slices"
	"sync"

	"gangway/internal/book/flight/sim/timetable"
)

// A scan follows all flights in order of time and finds out which of them can be taken: forward from
// where a traveller sets out, or backward from the destination. It answers for all airports at once,
// with the same days, connecting times, waits and airlines that sell together as a join. But of the
// trips that end with a flight it finds only one, with as few flights as possible, and it ignores
// detours.
type scan struct {
	*timetable.Timetable
	rules
	marine bool // without low-cost airlines
	back   bool // backward

	at     [timetable.MostHops][][]placeTime // by number of flights so far less one, and by place
	some   []uint8                           // by place: a bit for each number of flights with entries in at
	visits []reachableFlight
}

// A reachableFlight is a flight that the traveller can take.
type reachableFlight struct {
	timetable.Departure
	dep, arr int32
	near     int32 // the visit before it, towards the scan's beginning; negative: none
	flights  int8
	end      uint8 // the index of the end where it began, plus one
}

// A placeTime is when the traveller is at a place, in the scan's order of time: after landing there, or
// in a backward scan before leaving it, as a negative number.
type placeTime struct {
	at    int32
	visit int32
}

// scans are reused, because they are large.
var scans = sync.Pool{New: func() any { return new(scan) }}

func (f *Finder) newScan(r rules, marine, back bool) *scan {
	s := scans.Get().(*scan)
	s.Timetable, s.rules, s.marine, s.back, s.visits = f.Timetable, r, marine, back, s.visits[:0]
	if len(s.some) != len(f.Places) {
		s.some = make([]uint8, len(f.Places))
		for i := range s.at {
			s.at[i] = make([][]placeTime, len(f.Places))
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

// done returns a scan to the pool. Nothing that it found may be used after that.
func (s *scan) done() { scans.Put(s) }

// run begins at ends and passes visits to watched places to found, in order of departure: from the
// first, or in a backward scan from the last. found returns the minute of departure up to which further
// visits are useful; until is its initial value.
func (s *scan) run(ctx context.Context, ends []end, watched []bool, until int,
	found func(v *reachableFlight) (until int)) error {
	begin := make([]uint8, len(s.Places))
	first, last := ends[0].first, ends[0].last
	for i, e := range ends {
		begin[e.place] = uint8(i + 1)
		first, last = min(first, e.first), max(last, e.last)
	}
	look := func(day int, d *timetable.Departure) (more bool) {
		dep := day*timetable.MinutesADay + int(d.Minute)
		switch {
		case !s.back && (dep < first || dep > until):
			return dep < first
		case s.back && (dep > last || dep < until):
			return dep > last
		case d.Alone() && s.marine, d.Named() && !s.admitted:
			return true
		}
		if v := s.take(d, dep, ends, begin); v != nil && watched[s.far(d)] {
			until = found(v)
		}
		return true
	}
	if s.back {
		for day := last / timetable.MinutesADay; day >= until/timetable.MinutesADay && ctx.Err() == nil; day-- {
			if len(s.visits) == 0 && (day+2)*timetable.MinutesADay < first {
				break // nothing before that can land in time
			}
			list := s.Departures(day)
			for i := len(list) - 1; i >= 0; i-- {
				if !look(day, &list[i]) {
					return ctx.Err()
				}
			}
		}
		return ctx.Err()
	}
	for day := first / timetable.MinutesADay; day <= until/timetable.MinutesADay && ctx.Err() == nil; day++ {
		if len(s.visits) == 0 && day*timetable.MinutesADay > last {
			break // nothing after that is useful
		}
		list := s.Departures(day)
		for i := range list {
			if !look(day, &list[i]) {
				return ctx.Err()
			}
		}
	}
	return ctx.Err()
}

// far returns the airport of a flight that the scan reaches by it.
func (s *scan) far(d *timetable.Departure) uint16 {
	if s.back {
		return d.From
	}
	return d.To
}

// take records a flight if it can be taken: from where the scan begins, or after another flight. A
// trip never returns to where it began.
func (s *scan) take(d *timetable.Departure, dep int, ends []end, begin []uint8) *reachableFlight {
	v := reachableFlight{Departure: *d, dep: int32(dep), arr: int32(dep + int(d.Block)), near: -1}
	place, here, there, at := d.From, v.dep, v.arr, dep // where and when it is reached, and when the scan is beyond
	if s.back {
		place, here, there, at = d.To, -v.arr, -v.dep, int(v.arr)
	}
	connects := !d.Alone() || s.transfers
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

// reach records that the last visit brings the traveller to a place.
func (s *scan) reach(place uint16, flights int, at int32) {
	list := append(s.at[flights][place], placeTime{at, int32(len(s.visits) - 1)})
	for i := len(list) - 1; i > 0 && list[i-1].at > list[i].at; i-- {
		list[i-1], list[i] = list[i], list[i-1]
	}
	s.at[flights][place] = list
	s.some[place] |= 1 << flights
}

// find returns the visit in a list from which a flight is reached with the shortest wait, leaving out
// visits that began at the given end; negative: none.
func (s *scan) find(list []placeTime, d *timetable.Departure, at int32, end uint8) int32 {
	first, last := at-int32(s.wait), at-timetable.Quickest
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

// connects reports whether a number of minutes is enough, and not too much, between a visit and a flight.
func (s *scan) connects(v *reachableFlight, d *timetable.Departure, minutes int) bool {
	came, goes := &v.Departure, d
	if s.back {
		came, goes = goes, came
	}
	if (came.Alone() || goes.Alone()) && (!s.transfers || minutes < timetable.SelfTransfer) {
		return false
	}
	return minutes >= s.MinConnection(int(came.From), int(goes.From), int(goes.To))
}

// trip returns the flights from the scan's beginning to a visit, or in a backward scan from the visit to
// the scan's beginning.
func (s *scan) trip(v *reachableFlight) timetable.Trip {
	var p timetable.Trip
	for {
		utcDay := int(v.dep) / timetable.MinutesADay
		line, day := v.Flight(utcDay)
		p = p.With(timetable.Hop{Line: line, Day: day, Dep: int(v.dep), Arr: int(v.arr)})
		if v.near < 0 {
			break
		}
		v = &s.visits[v.near]
	}
	if !s.back {
		slices.Reverse(p.Hops[:p.N])
	}
	return p
}
