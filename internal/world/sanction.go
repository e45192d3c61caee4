package world

import (
	"strings"
	"sync"
)

// A Sanction says that dealing with an airline is restricted, and by whom.
type Sanction struct {
	Airline string   // IATA designator
	Name    string   // of the airline
	By      []string // who restricts it: "US", "EU", "UK"
	Why     string
}

var sanctions = sync.OnceValue(func() map[string]Sanction {
	index := map[string]Sanction{}
	table("airlines_sanctioned.csv", 5, func(row []string) {
		index[row[0]] = Sanction{Airline: row[0], Name: row[1], By: strings.Fields(row[2]), Why: row[4]}
	})
	return index
})

// SanctionOn returns the restrictions on dealing with the airline of an IATA code, in
// upper or lower case. A ban on flying into some country alone is not one: travellers
// of other countries may be sold such flights.
func SanctionOn(airline string) (s Sanction, sanctioned bool) {
	s, ok := sanctions()[codeForm(airline)]
	return s, ok
}
