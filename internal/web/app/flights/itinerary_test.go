package flights

import (
	"testing"
	"time"

	"gangway"
)

// at is an instant with the offset of the airport, in hours.
func at(t *testing.T, local string, hours int) time.Time {
	t.Helper()
	got, err := time.ParseInLocation("2006-01-02 15:04", local, time.FixedZone("", hours*3600))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// viaDubai is a flight from Manila to Amsterdam with a change in Dubai.
func viaDubai(t *testing.T) gangway.Itinerary {
	return gangway.Itinerary{Segments: []gangway.Segment{
		{Carrier: "EK", FlightNumber: "EK333", Origin: "MNL", Destination: "DXB", Departure: at(t, "2026-12-01 18:10", 8), Arrival: at(t, "2026-12-01 23:45", 4), Cabin: gangway.Economy},
		{Carrier: "KL", FlightNumber: "KL428", Origin: "DXB", Destination: "AMS", Departure: at(t, "2026-12-02 01:30", 4), Arrival: at(t, "2026-12-02 06:10", 1), Cabin: gangway.Economy},
	}}
}
