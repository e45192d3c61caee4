package search

import (
	"slices"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/timetable"
)

// The rules by which one leg is looked for. They are loosened, step by step,
// only while nothing is found.
type rules struct {
	wait      int // longest time on the ground between two flights, in minutes
	stops     int // most stops
	detour    detour
	transfers bool // the traveller may check in anew on the way, on a second ticket

	admitted bool // airlines that sanctions name will do; this is never loosened
}

// A detour says how many kilometres may be flown over stops between two
// airports, by those that they lie apart.
type detour struct{ percent, plus int }

// Usual is what travellers put up with. There are few flights over the southern
// oceans: whoever crosses one may have to go far, by way of another continent.
// And some neighbours have no flights to each other but by way of a distant hub.
var (
	usual    = detour{145, 500}
	far      = detour{230, 1000}
	farthest = detour{230, 5000}
)

func (d detour) limit(km int) int { return km*d.percent/100 + d.plus }

// loosening begins with what travellers put up with. Three stops are looked
// for by a scan: there are too many ways over three airports to join each.
var loosening = []rules{
	{wait: 10 * 60, stops: 2, detour: usual}, {wait: 14 * 60, stops: 2, detour: usual},
	{wait: 24 * 60, stops: 2, detour: usual},
	{wait: 14 * 60, stops: 2, detour: far}, {wait: 24 * 60, stops: 3, detour: farthest},
	{wait: 24 * 60, stops: 2, detour: usual, transfers: true},
	{wait: 24 * 60, stops: 3, detour: farthest, transfers: true},
}

// stepsFor returns the rules, one after another, for an ask. Who is ready to
// wait longer than usual sees such trips at once.
func stepsFor(ask *flight.Ask) []rules {
	stops, wait := ask.MaxStops, int(ask.MaxLayover.Minutes())
	var steps []rules
	for i, r := range loosening {
		r.admitted = ask.Sanctioned
		if stops >= 0 {
			r.stops = min(r.stops, stops)
		}
		if wait > 0 {
			if i == 0 && wait > r.wait {
				continue
			}
			r.wait = min(r.wait, wait)
		}
		if !slices.Contains(steps, r) {
			steps = append(steps, r)
		}
	}
	return steps
}

// longest returns how many minutes a trip may take: all the waits, and forty
// hours in the air, but no more than three days.
func (r rules) longest() int { return min(r.stops*r.wait+40*60, longestTrip) }

const longestTrip = 3 * timetable.MinutesADay
