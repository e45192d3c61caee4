package gangway_test

import (
	"testing"

	"gangway"
	"gangway/internal/storedtest"
)

// TestStored holds the documents that are stored of nouns. An action keeps a
// whole booking beside itself.
func TestStored(t *testing.T) {
	storedtest.Keeps[gangway.Booking](t, "booking")
	storedtest.Keeps[gangway.Search](t, "search")
}
