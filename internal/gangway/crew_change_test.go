package gangway

import (
	"testing"
	"time"
)

func TestACrewChangeIsKnownWhateverTheCaseOfItsVessel(t *testing.T) {
	first := CrewChange{Vessel: "Bjørnøy Star", Flag: "NO", ChangeDate: "2026-12-01"}
	for _, tt := range []struct {
		name string
		c    CrewChange
		same bool
	}{
		{"capitals", CrewChange{Vessel: "BJØRNØY STAR", Flag: "NO", ChangeDate: "2026-12-01"}, true},
		{"no marks, another blank", CrewChange{Vessel: " bjornoy  star", Flag: "NO", ChangeDate: "2026-12-01"}, true},
		{"another ship", CrewChange{Vessel: "Bjørnøy Star II", Flag: "NO", ChangeDate: "2026-12-01"}, false},
		{"another flag", CrewChange{Vessel: "Bjørnøy Star", Flag: "PA", ChangeDate: "2026-12-01"}, false},
		{"no flag", CrewChange{Vessel: "Bjørnøy Star", ChangeDate: "2026-12-01"}, false},
		{"another day", CrewChange{Vessel: "Bjørnøy Star", Flag: "NO", ChangeDate: "2026-12-02"}, false},
		{"an identifier", CrewChange{Vessel: "Bjørnøy Star", Flag: "NO", ChangeDate: "2026-12-01",
			TravelRequestID: "CC-1"}, false},
	} {
		if same := tt.c.Key() == first.Key(); same != tt.same {
			t.Errorf("%s: the same %v; want %v", tt.name, same, tt.same)
		}
	}
	if a, b := (CrewChange{TravelRequestID: "cc-1"}).Key(), (CrewChange{TravelRequestID: "CC-1"}).Key(); a == b {
		t.Error("two identifiers that differ only in case became one")
	}
}

func TestChangeKey(t *testing.T) {
	for key, want := range map[string]string{
		"on:2026-12-01:PA:NORDLYS":   "on:2026-12-01:PA:nordlys",
		"on:2026-12-01::Star: Twice": "on:2026-12-01::star: twice", // no flag, and a colon in the name
		"on:2026-12-01:PA:nordlys":   "on:2026-12-01:PA:nordlys",
		"id:ON:A:B:C":                "id:ON:A:B:C", "on:X": "on:X", "": "",
	} {
		if got := ChangeKey(key); got != want || ChangeKey(got) != got {
			t.Errorf("ChangeKey(%q) = %q; want %q", key, got, want)
		}
	}
	c := CrewChange{Vessel: "Nordlys", Flag: "PA", ChangeDate: "2026-12-01"}
	if c.Key() != ChangeKey(c.Key()) {
		t.Errorf("%q is not a key that Key would return", c.Key())
	}
}

func TestJoinLosesNobody(t *testing.T) {
	at := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	who := func(id string) Traveller { return Traveller{ID: id, LastName: "One"} }
	member := func(ids ...string) (list []CrewMember) {
		for _, id := range ids {
			list = append(list, CrewMember{Traveller: who(id), Metadata: map[string]string{"n": id}})
		}
		return list
	}
	dropped := func(side Side, hours int, id string) DroppedMember {
		return DroppedMember{CrewMember: CrewMember{Traveller: who(id)}, Side: side,
			At: at.Add(time.Duration(hours) * time.Hour)}
	}
	a := CrewChange{Vessel: "NORDLYS", OnSigners: member("1", "2"), Dropped: []DroppedMember{dropped(OnSigner, 1, "3"),
		dropped(OffSigner, 1, "5")}}
	b := CrewChange{
		Vessel: "Nordlys", OnSigners: member("2", "3"), OffSigners: member("1", "4"), Moved: &ShipMove{Place: "SIN"},
		Dropped: []DroppedMember{dropped(OffSigner, 2, "5"), dropped(OnSigner, 3, "6"), dropped(OffSigner, 0, "1")},
	}
	got := a.Join(b)
	ids := func(list []CrewMember) (text string) {
		for _, m := range list {
			text += m.ID
		}
		return text
	}
	if got.Vessel != "NORDLYS" || ids(got.OnSigners) != "123" || ids(got.OffSigners) != "14" || got.Moved != b.Moved {
		t.Errorf("joined: %+v; want all who join and who leave, each once on a side, and where the ship was moved", got)
	}
	if len(got.Dropped) != 2 || got.Dropped[0].ID != "6" || got.Dropped[1].ID != "5" || got.Dropped[1].Side !=
		OffSigner {
		t.Errorf("dropped: %+v; want 6 and 5: the others are planned on that side", got.Dropped)
	}
	if len(a.OnSigners) != 2 || len(a.Dropped) != 2 {
		t.Error("Join changed one of its crew changes")
	}
}
