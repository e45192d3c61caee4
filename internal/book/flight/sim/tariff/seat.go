package tariff

import (
	"strconv"
	"strings"

	"gangway/internal/gangway"
)

// A Seat is a flight on a day and a cabin in it.
type Seat struct {
	Flight string // as in "EK333"
	Day    int    // in the timetable, even if the flight has moved to the next day
	Cabin  gangway.Cabin
}

// String returns the flight as offer ids have it: "EK333.20801".
func (p Seat) String() string { return p.Flight + "." + strconv.Itoa(p.Day) }

// FlightsOf returns the flights in an offer's id, whether or not the timetable has them.
func FlightsOf(offer string) []Seat {
	var all []Seat
	for _, part := range strings.FieldsFunc(offer, func(c rune) bool { return c == '-' || c == '_' }) {
		name, rest, ok := strings.Cut(part, ".")
		date, _, _ := strings.Cut(rest, ".")
		if day, err := strconv.Atoi(date); ok && err == nil {
			all = append(all, Seat{Flight: name, Day: day})
		}
	}
	return all
}
