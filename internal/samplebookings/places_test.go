package samplebookings

import (
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// All places that are drawn are known, and so are the countries of all crews.
func TestPlaces(t *testing.T) {
	var all []gangway.Place
	for _, trade := range trades {
		all = append(all, trade...)
	}
	for _, crew := range crews {
		for _, from := range crew {
			if len(countries[from].homes) == 0 {
				t.Errorf("country %s has no airport", from)
			}
		}
	}
	for _, c := range countries {
		for _, home := range c.homes {
			all = append(all, gangway.Place(home))
		}
	}
	for _, place := range all {
		if ends, err := flight.Ends(place); err != nil || len(ends) == 0 {
			t.Errorf("%s: %d airports, %v", place, len(ends), err)
		}
	}
}
