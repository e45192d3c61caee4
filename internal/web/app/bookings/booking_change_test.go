package bookings

import (
	"testing"
	"time"

	"gangway/internal/gangway"
)

// TestConnectionsOfChanges holds that a pending change says the same about flights
// as the list of offers did.
func TestConnectionsOfChanges(t *testing.T) {
	leaves := time.Date(2026, 12, 1, 10, 10, 0, 0, time.UTC)
	it := gangway.Itinerary{Segments: []gangway.Segment{
		{Carrier: "EK", FlightNumber: "EK333", Origin: "MNL", Destination: "DXB", Departure: leaves,
			Arrival: leaves.Add(9*time.Hour + 35*time.Minute)},
		{Carrier: "KL", FlightNumber: "KL428", Origin: "DXB", Destination: "AMS", Departure: leaves.Add(11*time.Hour +
			20*time.Minute), Arrival: leaves.Add(19 * time.Hour)},
	}, Connections: []gangway.Connection{{Least: 80}}}
	const risk = "tight: changing takes at least 1 h 20"
	q := newChangeQuote(gangway.Booking{}, gangway.PendingChange{Itinerary: it}, bookingPlan{})
	if q.Strip[0].Stops[0].Risk != risk || q.Segments[1].Risk != risk {
		t.Errorf("a change that waits says %q and %q; want %q", q.Strip[0].Stops[0].Risk, q.Segments[1].Risk, risk)
	}
}
