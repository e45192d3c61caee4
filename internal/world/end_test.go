package world

import "testing"

func TestFindAtAnEnd(t *testing.T) {
	tests := []struct {
		at    End
		typed string
		first string
		clear bool // Enter takes it
	}{
		// At the ship's end, ports come before airports.
		{ShipEnd, "rot", "NLRTM", true},
		{ShipEnd, "rotterdam", "NLRTM", true},
		{ShipEnd, "manila", "PHMNL", true},
		{ShipEnd, "singapore", "SGSIN", true},
		{ShipEnd, "houston", "USHOU", true},
		{ShipEnd, "new york", "USNYC", true},
		{ShipEnd, "rotorua", "ROT", true},
		// At home, airports do.
		{HomeEnd, "rotterdam", "RTM", true},
		{HomeEnd, "manila", "MNL", true},
		{HomeEnd, "london", "LON", true},
		{HomeEnd, "dubai", "DXB", true},
		{HomeEnd, "piraeus", "GRPIR", true}, // no airport is called this
		// The code of a large airport means the airport in any case, that of a small one only in capitals.
		{ShipEnd, "sin", "SIN", true},
		{ShipEnd, "MNL", "MNL", true},
		{ShipEnd, "ROT", "ROT", true},
		{HomeEnd, "goa", "GOI", false},
		{HomeEnd, "GOA", "GOA", true},
		{ShipEnd, "nlrtm", "NLRTM", true},
		{HomeEnd, "lon", "LON", true},
		// Nobody knows which of several is meant.
		{HomeEnd, "birmingham", "BHX", false},
		{HomeEnd, "shanghai", "PVG", false},
		{HomeEnd, "san jose", "SJC", false},
		{ShipEnd, "port", "", false},
		{ShipEnd, "xqzzy", "", false},
	}
	for _, tt := range tests {
		list, clear := tt.at.Find(tt.typed, 10)
		first := ""
		if len(list) > 0 {
			first = list[0].Code
		}
		if clear != tt.clear || tt.first != "" && first != tt.first {
			t.Errorf("%d.Find(%q) = %v, %v; want %s, %v", tt.at, tt.typed, codesOf(list), clear, tt.first, tt.clear)
		}
	}
	t.Run("a journey from a port leads home, and from anywhere else to a ship", func(t *testing.T) {
		for from, want := range map[string]End{"NLRTM": HomeEnd, "nlrtm": HomeEnd, "MNL": ShipEnd, "": ShipEnd} {
			if got := DestinationFrom(from); got != want {
				t.Errorf("DestinationFrom(%q) = %d; want %d", from, got, want)
			}
		}
	})
}
