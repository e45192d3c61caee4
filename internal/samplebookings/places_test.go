package samplebookings

import (
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/invented"
)

// All places that are drawn are known, and so are the countries of all crews.
func TestPlaces(t *testing.T) {
	var all []gangway.Place
	for _, trade := range trades {
		all = append(all, trade...)
	}
	for _, crew := range crews {
		for _, from := range crew {
			invented.Of(string(from)) // panics for one that is not there
		}
	}
	for _, n := range invented.Nations {
		for _, home := range n.Airports {
			all = append(all, gangway.Place(home))
		}
	}
	for _, place := range all {
		if ends, err := flight.Ends(place); err != nil || len(ends) == 0 {
			t.Errorf("%s: %d airports, %v", place, len(ends), err)
		}
	}
}
