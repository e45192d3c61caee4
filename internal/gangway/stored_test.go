package gangway_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/storedtest"
)

// TestStored checks the stored documents of the nouns. An action stores a whole
// booking with it.
func TestStored(t *testing.T) {
	storedtest.Keeps[gangway.Booking](t, "booking")
	storedtest.Keeps[gangway.Search](t, "search")
}
