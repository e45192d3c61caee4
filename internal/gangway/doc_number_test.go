package gangway

import (
	"testing"
	"time"
)

func TestFoldDocument(t *testing.T) {
	for typed, want := range map[string]string{
		"XK7Q9ZP41": "xk7q9zp41", "XK7 Q9ZP41": "xk7q9zp41", "xk7-q9zp41": "xk7q9zp41",
		" XK7\u00a0Q9ZP41<<": "xk7q9zp41", "XK7/Q9.ZP41": "xk7q9zp41",
		"ＸＫ7Q9ZP41": "ｘｋ7q9zp41", // a different letter makes a different number
		"":          "", "--": "--",
	} {
		if got := FoldDocument(typed); got != want {
			t.Errorf("FoldDocument(%q) = %q; want %q", typed, got, want)
		}
	}
}

// TestSpacedCrew checks that somebody whose passport number is sent with other
// spacing is the same member of a crew, and the same person as on a booking.
func TestSpacedCrew(t *testing.T) {
	maria := func(number string) CrewMember {
		return CrewMember{Traveller: Traveller{LastName: "Santos", FirstName: "Maria", DOB: "1990-01-02",
			DocCountry: "PH", DocNumber: number}}
	}
	old, now := CrewChange{OnSigners: []CrewMember{maria("P12 34567A")}},
		CrewChange{OnSigners: []CrewMember{maria("p12-34567a")}}
	if got := now.Replace(old, time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)); len(got.Dropped) > 0 {
		t.Errorf("dropped: %+v; want nobody", got.Dropped)
	}
	if a, b := maria("P12 34567A").Person(), maria("P1234567A").Person(); a != b {
		t.Errorf("Person = %q and %q; want one", a, b)
	}
	if a, b := maria("P12 34567A").Key(), maria("P1234567A").Key(); a == b {
		t.Errorf("Key = %q for both; want them to differ, each as it was sent", a)
	}
}
