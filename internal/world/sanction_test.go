package world

import (
	"slices"
	"testing"
)

func TestSanctions(t *testing.T) {
	for code, s := range sanctions() {
		if s.Airline != code || len(code) != 2 || s.Name == "" || s.Why == "" || len(s.By) == 0 {
			t.Errorf("%s: %+v is incomplete", code, s)
		}
		for _, by := range s.By {
			if !slices.Contains([]string{"US", "EU", "UK"}, by) {
				t.Errorf("%s is under sanctions of %q", code, by)
			}
		}
		if a, known := AirlineOf(code); known && a.Name != s.Name {
			t.Errorf("%s is %s in one table and %s in the other", code, a.Name, s.Name)
		}
	}
	for _, code := range []string{"IR", "W5", "JS", "SU", "FV", "U6", "DP", "S7", "B2", "V0", "w5"} {
		if _, named := SanctionOn(code); !named {
			t.Errorf("SanctionOn(%s) = none", code)
		}
	}
	// Syrian Air was taken off the lists in 2025, dealing with Cubana is restricted only
	// for Americans, and Air Tanzania is banned from the EU, which is not a sanction.
	for _, code := range []string{"RB", "CU", "TC", "EK", ""} {
		if s, named := SanctionOn(code); named {
			t.Errorf("SanctionOn(%q) = %+v; want none", code, s)
		}
	}
}
