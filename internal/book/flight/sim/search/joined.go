package search

import (
	"slices"

	"gangway/internal/book/flight/sim/timetable"
)

// find returns the trips that rules allow. It passes those of up to one stop to few before it looks
// for those of more, which takes longer.
func (j *join) find(r rules, few func([]timetable.Trip) error) ([]timetable.Trip, error) {
	if j.limit == nil || r.detour != j.detour {
		j.ways, j.limit = [mostJoined][]tripEdges{}, j.limit[:0]
		for _, a := range j.want.from {
			for _, b := range j.to {
				j.limit = append(j.limit, r.detour.limit(j.Km(a.place, b.place)))
			}
		}
	}
	j.rules, j.found = r, nil
	for stops := 0; stops <= r.stops; stops++ {
		if stops == 2 {
			if err := few(j.found); err != nil {
				return nil, err
			}
		}
		if err := j.withStops(stops); err != nil {
			return nil, err
		}
	}
	return j.found, nil
}

// withStops finds the trips that have a number of stops.
func (j *join) withStops(stops int) error {
	if j.ways[stops] == nil {
		j.ways[stops] = j.waysOver(stops)
	}
	for i := range j.ways[stops] {
		w := &j.ways[stops][i]
		switch {
		case len(j.found) >= j.enough:
			return nil
		case j.ctx.Err() != nil:
			return j.ctx.Err()
		case j.arriving:
			j.backward(w, w.n-1)
		default:
			j.forward(w, 0)
		}
	}
	return nil
}

// forward completes a trip along the edges of a way, from its k-th edge on.
func (j *join) forward(w *tripEdges, k int) {
	if k == w.n {
		j.complete(w)
		return
	}
	e := &j.Edges[w.edges[k]]
	if k == 0 {
		end := &j.want.from[w.from]
		j.next[k] = j.departing(j.next[k][:0], e, end.first, end.last)
	} else {
		j.next[k] = j.onward(j.next[k][:0], j.hops[k-1], e)
	}
	for _, h := range j.next[k] {
		if end := &j.to[w.to]; k == w.n-1 && (h.Arr < end.first || h.Arr > end.last) {
			continue
		}
		j.hops[k] = h
		j.forward(w, k+1)
	}
}

// backward completes a trip along the edges of a way, from its k-th edge to its first.
func (j *join) backward(w *tripEdges, k int) {
	if k < 0 {
		j.complete(w)
		return
	}
	e := &j.Edges[w.edges[k]]
	if k == w.n-1 {
		end := &j.to[w.to]
		j.next[k] = j.landing(j.next[k][:0], e, end.first, end.last)
	} else {
		j.next[k] = j.feeding(j.next[k][:0], e, j.hops[k+1])
	}
	for _, h := range j.next[k] {
		if end := &j.want.from[w.from]; k == 0 && (h.Dep < end.first || h.Dep > end.last) {
			continue
		}
		j.hops[k] = h
		j.backward(w, k-1)
	}
}

func (j *join) complete(w *tripEdges) {
	p := timetable.Trip{N: w.n, Before: j.want.from[w.from].ground, After: j.to[w.to].ground}
	copy(p.Hops[:], j.hops[:w.n])
	j.found = append(j.found, p)
}

// departing appends the flights of an edge that leave between two instants, by departure.
func (j *join) departing(list []timetable.Hop, e *timetable.Edge, first, last int) []timetable.Hop {
	day, _ := j.Local(int(e.From), first)
	for end, _ := j.Local(int(e.From), last); day <= end; day++ {
		list = j.flown(list, e, day, func(dep, _ int) bool { return dep >= first && dep <= last })
	}
	return list
}

// landing appends the flights of an edge that land between two instants, by departure.
func (j *join) landing(list []timetable.Hop, e *timetable.Edge, first, last int) []timetable.Hop {
	day, _ := j.Local(int(e.From), first-int(e.Most))
	for end, _ := j.Local(int(e.From), last-int(e.Least)); day <= end; day++ {
		list = j.flown(list, e, day, func(_, arr int) bool { return arr >= first && arr <= last })
	}
	return list
}

// flown appends the flights of an edge on a local day whose times fit and whose airlines are
// admitted.
func (j *join) flown(list []timetable.Hop, e *timetable.Edge, day int, fits func(dep, arr int) bool) []timetable.Hop {
	offset, steady := j.Offset(int(e.From), day)
	today := timetable.Weekday(day)
	for i := e.First; i < e.After; i++ {
		l := &j.Lines[i]
		if l.Days&today == 0 || !j.admitted && j.Sanctioned(l.Carrier) {
			continue
		}
		dep := day*timetable.MinutesADay + int(l.Dep) - offset
		if !steady {
			dep = j.UTC(int(e.From), day, int(l.Dep))
		}
		if arr := dep + int(l.Block); fits(dep, arr) {
			list = append(list, timetable.Hop{Line: i, Day: day, Dep: dep, Arr: arr})
		}
	}
	return list
}

// onward appends, for each airline, the first flight of an edge that can be reached from another
// flight. Later flights of the same airline would only mean a longer wait.
func (j *join) onward(list []timetable.Hop, before timetable.Hop, e *timetable.Edge) []timetable.Hop {
	came := &j.Lines[before.Line]
	soonest := before.Arr + j.MinConnection(int(came.From), int(e.From), int(e.To))
	list = j.departing(list, e, soonest, before.Arr+j.wait)
	kept := list[:0]
	for _, h := range list {
		l := &j.Lines[h.Line]
		if j.sold(came, l, h.Dep-before.Arr) && !j.has(kept, l.Carrier) {
			kept = append(kept, h)
		}
	}
	return kept
}

// feeding appends, for each airline, the last flight of an edge from which another flight can be
// reached; all of them if there is a preferred departure time.
func (j *join) feeding(list []timetable.Hop, e *timetable.Edge, after timetable.Hop) []timetable.Hop {
	goes := &j.Lines[after.Line]
	latest := after.Dep - j.MinConnection(int(e.From), int(e.To), int(goes.To))
	list = j.landing(list, e, after.Dep-j.wait, latest)
	slices.Reverse(list)
	kept := list[:0]
	for _, h := range list {
		l := &j.Lines[h.Line]
		if j.sold(l, goes, after.Dep-h.Arr) && (j.wish >= 0 || !j.has(kept, l.Carrier)) {
			kept = append(kept, h)
		}
	}
	return kept
}

// has reports whether an airline has a flight in a list.
func (j *join) has(list []timetable.Hop, carrier uint16) bool {
	for i := range list {
		if j.Lines[list[i].Line].Carrier == carrier {
			return true
		}
	}
	return false
}

// sold reports whether a flight can follow another after a number of minutes: on one ticket, or on a
// second one if there is time to check in again.
func (j *join) sold(came, goes *timetable.Line, minutes int) bool {
	return j.Together(came.Carrier, goes.Carrier) || j.transfers && minutes >= timetable.SelfTransfer
}
