package sim

import (
	"context"
	"slices"
)

// A join finds the trips of one leg. It lists the ways over airports from any
// origin to any destination that are no great detour, and joins the flights
// along each: from the departures on, or back from the landings, whichever is
// asked for. For journeys of few flights that is quicker than following all
// flights in order of time, and it finds every choice.
type join struct {
	*timetable
	*want
	rules
	ctx    context.Context
	widest int               // ways that are tried for each number of stops, the shortest first
	enough int               // trips that are so many that more would not be better
	ways   [mostJoined][]way // by stops, once they are known

	first, last []int32 // by place: its links from the origins, and to the destinations
	links       []link
	limit       []int // kilometres that may be flown, by origin and destination

	hops  [mostJoined]hop   // the trip that is being put together
	next  [mostJoined][]hop // room for the choices of each of its flights
	found []trip
}

// A way is the edges of a trip, without times.
type way struct {
	edges    [mostJoined]uint32
	n        int
	from, to uint8 // which of the ends
}

// A link is an edge between a place and an end. Those of a place form a list.
type link struct {
	edge uint32
	end  uint8
	km   uint16
	next int32
}

const mostJoined = 3 // flights that are joined

// newJoin prepares to find the trips that w wants.
func (t *timetable) newJoin(ctx context.Context, w *want) *join {
	n := len(t.places)
	j := &join{
		timetable: t, want: w, ctx: ctx, widest: 250, enough: 5000,
		first: make([]int32, n), last: make([]int32, n), links: make([]link, 1),
	}
	for i, e := range w.from {
		for k := t.out[e.place]; k < t.out[e.place+1]; k++ {
			j.link(&j.first[t.edges[k].to], k, i)
		}
	}
	for i, e := range w.to {
		for _, k := range t.in[e.place] {
			j.link(&j.last[t.edges[k].from], k, i)
		}
	}
	return j
}

func (j *join) link(head *int32, edge uint32, end int) {
	j.links = append(j.links, link{edge, uint8(end), j.edges[edge].km, *head})
	*head = int32(len(j.links) - 1)
}

// by returns the trips that rules allow. It tells few of those of up to one
// stop, before it looks for those of more, which takes longer.
func (j *join) by(r rules, few func([]trip) error) ([]trip, error) {
	if j.limit == nil || r.detour != j.detour {
		j.ways, j.limit = [mostJoined][]way{}, j.limit[:0]
		for _, a := range j.want.from {
			for _, b := range j.to {
				j.limit = append(j.limit, r.detour.limit(j.km(a.place, b.place)))
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
		if err := j.over(stops); err != nil {
			return nil, err
		}
	}
	return j.found, nil
}

// over finds the trips that have so many stops.
func (j *join) over(stops int) error {
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
			j.back(w, w.n-1)
		default:
			j.on(w, 0)
		}
	}
	return nil
}

// waysOver returns the shortest ways with so many stops, the shortest first. They
// may pass through one airport of a side to reach another.
func (j *join) waysOver(stops int) []way {
	var all shortest
	switch stops {
	case 0:
		for i, e := range j.want.from {
			for k := j.last[e.place]; k != 0; k = j.links[k].next {
				l := &j.links[k]
				all.add(way{edges: [mostJoined]uint32{l.edge}, n: 1, from: uint8(i), to: l.end}, int(l.km)+j.byRoad(uint8(i), l.end))
			}
		}
	case 1:
		for via := range j.places {
			if j.first[via] != 0 && j.last[via] != 0 {
				j.between(via, via, 0, func(a, b *link, km int) {
					all.add(way{edges: [mostJoined]uint32{a.edge, b.edge}, n: 2, from: a.end, to: b.end}, km)
				})
			}
		}
	case 2:
		for via := range j.places {
			if j.first[via] == 0 {
				continue
			}
			for k := j.out[via]; k < j.out[via+1]; k++ {
				if e := &j.edges[k]; j.last[e.to] != 0 {
					j.between(via, int(e.to), int(e.km), func(a, b *link, km int) {
						all.add(way{edges: [mostJoined]uint32{a.edge, k, b.edge}, n: 3, from: a.end, to: b.end}, km)
					})
				}
			}
		}
	}
	return all.first(j.widest)
}

// between calls add for each pair of links to one place and from another, which
// lie so many kilometres apart, that make no great detour.
func (j *join) between(first, last, km int, add func(a, b *link, km int)) {
	for k := j.first[first]; k != 0; k = j.links[k].next {
		a := &j.links[k]
		for m := j.last[last]; m != 0; m = j.links[m].next {
			b := &j.links[m]
			if j.to[b.end].place == first || j.want.from[a.end].place == last {
				continue // there already
			}
			if total := int(a.km) + km + int(b.km); total <= j.limit[int(a.end)*len(j.to)+int(b.end)] {
				add(a, b, total+j.byRoad(a.end, b.end))
			}
		}
	}
}

// byRoad returns how many kilometres one flies in the time of the ways by road.
func (j *join) byRoad(from, to uint8) int {
	const kmPerMinute = 14
	return kmPerMinute * (j.want.from[from].ground + j.to[to].ground)
}

// shortest gathers ways to keep the shortest.
type shortest struct {
	ways []way
	keys []uint64 // length, and position in ways
}

func (s *shortest) add(w way, length int) {
	s.keys = append(s.keys, uint64(length)<<32|uint64(len(s.ways)))
	s.ways = append(s.ways, w)
}

