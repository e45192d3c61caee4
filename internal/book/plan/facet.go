package plan

import (
	"slices"
	"time"

	"gangway/internal/gangway"
)

// A Facet is something that choices can be filtered by. A choice has one or several
// of its values.
type Facet int

const (
	Stops Facet = iota
	Connections
	LongestLayover
	Fare
	Rules
	Baggage
	Leaves // local quarter of the day
	Lands
	CarbonShare
	Airlines     // their codes; the values of the facets before it are known in advance
	PortAirports // those that serve a place at an end of the journey
	facetsAll
)

// codes are the values of a facet that are not known in advance.
type codes [facetsAll - Airlines][]string

// facetValues are the values of each facet that are known in advance, at most seven:
// a choice has a bit for each, and the eighth is for values that no choice has.
var facetValues = [Airlines][]string{
	Stops:          {"0", "1", "2"},
	Connections:    {"safe", "tight"},
	LongestLayover: {"3", "6", "10", "more"},
	Fare:           {string(gangway.Marine), string(gangway.Public)},
	Rules:          {"refund", "change"},
	Baggage:        {"2", "1", "0"},
	Leaves:         quarters,
	Lands:          quarters,
	CarbonShare:    {"less", "more"},
}

// quarters are the quarters of a day, by the hour at which each begins.
var quarters = []string{"00", "06", "12", "18"}

// nobody is the bit of a value that no choice has.
const nobody = 1 << 7

// A marks records which values of each facet a choice has.
type marks [Airlines]uint8

func markOf(f Facet, value string) uint8 {
	if i := slices.Index(facetValues[f], value); i >= 0 {
		return 1 << i
	}
	return nobody
}

// mark records the values that c has.
func (c *Choice) mark() {
	c.marks = marks{
		Stops:          1 << min(c.Stops, 2),
		Connections:    pickMark(c.Tight, 1<<1, 1<<0),
		LongestLayover: layoverMark(c.Layover),
		Fare:           markOf(Fare, string(c.Offer.Terms.FareType)) &^ nobody,
		Rules:          pickMark(c.Refundable, 1<<0, 0) | pickMark(c.Changeable, 1<<1, 0),
		Baggage:        1 << (2 - min(c.Bags, 2)),
		Leaves:         1 << (c.Departs.Hour() / 6),
		Lands:          1 << (c.Arrives.Hour() / 6),
		CarbonShare:    pickMark(c.Carbon.AboutMedian(), 1<<0, 1<<1),
	}
}

func pickMark(yes bool, a, b uint8) uint8 {
	if yes {
		return a
	}
	return b
}

func layoverMark(longest time.Duration) uint8 {
	for i, hours := range []time.Duration{3, 6, 10} {
		if longest <= hours*time.Hour {
			return 1 << i
		}
	}
	return 1 << 3
}

func (c *Choice) codes() *codes { return &codes{c.Airlines, c.PortAirports} }
