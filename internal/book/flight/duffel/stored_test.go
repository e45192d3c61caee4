package duffel

import (
	"testing"

	"gangway/internal/storedtest"
)

// Orders are stored as in the golden documents, and those of earlier versions are still read.
func TestStored(t *testing.T) {
	storedtest.Keeps[record](t, "order")
	storedtest.Reads[record](t, "order-empty-with-nulls", "order-empty") // until November 2026
}
