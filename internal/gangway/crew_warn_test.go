package gangway_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	. "gangway/internal/gangway"
)

// TestCrewChangeWarnings checks that an upload warns of people who are in a crew
// change twice, and of dates far from that of the ship.
func TestCrewChangeWarnings(t *testing.T) {
	ana := Traveller{ID: "7", LastName: "PEREIRA", FirstName: "ANA", DOB: "1990-04-30", DocCountry: "PT",
		DocNumber: "P1"}
	other := func(change func(*Traveller)) CrewMember {
		m := CrewMember{Traveller: ana}
		change(&m.Traveller)
		return m
	}
	stranger := other(func(t *Traveller) { t.ID, t.DocNumber, t.FirstName = "8", "P2", "RUI" })
	tests := []struct {
		name     string
		on, off  []CrewMember
		at, says string // no warning where empty
	}{
		{"two people", []CrewMember{{Traveller: ana}, stranger}, nil, "", ""},
		{"two members with little known about them", []CrewMember{{Traveller: Traveller{LastName: "X"}},
			{Traveller: Traveller{LastName: "X"}}}, nil, "", ""},
		{"one identifier", []CrewMember{{Traveller: ana}, other(func(t *Traveller) {
			t.DocNumber, t.DOB = "P2", ""
		})}, nil, "[3].Onsigners[1].LastName", "is listed at Onsigners[0] already"},
		{"one passport, on both sides", []CrewMember{stranger, {Traveller: ana}},
			[]CrewMember{other(func(t *Traveller) {
				t.ID, t.LastName = "9", "PEREYRA"
			})}, "[3].Offsigners[0].LastName", "is listed at Onsigners[1] already"},
		{"one name and date of birth", []CrewMember{{Traveller: ana}, other(func(t *Traveller) {
			t.ID, t.DocNumber = "9", ""
		})}, nil, "[3].Onsigners[1].LastName", "the same person"},
		{"two weeks before", []CrewMember{{Traveller: ana, Arrive: PortCall{Date: "2036-11-17"}}}, nil, "", ""},
		{"a month mistyped", []CrewMember{{Traveller: ana, Arrive: PortCall{Date: "2036-11-01"}}}, nil,
			"[3].Onsigners[0].Arrive", "30 days from the ChangeDate, 2036-12-01"},
		{"a year mistyped", nil, []CrewMember{{Traveller: ana, Depart: PortCall{Date: "2037-12-01"}}},
			"[3].Offsigners[0].Depart", "365 days from"},
		{"a date of the member's own", []CrewMember{{Traveller: ana, ChangeDate: "2036-11-02",
			Arrive: PortCall{Date: "2036-11-01"}}}, nil, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var w Problems
			c := CrewChange{Vessel: "Nordlys", ChangeDate: "2036-12-01", OnSigners: tt.on, OffSigners: tt.off}
			c.Warn(&w, ProblemPath{Record: 3}, WarningContext{})
			if tt.at == "" && len(w.Fields) == 0 {
				return
			}
			if got := slices.Collect(maps.Keys(w.Fields)); len(got) != 1 || got[0] != tt.at ||
				!strings.Contains(strings.Join(w.Fields[tt.at], " "), tt.says) {
				t.Errorf("the warnings are %v; want one at %s that says %q", w.Fields, tt.at, tt.says)
			}
		})
	}
}
