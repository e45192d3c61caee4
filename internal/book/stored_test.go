package book

import (
	"testing"

	"gangway/internal/storedtest"
)

// TestStored holds what an intent keeps for the process that follows it up.
func TestStored(t *testing.T) { storedtest.Keeps[intentDetails](t, "intent") }
