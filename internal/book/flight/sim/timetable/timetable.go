// Package timetable has the flights of the simulated network's airlines: routes, flight numbers with their times,
// aircraft and cabins, and connecting times. It is built once, from data/routes.csv.gz, and never changes.
//
// routes reads the file, plan places each route's flights in the day and the week, build turns them into lines and
// edges. local converts times, sheet lists the departures of a day, connect and ticket say which flights connect
// and which are sold together.
package timetable

import (
	"cmp"
	"slices"
	"strconv"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

// A Timetable has all flights, arranged for finding connections. It is immutable once it is built.
type Timetable struct {
	Places   []Place
	Carriers []world.Airline
	Lines    []Line // by origin, destination and departure
	Edges    []Edge // by origin and then by destination

	clock
	hubs   []hub  // by place
	alone  []bool // by carrier: sells only single flights
	named  []bool // by carrier: under sanctions
	sheets sheets

	byCode   map[string]int      // index in places
	out      []uint32            // places[i] has edges[out[i]:out[i+1]]
	in       [][]uint32          // places[i] is reached by edges[in[i]]
	byNumber map[string][]uint32 // carrier → flight number-1 → line
}

// From returns the edges that leave an airport.
func (t *Timetable) From(place int) []Edge { return t.Edges[t.out[place]:t.out[place+1]] }

// Between returns the edge between two airports.
func (t *Timetable) Between(from, to int) (e Edge, flown bool) {
	edges := t.From(from)
	i, ok := slices.BinarySearchFunc(edges, to, func(e Edge, to int) int { return cmp.Compare(int(e.To), to) })
	if !ok {
		return Edge{}, false
	}
	return edges[i], true
}

// LineOf returns the line of a flight number.
func (t *Timetable) LineOf(flight string) (line uint32, known bool) {
	if len(flight) < 3 {
		return 0, false
	}
	lines := t.byNumber[flight[:2]]
	number, err := strconv.Atoi(flight[2:])
	if err != nil || number < 1 || number > len(lines) {
		return 0, false
	}
	return lines[number-1], true
}

// FlightNumber returns the flight number of a line, as in "EK333".
func (t *Timetable) FlightNumber(i uint32) string {
	l := &t.Lines[i]
	return t.Carriers[l.Carrier].Code + strconv.Itoa(int(l.Number))
}

// Km returns the great-circle distance between two airports, rounded.
func (t *Timetable) Km(a, b int) int {
	return int(world.DistanceKm(t.Places[a].Airport, t.Places[b].Airport) + 0.5)
}

// Into returns the edges that reach an airport, as indexes into edges.
func (t *Timetable) Into(place int) []uint32 { return t.in[place] }

// Leaving returns the edges that leave an airport, as indexes into edges.
func (t *Timetable) Leaving(place int) (first, after uint32) { return t.out[place], t.out[place+1] }

// Onward reports whether some flight from an airport is sold together with others.
func (t *Timetable) Onward(place int) bool { return t.hubs[place].onward }

// Feeding reports whether some flight to an airport is sold together with others.
func (t *Timetable) Feeding(place int) bool { return t.hubs[place].feeding }

// Sanctioned reports whether an airline is under sanctions.
func (t *Timetable) Sanctioned(carrier uint16) bool { return t.named[carrier] }

// PlaceOf returns the index of an airport at which flights can be searched.
func (t *Timetable) PlaceOf(a gangway.Airport) (place int, known bool) {
	i, ok := t.byCode[string(a)]
	return i, ok
}

// Airport returns an airport of a flight.
func (t *Timetable) Airport(a gangway.Airport) *Place { return &t.Places[t.byCode[string(a)]] }
