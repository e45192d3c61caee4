package search

import (
	"slices"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/timetable"
)

// The rules by which one leg is searched. They are loosened, step by step, only as long as nothing is
// found.
type rules struct {
	wait      int // longest time on the ground between two flights, in minutes
	stops     int // the most stops
	detour    detour
	transfers bool // the traveller may check in again on the way, on a second ticket

	admitted bool // airlines under sanctions are admitted; this is never loosened
}

// A detour says how many kilometres may be flown over stops between two airports, depending on their
// distance.
type detour struct{ percent, plus int }

// Usual is what travellers accept. There are few flights over the southern oceans: crossing one may
// mean flying far, by way of another continent. And some neighbouring countries are only connected by
// way of a distant hub.
var (
	usual    = detour{145, 500}
	far      = detour{230, 1000}
	farthest = detour{230, 5000}
)

func (d detour) limit(km int) int { return km*d.percent/100 + d.plus }

// loosening begins with what travellers accept. Three stops are searched by a scan: there are too many
// ways over three airports to join each.
var loosening = []rules{
	{wait: 10 * 60, stops: 2, detour: usual}, {wait: 14 * 60, stops: 2, detour: usual},
	{wait: 24 * 60, stops: 2, detour: usual},
	{wait: 14 * 60, stops: 2, detour: far}, {wait: 24 * 60, stops: 3, detour: farthest},
	{wait: 24 * 60, stops: 2, detour: usual, transfers: true},
	{wait: 24 * 60, stops: 3, detour: farthest, transfers: true},
}

// stepsFor returns the rules to try, in order, for an ask. An ask that allows longer waits than usual
// gets them from the first step.
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

// longest returns how many minutes a trip may take: all the waits and forty hours in the air, but at
// most three days.
func (r rules) longest() int { return min(r.stops*r.wait+40*60, longestTrip) }

const longestTrip = 3 * timetable.MinutesADay
