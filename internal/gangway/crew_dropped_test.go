package gangway

import (
	"testing"
	"time"
)

func TestReplaceKeepsWhomItLeavesOut(t *testing.T) {
	first, second := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC), time.Date(2026, 11, 4, 9, 0, 0, 0, time.UTC)
	ana := Traveller{LastName: "Reyes", FirstName: "Ana", DOB: "1990-05-17", DocCountry: "PH", DocNumber: "P1", ID: "7"}
	known := func(change func(*Traveller)) Traveller { t := ana; change(&t); return t }
	noID := known(func(t *Traveller) { t.ID = "" })
	nameOnly := known(func(t *Traveller) { t.ID, t.DocNumber = "", "" })
	tests := []struct {
		name     string
		old, now Traveller
		dropped  bool
	}{
		{"the same", ana, ana, false},
		{"another id", ana, known(func(t *Traveller) { t.ID = "8" }), true},
		{"the id with another passport", ana, known(func(t *Traveller) { t.DocNumber = "P2" }), false},
		{"the id with another name", ana, known(func(t *Traveller) { t.LastName = "Cruz" }), false},
		{"the passport, now without id", ana, noID, false},
		{"the passport, now with id", noID, ana, false},
		{"another passport, no ids", noID, known(func(t *Traveller) { t.ID, t.DocNumber = "", "P2" }), true},
		{"the number in a passport of another country", noID, known(func(t *Traveller) {
			t.ID, t.DocCountry = "", "NO"
		}), true},
		{"only a name now", ana, nameOnly, false},
		{"only a name before", nameOnly, ana, false},
		{"the name in other letters", nameOnly, known(func(t *Traveller) {
			t.LastName, t.ID, t.DocNumber = "RÉYES", "", ""
		}), false},
		{"the name, born on another day", nameOnly, known(func(t *Traveller) {
			t.DOB, t.ID, t.DocNumber = "1991-01-01", "", ""
		}), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			old := CrewChange{OnSigners: []CrewMember{{Traveller: tt.old}}}
			got := CrewChange{OnSigners: []CrewMember{{Traveller: tt.now}}}.Replace(old, first).Dropped
			if dropped := len(got) == 1; dropped != tt.dropped || dropped &&
				(got[0].At != first || got[0].Side != OnSigner) {
				t.Errorf("Dropped = %+v; want dropped %t", got, tt.dropped)
			}
		})
	}
	t.Run("somebody who now leaves instead of joining is dropped as an on-signer", func(t *testing.T) {
		old := CrewChange{OnSigners: []CrewMember{{Traveller: ana}}}
		got := CrewChange{OffSigners: []CrewMember{{Traveller: ana}}}.Replace(old, first).Dropped
		if len(got) != 1 || got[0].Side != OnSigner {
			t.Errorf("Dropped = %+v; want Ana as on-signer", got)
		}
	})
	t.Run("those dropped earlier keep their date, and the latest come first", func(t *testing.T) {
		bea := Traveller{ID: "8", LastName: "Cruz", FirstName: "Bea"}
		c := CrewChange{OnSigners: []CrewMember{{Traveller: bea}}}.Replace(
			CrewChange{OnSigners: []CrewMember{{Traveller: ana}, {Traveller: bea}}}, first)
		got := CrewChange{Vessel: "Nordlys"}.Replace(c, second).Dropped
		if len(got) != 2 || got[0].ID != "8" || got[0].At != second || got[1].ID != "7" || got[1].At != first {
			t.Errorf("Dropped = %+v; want Bea and then Ana", got)
		}
	})
	t.Run("the list is bounded", func(t *testing.T) {
		var old CrewChange
		for i := range maxDropped + 5 {
			old.OnSigners = append(old.OnSigners, CrewMember{Traveller: Traveller{ID: time.Duration(i).String()}})
		}
		if got := (CrewChange{}).Replace(old, first).Dropped; len(got) != maxDropped {
			t.Errorf("%d dropped; want %d", len(got), maxDropped)
		}
	})
}