// first returns so many ways at most, the shortest first.
func (s *shortest) first(widest int) []way {
	if len(s.keys) > widest {
		// Count by length first, so that only those that may be kept are sorted.
		const step = 16
		var counts [1 << 12]int
		of := func(key uint64) int { return min(int(key>>32)/step, len(counts)-1) }
		for _, key := range s.keys {
			counts[of(key)]++
		}
		most, sum := 0, 0
		for sum < widest {
			sum += counts[most]
			most++
		}
		s.keys = slices.DeleteFunc(s.keys, func(key uint64) bool { return of(key) >= most })
	}
	slices.Sort(s.keys)
	list := make([]way, min(widest, len(s.keys)))
	for i := range list {
		list[i] = s.ways[uint32(s.keys[i])]
	}
	return list
}

// on completes a trip along the edges of a way, from its k-th on.
func (j *join) on(w *way, k int) {
	if k == w.n {
		j.complete(w)
		return
	}
	e := &j.edges[w.edges[k]]
	if k == 0 {
		end := &j.want.from[w.from]
		j.next[k] = j.departing(j.next[k][:0], e, end.first, end.last)
	} else {
		j.next[k] = j.onward(j.next[k][:0], j.hops[k-1], e)
	}
	for _, h := range j.next[k] {
		if end := &j.to[w.to]; k == w.n-1 && (h.arr < end.first || h.arr > end.last) {
			continue
		}
		j.hops[k] = h
		j.on(w, k+1)
	}
}

// back completes a trip along the edges of a way, from its k-th to its first.
func (j *join) back(w *way, k int) {
	if k < 0 {
		j.complete(w)
		return
	}
	e := &j.edges[w.edges[k]]
	if k == w.n-1 {
		end := &j.to[w.to]
		j.next[k] = j.landing(j.next[k][:0], e, end.first, end.last)
	} else {
		j.next[k] = j.feeding(j.next[k][:0], e, j.hops[k+1])
	}
	for _, h := range j.next[k] {
		if end := &j.want.from[w.from]; k == 0 && (h.dep < end.first || h.dep > end.last) {
			continue
		}
		j.hops[k] = h
		j.back(w, k-1)
	}
}

func (j *join) complete(w *way) {
	p := trip{n: w.n, before: j.want.from[w.from].ground, after: j.to[w.to].ground}
	copy(p.hops[:], j.hops[:w.n])
	j.found = append(j.found, p)
}

// departing appends the flights of an edge that leave between two instants, by departure.
func (j *join) departing(list []hop, e *edge, first, last int) []hop {
	day, _ := j.local(int(e.from), first)
	for end, _ := j.local(int(e.from), last); day <= end; day++ {
		list = j.flown(list, e, day, func(dep, _ int) bool { return dep >= first && dep <= last })
	}
	return list
}

// landing appends the flights of an edge that land between two instants, by departure.
func (j *join) landing(list []hop, e *edge, first, last int) []hop {
	day, _ := j.local(int(e.from), first-int(e.most))
	for end, _ := j.local(int(e.from), last-int(e.least)); day <= end; day++ {
		list = j.flown(list, e, day, func(_, arr int) bool { return arr >= first && arr <= last })
	}
	return list
}

// flown appends the flights of an edge on a local day that leave and land as it
// fits, of the airlines that will do.
func (j *join) flown(list []hop, e *edge, day int, fits func(dep, arr int) bool) []hop {
	offset, steady := j.offset(j.places[e.from].zone, day)
	today := weekday(day)
	for i := e.first; i < e.after; i++ {
		l := &j.lines[i]
		if l.days&today == 0 || j.named[l.carrier] && !j.sanctioned {
			continue
		}
		dep := day*minutesADay + int(l.dep) - offset
		if !steady {
			dep = j.utc(int(e.from), day, int(l.dep))
		}
		if arr := dep + int(l.block); fits(dep, arr) {
			list = append(list, hop{line: i, day: day, dep: dep, arr: arr})
		}
	}
	return list
}

// onward appends, for each airline, the first flight of an edge that is reached
// from another flight. Later ones of the same airline only make the traveller wait.
func (j *join) onward(list []hop, before hop, e *edge) []hop {
	came := &j.lines[before.line]
	soonest := before.arr + j.change(int(came.from), int(e.from), int(e.to))
	list = j.departing(list, e, soonest, before.arr+j.wait)
	kept := list[:0]
	for _, h := range list {
		l := &j.lines[h.line]
		if j.sold(came, l, h.dep-before.arr) && !j.has(kept, l.carrier) {
			kept = append(kept, h)
		}
	}
	return kept
}

// feeding appends, for each airline, the last flight of an edge from which
// another flight is reached; all, where the departure is wished for.
func (j *join) feeding(list []hop, e *edge, after hop) []hop {
	goes := &j.lines[after.line]
	latest := after.dep - j.change(int(e.from), int(e.to), int(goes.to))
	list = j.landing(list, e, after.dep-j.wait, latest)
	slices.Reverse(list)
	kept := list[:0]
	for _, h := range list {
		l := &j.lines[h.line]
		if j.sold(l, goes, after.dep-h.arr) && (j.wish >= 0 || !j.has(kept, l.carrier)) {
			kept = append(kept, h)
		}
	}
	return kept
}

// has reports whether an airline has a flight in a list.
func (t *timetable) has(list []hop, carrier uint16) bool {
	for i := range list {
		if t.lines[list[i].line].carrier == carrier {
			return true
		}
	}
	return false
}

// sold reports whether a flight can follow another after so many minutes: on
// one ticket, or on a second one where there is time for it.
func (j *join) sold(came, goes *line, minutes int) bool {
	return j.together(came.carrier, goes.carrier) || j.transfers && minutes >= selfTransfer
}
