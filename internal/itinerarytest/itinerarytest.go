// Package itinerarytest is a journey that tests of several packages use.
package itinerarytest

import (
	"testing"
	"time"

	"gangway/internal/gangway"
)

// At is an instant written as "2026-12-01 18:10", with the airport's offset in hours.
func At(t *testing.T, local string, hours int) time.Time {
	t.Helper()
	got, err := time.ParseInLocation("2006-01-02 15:04", local, time.FixedZone("", hours*3600))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// ViaDubai is a flight from Manila to Amsterdam with a change in Dubai.
func ViaDubai(t *testing.T) gangway.Itinerary {
	t.Helper()
	segment := func(flight string, from, to gangway.Airport, departure, arrival time.Time) gangway.Segment {
		return gangway.Segment{
			Carrier: flight[:2], FlightNumber: flight, Origin: from, Destination: to,
			Departure: departure, Arrival: arrival, Cabin: gangway.Economy,
		}
	}
	return gangway.Itinerary{Segments: []gangway.Segment{
		segment("EK333", "MNL", "DXB", At(t, "2026-12-01 18:10", 8), At(t, "2026-12-01 23:45", 4)),
		segment("KL428", "DXB", "AMS", At(t, "2026-12-02 01:30", 4), At(t, "2026-12-02 06:10", 1)),
	}}
}
