package plan

import (
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/storedtest"
)

// TestStored checks what one replica reads that another has stored: the results of a
// search, and the request for each traveller of a batch.
func TestStored(t *testing.T) {
	storedtest.Keeps[sessionUpdate](t, "search-update")
	storedtest.Keeps[memberFlights](t, "search-flights")
	storedtest.Keeps[flight.Offer](t, "search-offer")
	storedtest.Keeps[itemRequest](t, "batch-item")
	storedtest.Keeps[itemMove](t, "batch-move")
}
