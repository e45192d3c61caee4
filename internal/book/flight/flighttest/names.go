package flighttest

import (
	"strings"
	"testing"

	"gangway/internal/gangway"
)

// testNames holds that a supplier takes only names in the letters of tickets, and never
// respells or cuts one: the caller must know what the ticket says.
func testNames(t *testing.T, s Stage) {
	longest := s.LongestName()
	if longest < 0 {
		t.Fatalf("LongestName = %d", longest)
	}
	tests := []struct{ name, last, first string }{
		{"letters of another alphabet", "王", "小明"},
		{"Cyrillic", "Santos", "Мария"},
		{"a letter with a mark", "Núñez", "Maria"},
		{"a hyphen", "Santos", "Anne-Marie"},
		{"an apostrophe", "O'Brien", "Maria"},
		{"a digit", "Santos", "Maria 2"},
		{"an extra space", "Santos", "Maria  Ana"},
		{"no last name", "", "Maria"},
		{"no first name", "Santos", " "},
	}
	if longest > 0 {
		tests = append(tests,
			struct{ name, last, first string }{"a last name that is too long", strings.Repeat("A", longest+1), "Maria"},
			struct{ name, last, first string }{"first names that are too long", "Santos",
				strings.Repeat("Ana ", longest/4+1) + "Ana"})
	}
	for _, tt := range tests {
		ask := s.holdAsk(s.offer(t), "name "+tt.name)
		ask.Passenger.LastName, ask.Passenger.FirstName = tt.last, tt.first
		refused(t, gangway.Invalid)(s.Hold(t.Context(), ask))
		refused(t, gangway.NotFound)(s.Find(t.Context(), ask.Reference))
	}
	ask := s.holdAsk(s.offer(t), "name of full length")
	ask.Passenger.LastName, ask.Passenger.FirstName = "DELA CRUZ", "MARIA"
	if longest > 0 {
		ask.Passenger.LastName = strings.Repeat("A", longest)
	}
	must(s.Hold(t.Context(), ask))(t)
}
