package orders

import (
	"testing"

	"gangway/internal/storedtest"
)

// TestStored holds what is kept of an order in the ledger.
func TestStored(t *testing.T) {
	storedtest.Keeps[record](t, "order")
	storedtest.Reads[record](t, "order-empty-with-nulls", "order-empty") // until November 2026
}
