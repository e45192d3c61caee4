package search

import (
	"context"

	"gangway/internal/book/flight/sim/timetable"
)

// A join finds the trips of one leg. It lists the ways over airports from any origin to any
// destination that are not a great detour, and joins the flights along each: forward from the
// departures, or back from the landings, whichever is asked for. For journeys of few flights that is
// quicker than a scan of all flights by time, and it finds every choice.
type join struct {
	*timetable.Timetable
	*want
	rules
	ctx    context.Context
	widest int                     // ways to try for each number of stops, the shortest first
	enough int                     // number of trips after which more would not help
	ways   [mostJoined][]tripEdges // by number of stops, once they are known

	first, last []int32 // by place: its links from the origins, and to the destinations
	links       []link
	limit       []int // kilometres that may be flown, by origin and destination

	hops  [mostJoined]timetable.Hop   // the trip being put together
	next  [mostJoined][]timetable.Hop // reused for the choices of each of its flights
	found []timetable.Trip
}

// newJoin prepares to find the trips that w asks for.
func (f *Finder) newJoin(ctx context.Context, w *want) *join {
	n := len(f.Places)
	j := &join{
		Timetable: f.Timetable, want: w, ctx: ctx, widest: 250, enough: 5000,
		first: make([]int32, n), last: make([]int32, n), links: make([]link, 1),
	}
	for i, e := range w.from {
		first, after := f.Leaving(e.place)
		for k := first; k < after; k++ {
			j.link(&j.first[f.Edges[k].To], k, i)
		}
	}
	for i, e := range w.to {
		for _, k := range f.Into(e.place) {
			j.link(&j.last[f.Edges[k].From], k, i)
		}
	}
	return j
}

func (j *join) link(head *int32, edge uint32, end int) {
	j.links = append(j.links, link{edge, uint8(end), j.Edges[edge].Km, *head})
	*head = int32(len(j.links) - 1)
}

// waysOver returns the shortest ways with a number of stops, shortest first. They may pass through
// one airport of a side to reach another.
func (j *join) waysOver(stops int) []tripEdges {
	var all shortestTrips
	switch stops {
	case 0:
		for i, e := range j.want.from {
			for k := j.last[e.place]; k != 0; k = j.links[k].next {
				l := &j.links[k]
				one := tripEdges{edges: [mostJoined]uint32{l.edge}, n: 1, from: uint8(i), to: l.end}
				all.add(one, int(l.km)+j.byRoad(one.from, one.to))
			}
		}
	case 1:
		for via := range j.Places {
			if j.first[via] != 0 && j.last[via] != 0 {
				j.between(via, via, 0, func(a, b *link, km int) {
					all.add(tripEdges{edges: [mostJoined]uint32{a.edge, b.edge}, n: 2, from: a.end, to: b.end}, km)
				})
			}
		}
	case 2:
		for via := range j.Places {
			if j.first[via] == 0 {
				continue
			}
			first, after := j.Leaving(via)
			for k := first; k < after; k++ {
				if e := &j.Edges[k]; j.last[e.To] != 0 {
					j.between(via, int(e.To), int(e.Km), func(a, b *link, km int) {
						all.add(tripEdges{edges: [mostJoined]uint32{a.edge, k, b.edge}, n: 3, from: a.end, to: b.end},
							km)
					})
				}
			}
		}
	}
	return all.first(j.widest)
}

// between calls add for each pair of links to one place and from another that is not a great detour;
// the places are km kilometres apart.
func (j *join) between(first, last, km int, add func(a, b *link, km int)) {
	for k := j.first[first]; k != 0; k = j.links[k].next {
		a := &j.links[k]
		for m := j.last[last]; m != 0; m = j.links[m].next {
			b := &j.links[m]
			if j.to[b.end].place == first || j.want.from[a.end].place == last {
				continue // already at the other end
			}
			if total := int(a.km) + km + int(b.km); total <= j.limit[int(a.end)*len(j.to)+int(b.end)] {
				add(a, b, total+j.byRoad(a.end, b.end))
			}
		}
	}
}

// byRoad returns how many kilometres one could fly in the time of the ways by road.
func (j *join) byRoad(from, to uint8) int {
	const kmPerMinute = 14
	return kmPerMinute * (j.want.from[from].ground + j.to[to].ground)
}
