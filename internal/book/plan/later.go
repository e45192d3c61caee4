package plan

import (
	"slices"
	"time"

	"gangway/internal/gangway"
)

// An onward is where a traveller is who has missed a connection, and where to.
type onward struct {
	leg    int
	at, to gangway.Airport
}

// noteLater notes for each connection of each choice the flights on which a traveller gets there first who has missed
// it, among all that was found.
func noteLater(choices []Choice) {
	ways := map[onward][][]gangway.Segment{} // by departure
	eachOnward(choices, func(c *Choice, to onward, flights []gangway.Segment) {
		if c.Bar.Avoided == "" {
			ways[to] = append(ways[to], flights)
		}
	})
	for _, list := range ways {
		slices.SortFunc(list, func(a, b []gangway.Segment) int { return a[0].Departure.Compare(b[0].Departure) })
	}
	first := map[onward][]int{} // at the same place: which of those from there on arrives first
	for to, list := range ways {
		best := make([]int, len(list))
		for i := len(list) - 1; i >= 0; i-- {
			best[i] = i
			if i+1 < len(list) && lands(list[best[i+1]]).Before(lands(list[i])) {
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

func lands(flights []gangway.Segment) time.Time { return flights[len(flights)-1].Arrival }

// eachOnward calls of for the flights after each connection of each choice.
func eachOnward(choices []Choice, of func(c *Choice, to onward, flights []gangway.Segment)) {
	for i := range choices {
		for n, leg := range choices[i].Offer.Itinerary.Legs() {
			for at := 1; at < len(leg); at++ {
				of(&choices[i], onward{n, leg[at].Origin, leg[len(leg)-1].Destination}, leg[at:])
			}
		}
	}
}
