package gangway

import "testing"

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
