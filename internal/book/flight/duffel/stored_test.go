package duffel

import (
	"testing"

	"gangway/internal/storedtest"
)

// Orders are stored as in the golden documents.
func TestStored(t *testing.T) {
	storedtest.Keeps[record](t, "order")
}
