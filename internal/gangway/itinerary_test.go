package gangway

import (
	"testing"
	"time"
)

// TestRecall checks that what was known about connections stays known when a
// supplier's next answer omits it, and is forgotten when the flights change.
func TestRecall(t *testing.T) {
	flown := func(number string, later time.Duration) Itinerary {
		at := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC).Add(later)
		return Itinerary{Segments: []Segment{
			{Carrier: "EK", FlightNumber: number, Origin: "MNL", Destination: "DXB", Departure: at,
				Arrival: at.Add(9 * time.Hour)},
			{Carrier: "EK", FlightNumber: "EK147", Origin: "DXB", Destination: "AMS", Departure: at.Add(10 * time.Hour),
				Arrival: at.Add(17 * time.Hour)},
		}}
	}
	said := flown("EK333", 0)
	said.Connections = []Connection{{Least: 55}}
	says := flown("EK333", 0)
	says.Connections = []Connection{{Least: 75}}
	tests := []struct {
		name string
		now  Itinerary
		want int // 0: nothing is known
	}{
		{"the same flights", flown("EK333", 0), 55},
		{"the same flights, an hour later", flown("EK333", time.Hour), 55},
		{"another flight", flown("EK335", 0), 0},
		{"what the supplier says now", says, 75},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.now.Recall(Itinerary{}, said).Connections
			if least := append(got, Connection{})[0].Least; least != tt.want {
				t.Fatalf("the minimum connecting time is %d minutes; want %d", least, tt.want)
			}
		})
	}
}
