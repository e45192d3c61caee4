package flights_test

import (
	"slices"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/flights"
)

// A flight that the airline says it has cancelled is called so; one that is only no longer flown is not.
func TestChangeWordsSayCancelled(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 12, 5, hour, 0, 0, 0, time.UTC) }
	fly := func(carrier, number string, from, to gangway.Airport, leaves, lands int) gangway.Segment {
		return gangway.Segment{Carrier: carrier, FlightNumber: carrier + number, Origin: from, Destination: to,
			Departure: at(leaves), Arrival: at(lands)}
	}
	b := gangway.Booking{Change: &gangway.PendingChange{Why: "PR29 from MNL to DXB on 5 December was cancelled."}}
	b.Itinerary.Segments = []gangway.Segment{fly("PR", "29", "MNL", "DXB", 2, 8),
		fly("EK", "211", "DXB", "AMS", 10, 17)}
	b.Change.Itinerary.Segments = []gangway.Segment{fly("KL", "804", "MNL", "AMS", 5, 18)}
	words := func(want ...string) {
		t.Helper()
		if got := flights.ChangeWords(b); !slices.Equal(got, want) {
			t.Errorf("%q: %q; want %q", b.Change.Why, got, want)
		}
	}
	words("PR 29 cancelled", "KL 804 instead", "without EK 211")
	if got := flights.AirlineChange(b); got != "PR 29 cancelled · KL 804 instead" {
		t.Errorf("in a row: %q", got)
	}
	b.Change.Why = "PR298 from MNL to DXB on 5 December was cancelled. " +
		"EK211 from DXB to AMS on 5 December was cancelled."
	words("without PR 29", "KL 804 instead", "EK 211 cancelled")
	b.Change.Why = "The airline has replaced the booked flights with others."
	words("without PR 29", "KL 804 instead", "without EK 211")
}
