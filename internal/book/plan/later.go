package plan

import (
	"slices"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// An onward is the airport at which a traveller misses a connection, and the leg.
type onward struct {
	leg int
	at  gangway.Airport
}

// noteLater notes plan B for each connection of each choice: of the flights found, those that reach the leg's place
// first after a missed connection. A port has several airports, so the way by road counts.
func noteLater(choices []Choice, asked []gangway.Leg) {
	ground := map[onward]time.Duration{} // by where the leg ends
	there := func(to onward, flights []gangway.Segment) time.Time {
		last := flights[len(flights)-1]
		by, known := ground[onward{to.leg, last.Destination}]
		if !known && to.leg < len(asked) {
			by = flight.GroundTo(asked[to.leg].Destination, last.Destination)
			ground[onward{to.leg, last.Destination}] = by
		}
		return last.Arrival.Add(by)
	}
	ways := map[onward][][]gangway.Segment{} // by departure
	eachOnward(choices, func(c *Choice, to onward, flights []gangway.Segment) {
		if !c.Bar.Never() {
			ways[to] = append(ways[to], flights)
		}
	})
	for _, list := range ways {
		slices.SortFunc(list, func(a, b []gangway.Segment) int { return a[0].Departure.Compare(b[0].Departure) })
	}
	first := map[onward][]int{} // at the same place: which of those from there on is there first
	for to, list := range ways {
		best := make([]int, len(list))
		for i := len(list) - 1; i >= 0; i-- {
			best[i] = i
			if i+1 < len(list) && there(to, list[best[i+1]]).Before(there(to, list[i])) {
				best[i] = best[i+1]
			}
		}
		first[to] = best
	}
	eachOnward(choices, func(c *Choice, to onward, flights []gangway.Segment) {
		list := ways[to]
		i, _ := slices.BinarySearchFunc(list, flights, func(a, missed []gangway.Segment) int {
			if a[0].Departure.After(missed[0].Departure) {
				return 1
			}
			return -1
		})
		var later []gangway.Segment
		if i < len(list) {
			later = list[first[to][i]]
		}
		c.Later = append(c.Later, later)
	})
}

// eachOnward calls of for the flights after each connection of each choice.
func eachOnward(choices []Choice, of func(c *Choice, to onward, flights []gangway.Segment)) {
	for i := range choices {
		for n, leg := range choices[i].Offer.Itinerary.Legs() {
			for at := 1; at < len(leg); at++ {
				of(&choices[i], onward{n, leg[at].Origin}, leg[at:])
			}
		}
	}
}
