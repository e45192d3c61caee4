package gangway

import (
	"maps"
	"testing"
)

func TestAgain(t *testing.T) {
	ana := Traveller{ID: "C-1", LastName: "Müller", FirstName: "Ana", DOB: "1990-05-17", DocCountry: "DE",
		DocNumber: "C01X00T47"}
	tests := []struct {
		name string
		who  Traveller
		same bool
	}{
		{"herself", ana, true},
		{"one identifier", Traveller{ID: "C-1", LastName: "Other"}, true},
		{"one passport", Traveller{ID: "C-2", LastName: "Other", DocCountry: "DE", DocNumber: "c01x00t47"}, true},
		{"one passport, typed with blanks and hyphens", Traveller{ID: "C-2", LastName: "Other", DocCountry: "DE",
			DocNumber: "C01 X00-T47"}, true},
		{"one passport, the country not told", Traveller{LastName: "Other", DocNumber: "C01X00T47"}, true},
		{"one number, of passports of two countries", Traveller{ID: "C-2", LastName: "Other", DocCountry: "FR",
			DocNumber: "C01X00T47"}, false},
		{"one name and date of birth", Traveller{LastName: "MULLER", FirstName: "ANA", DOB: "1990-05-17"}, true},
		{"one name, born on two days", Traveller{LastName: "Müller", FirstName: "Ana", DOB: "1991-05-17"}, false},
		{"one name, and no date of birth", Traveller{LastName: "Müller", FirstName: "Ana"}, false},
		{"nothing known about either", Traveller{}, false},
	}
	for _, tt := range tests {
		s := Search{Members: []SearchMember{{Traveller: Traveller{}}, {Traveller: ana}, {Traveller: tt.who}}}
		want := map[int]int{}
		if tt.same {
			want[2] = 1
		}
		if got := s.Again(); !maps.Equal(got, want) {
			t.Errorf("%s: Again = %v; want %v", tt.name, got, want)
		}
	}
}
