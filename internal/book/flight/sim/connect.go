package sim

import (
	"slices"

	"gangway/internal/world"
)

// typedChange lists how many minutes a change of flights takes at least at
// airports that are known for it, whatever the rules say.
var typedChange = map[string]int{
	"FRA": 45, "MUC": 35, "ZRH": 40, "AMS": 50, "CDG": 90, "VIE": 25, "LHR": 75, "MAD": 60, "CPH": 45, "HEL": 35, "WAW": 45,
	"IST": 60, "DXB": 75, "DOH": 45, "AUH": 60, "ADD": 60, "SIN": 60, "HKG": 60, "ICN": 70, "NRT": 75, "BKK": 75, "KUL": 60, "TPE": 60,
}

// selfTransfer is how many minutes a change takes at least for who collects
// the bags and checks in again.
const selfTransfer = 180

// change returns the minutes from landing at via to leaving it, at least.
func (t *timetable) change(from, via, to int) int {
	a, hub, b := &t.places[from], &t.places[via], &t.places[to]
	if hub.Country == "US" && a.Country != "US" {
		return 90 // everybody enters the country, even to leave it at once
	}
	if typed, ok := typedChange[hub.IATA]; ok {
		return typed
	}
	minutes := 60
	if a.Country == hub.Country && hub.Country == b.Country || a.europe && hub.europe && b.europe {
		minutes = 45
	}
	if hub.Passengers > 40_000 {
		minutes += 15
	}
	return minutes
}

// together reports whether two airlines sell a journey on one ticket. Low-cost
// airlines sell single flights, to themselves too.
func (t *timetable) together(a, b uint16) bool {
	return t.carriers[a].Type != world.LowCost && t.carriers[b].Type != world.LowCost
}

// The rules by which one leg is looked for. They are loosened, step by step,
// only while nothing is found.
type rules struct {
	wait      int  // longest time on the ground between two flights, in minutes
	stops     int  // most stops
	far       bool // great detours are taken
	transfers bool // the traveller may check in anew on the way, on a second ticket
}

var loosening = []rules{
	{wait: 10 * 60, stops: 2}, {wait: 14 * 60, stops: 2}, {wait: 24 * 60, stops: 2},
	{wait: 14 * 60, stops: 2, far: true}, {wait: 14 * 60, stops: 3}, {wait: 24 * 60, stops: 3, far: true},
	{wait: 24 * 60, stops: 2, transfers: true}, {wait: 24 * 60, stops: 3, far: true, transfers: true},
}

// detour returns how many kilometres may be flown between two airports that
// lie so many apart. There are few flights over the southern oceans: whoever
// crosses one may have to go by way of another continent.
func (r rules) detour(km int) int {
	if r.far {
		return km*23/10 + 1000
	}
	return km*145/100 + 500
}

// longestWait is the longest time on the ground by any rules.
const longestWait = 24 * 60

// A hop is a line on a day.
type hop struct {
	line     uint32
	day      int // local day of departure
	dep, arr int // UTC minutes
}

// mostHops bounds the flights of one leg.
const mostHops = 4

// A trip is the flights of one leg.
type trip struct {
	hops [mostHops]hop
	n    int
}

func (p *trip) flights() []hop { return p.hops[:p.n] }
func (p *trip) stops() int     { return p.n - 1 }
func (p *trip) dep() int       { return p.hops[0].dep }
func (p *trip) arr() int       { return p.hops[p.n-1].arr }

func (p *trip) minutes() int { return p.arr() - p.dep() }

func (p trip) with(h hop) trip {
	p.hops[p.n] = h
	p.n++
	return p
}

// split reports whether the flights of a trip need more than one ticket.
func (t *timetable) split(p *trip) bool {
	for i := 1; i < p.n; i++ {
		if !t.together(t.lines[p.hops[i-1].line].carrier, t.lines[p.hops[i].line].carrier) {
			return true
		}
	}
	return false
}

// splits reports whether a journey needs more than one reservation. One
// airline's flights on several legs do not, even a low-cost airline's.
func (t *timetable) splits(j journey) bool { return len(t.reservations(j)) > 1 }

// reservations parts the flights of a journey by who sells them together.
func (t *timetable) reservations(j journey) [][]hop {
	var parts [][]hop
	for leg := range j {
		for _, hops := range t.tickets(j[leg].flights()) {
			if len(parts) > 0 && leg > 0 {
				last := parts[len(parts)-1]
				a, b := t.lines[last[len(last)-1].line].carrier, t.lines[hops[0].line].carrier
				if a == b || t.together(a, b) {
					parts[len(parts)-1] = append(slices.Clone(last), hops...)
					continue
				}
			}
			parts = append(parts, hops)
		}
	}
	return parts
}
