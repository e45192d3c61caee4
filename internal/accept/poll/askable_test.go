package poll_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

func TestFeedsThatCanBeAskedAreNoticedAtOnce(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	asks := func(flow gangway.Flow, want bool) {
		t.Helper()
		if got, err := d.poller.Asks(t.Context(), d.in, flow); got != want || err != nil {
			t.Fatalf("Asks(%s) = %v, %v; want %v", flow, got, err, want)
		}
	}
	asks(gangway.CrewChangesFlow, false)
	d.set(gangway.CrewChangesFlow, c.URL)
	asks(gangway.CrewChangesFlow, true)
	asks(gangway.TravelRequestsFlow, false)
	d.set(gangway.CrewChangesFlow, c.URL, func(f *gangway.Feed) { f.Off = true })
	asks(gangway.CrewChangesFlow, false)
	d.set(gangway.TravellersFlow, c.URL) // which is fetched by itself
	asks(gangway.TravellersFlow, false)
}
