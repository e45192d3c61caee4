package gangway

import (
	"testing"
	"time"
)

// flown is an itinerary of one flight, in local times without a zone.
func flown(from, to Airport, leaves, lands string) Itinerary {
	at := func(s string) time.Time {
		t, err := time.Parse("2006-01-02 15:04", s)
		if err != nil {
			panic(err)
		}
		return t
	}
	return Itinerary{Segments: []Segment{{Origin: from, Destination: to, Departure: at(leaves), Arrival: at(lands)}}}
}

var ana = Traveller{ID: "C-1", LastName: "Pereira", FirstName: "Ana", DOB: "1990-01-02"}

func TestFit(t *testing.T) {
	roads := map[Place]map[Airport]time.Duration{"NLRTM": {"AMS": 70 * time.Minute, "BRU": 205 * time.Minute}}
	joins := Plan{Side: OnSigner, Legs: []Leg{{Destination: "NLRTM", ArriveOn: "2026-12-08"}}, Roads: roads}
	leaves := Plan{Side: OffSigner, Legs: []Leg{{Origin: "NLRTM", Date: "2026-12-08"}}, Roads: roads}
	asked := Plan{Legs: []Leg{{Origin: "MNL", Destination: "SIN", Date: "2026-12-08"}}}
	tests := []struct {
		name string
		plan Plan
		it   Itinerary
		want Fit
	}{
		{"there on the day", joins, flown("MNL", "AMS", "2026-12-08 01:00", "2026-12-08 10:00"), Fit{}},
		{"there the night before", joins, flown("MNL", "BRU", "2026-12-07 01:00", "2026-12-07 10:00"), Fit{}},
		{"two nights too soon", joins, flown("MNL", "AMS", "2026-12-06 01:00", "2026-12-06 20:00"),
			Fit{Date: "2026-12-06", Wanted: "2026-12-08"}},
		{"the transfer ends after midnight", joins, flown("MNL", "BRU", "2026-12-08 01:00", "2026-12-08 22:00"),
			Fit{Date: "2026-12-09", Wanted: "2026-12-08"}},
		{"to an airport that does not serve the port", joins, flown("MNL", "SIN", "2026-12-08 01:00",
			"2026-12-08 05:00"), Fit{Airport: "SIN", Place: "NLRTM"}},
		{"another day and another place", joins, flown("MNL", "SIN", "2026-12-05 01:00", "2026-12-05 05:00"),
			Fit{Date: "2026-12-05", Wanted: "2026-12-08", Airport: "SIN", Place: "NLRTM"}},
		{"leaves the day after the ship is in", leaves, flown("AMS", "MNL", "2026-12-09 10:00", "2026-12-10 05:00"),
			Fit{}},
		{"leaves before the ship is in", leaves, flown("AMS", "MNL", "2026-12-05 22:25", "2026-12-06 05:00"),
			Fit{Date: "2026-12-05", Wanted: "2026-12-08", Leaves: true}},
		{"starts the transfer to the airport the day before", leaves, flown("BRU", "MNL", "2026-12-08 02:00",
			"2026-12-08 20:00"),
			Fit{Date: "2026-12-07", Wanted: "2026-12-08", Leaves: true}},
		{"leaves from elsewhere", leaves, flown("SIN", "MNL", "2026-12-08 13:00", "2026-12-08 17:00"),
			Fit{Airport: "SIN", Place: "NLRTM", From: true}},
		{"as requested", asked, flown("MNL", "SIN", "2026-12-08 10:00", "2026-12-08 14:00"), Fit{}},
		{"a request moved by a day", asked, flown("MNL", "SIN", "2026-12-07 10:00", "2026-12-07 14:00"),
			Fit{Date: "2026-12-07", Wanted: "2026-12-08", Leaves: true}},
		{"a request from elsewhere", asked, flown("CEB", "SIN", "2026-12-08 10:00", "2026-12-08 14:00"),
			Fit{Airport: "CEB", Place: "MNL", From: true}},
		{"nobody is wanted", Plan{Unneeded: TakenBack}, flown("MNL", "SIN", "2026-12-08 10:00", "2026-12-08 14:00"),
			Fit{Unneeded: TakenBack}},
		{"nothing is planned", Plan{}, flown("MNL", "SIN", "2026-12-08 10:00", "2026-12-08 14:00"), Fit{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.plan.Fit(tt.it)
			got.At, got.Due = time.Time{}, time.Time{}
			if got != tt.want || got.OK() != (tt.want == Fit{}) {
				t.Fatalf("Fit = %+v; want %+v", got, tt.want)
			}
		})
	}
}

func TestCrewListPlan(t *testing.T) {
	ben := Traveller{LastName: "Berg", FirstName: "Ben", DOB: "1980-05-06"}
	c := CrewChange{
		TravelRequestID: "CC-1", ChangeDate: "2026-12-08", OnSigners: []CrewMember{{Traveller: ana}},
		OffSigners: []CrewMember{{Traveller: ben, Depart: PortCall{Date: "2026-12-09"}}},
		Dropped: []DroppedMember{{CrewMember: CrewMember{Traveller: Traveller{ID: "C-9", LastName: "Tan"}},
			Side: OnSigner}},
	}
	ship := func(t *testing.T, c CrewChange, who Traveller, side Side) (Place, Date) {
		t.Helper()
		p := c.List("AMS").Plan(who, side)
		if p.Unneeded != "" {
			t.Fatalf("%s is not needed: %s", who.LastName, p.Unneeded)
		}
		return p.Ship()
	}
	t.Run("as sent", func(t *testing.T) {
		if place, date := ship(t, c, ana, OnSigner); place != "AMS" || date != "2026-12-08" {
			t.Errorf("Ana joins at %s on %s; want AMS, 8 December", place, date)
		}
		if _, date := ship(t, c, ben, OffSigner); date != "2026-12-09" {
			t.Errorf("Ben leaves on %s; want Ben's own date", date)
		}
	})
	t.Run("people on another list, or on none", func(t *testing.T) {
		list := c.List("")
		for _, tt := range []struct {
			who  Traveller
			side Side
			want Unneeded
		}{{ana, OffSigner, NotListed}, {Traveller{ID: "C-9", LastName: "Tan"}, OnSigner, LeftOut},
			{Traveller{LastName: "Nobody"}, OnSigner, NotListed}, {ana, "", ""}} {
			if got := list.Plan(tt.who, tt.side).Unneeded; got != tt.want {
				t.Errorf("%s as %q: %q; want %q", tt.who.LastName, tt.side, got, tt.want)
			}
		}
	})
	moved := c
	moved.Moved = &ShipMove{Place: "SIN", Date: "2026-12-10", Sent: c.Sent()}
	t.Run("moved by a coordinator, and everybody's dates with it", func(t *testing.T) {
		if place, date := ship(t, moved, ana, OnSigner); place != "SIN" || date != "2026-12-10" {
			t.Errorf("Ana joins at %s on %s; want SIN, 10 December", place, date)
		}
		if _, date := ship(t, moved, ben, OffSigner); date != "2026-12-11" {
			t.Errorf("Ben leaves on %s; want a day after the others", date)
		}
	})
	t.Run("a newer date from the customer replaces the moved date, but not the moved place", func(t *testing.T) {
		anew := moved
		anew.ChangeDate = "2026-12-15"
		if place, date := ship(t, anew, ana, OnSigner); place != "SIN" || date != "2026-12-15" {
			t.Errorf("Ana joins at %s on %s; want SIN, 15 December", place, date)
		}
	})
}
