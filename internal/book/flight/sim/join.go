package sim

import "slices"

// A join finds the trips of one leg. It lists the ways over airports from the
// origin to the destination that are no great detour, and joins the flights
// along each. For journeys of few flights that is quicker than following all
// flights in order of time, and it finds every choice.
type join struct {
	*clock
	from, to int
	rules
	fits  func(arr int) bool // whether a trip that lands then is wanted
	last  []edge             // by place: the edge to the destination, if there is one
	left  []int              // by place: kilometres to the destination, once they are known
	ways  [mostHops][]way    // by stops, once they are known
	found []trip
}

// A way is the edges of a trip, without times.
type way struct {
	edges [mostHops]edge
	n, km int
}

const (
	widest = 250  // ways that are tried, the shortest first
	enough = 5000 // trips that are so many that more would not be better
)

// newJoin prepares to find trips that leave around a day.
func (t *timetable) newJoin(from, to, day int, fits func(int) bool) *join {
	j := &join{clock: t.clockFrom(day), from: from, to: to, fits: fits, last: make([]edge, len(t.places)), left: make([]int, len(t.places))}
	for _, i := range t.in[to] {
		j.last[t.lines[t.edges[i].first].from] = t.edges[i]
	}
	return j
}

// follow takes up other rules and forgets what was found by the old ones.
func (j *join) follow(r rules) {
	if r.far != j.far {
		j.ways = [mostHops][]way{}
	}
	j.rules, j.found = r, nil
}

// over finds the trips that leave on a day and have so many stops.
func (j *join) over(stops, day int) {
	if j.ways[stops] == nil {
		j.ways[stops] = j.waysOver(stops)
	}
	for _, w := range j.ways[stops] {
		for h := range j.leaving(w.edges[0], day) {
			if w.n > 1 || j.fits(h.arr) {
				j.chain(trip{}.with(h), w.edges[1:w.n])
			}
		}
	}
}

// chain completes a trip along the edges that remain of its way.
func (j *join) chain(p trip, edges []edge) {
	if len(edges) == 0 {
		j.found = append(j.found, p)
		return
	}
	if len(j.found) >= enough {
		return
	}
	for h := range j.onward(p, edges[0]) {
		j.chain(p.with(h), edges[1:])
	}
}

// waysOver returns the shortest ways with so many stops.
func (j *join) waysOver(stops int) []way {
	limit := j.detour(j.km(j.from, j.to))
	all := []way{}
	var extend func(w way, at int)
	extend = func(w way, at int) {
		if w.n == stops {
			if last := j.last[at]; last.after > last.first && w.km+int(last.km) <= limit {
				all = append(all, w.with(last))
			}
			return
		}
		for _, e := range j.clock.from(at) {
			if int(e.to) != j.to && int(e.to) != j.from && !w.passes(e.to) && w.km+int(e.km)+j.kmLeft(int(e.to)) <= limit {
				extend(w.with(e), int(e.to))
			}
		}
	}
	extend(way{}, j.from)
	slices.SortStableFunc(all, func(a, b way) int { return a.km - b.km })
	return all[:min(widest, len(all))]
}

func (w way) with(e edge) way {
	w.edges[w.n] = e
	w.n, w.km = w.n+1, w.km+int(e.km)
	return w
}

func (w way) passes(place uint16) bool {
	return slices.ContainsFunc(w.edges[:w.n], func(e edge) bool { return e.to == place })
}

// kmLeft returns the distance from a place to the destination.
func (j *join) kmLeft(place int) int {
	if j.left[place] == 0 {
		j.left[place] = max(1, j.km(place, j.to))
	}
	return j.left[place]
}

// leaving yields the flights of an edge on a day.
func (j *join) leaving(e edge, day int) func(func(hop) bool) {
	return func(yield func(hop) bool) {
		for i := e.first; i < e.after; i++ {
			l := &j.lines[i]
			if !l.on(day) {
				continue
			}
			dep := j.utc(int(l.from), day, int(l.dep))
			if !yield(hop{line: i, day: day, dep: dep, arr: dep + int(l.block)}) {
				return
			}
		}
	}
}

// onward yields, for each airline, the first flight of an edge that a trip
// reaches. Later ones of the same airline only make the traveller wait.
func (j *join) onward(p trip, e edge) func(func(hop) bool) {
	return func(yield func(hop) bool) {
		before := p.hops[p.n-1]
		came := &j.lines[before.line]
		via := int(came.to)
		soonest := before.arr + j.change(int(came.from), via, int(e.to))
		latest := before.arr + j.wait
		today, _ := j.local(via, soonest)
		end, _ := j.local(via, latest)
		var taken [12]uint16 // airlines that have had their first flight
		n := 0
		for day := today; day <= end; day++ {
			for i := e.first; i < e.after; i++ {
				l := &j.lines[i]
				if !l.on(day) || slices.Contains(taken[:n], l.carrier) {
					continue
				}
				dep := j.utc(via, day, int(l.dep))
				if dep < soonest || dep > latest || !j.sold(before, came, l, dep) {
					continue
				}
				h := hop{line: i, day: day, dep: dep, arr: dep + int(l.block)}
				if int(e.to) == j.to && !j.fits(h.arr) {
					continue
				}
				if n < len(taken) {
					taken[n] = l.carrier
					n++
				}
				if !yield(h) {
					return
				}
			}
		}
	}
}

// sold reports whether a flight can follow another: on one ticket, or on a
// second one where there is time for it.
func (j *join) sold(before hop, came, l *line, dep int) bool {
	return j.together(came.carrier, l.carrier) || j.transfers && dep >= before.arr+selfTransfer
}
