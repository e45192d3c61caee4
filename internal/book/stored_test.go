package book

import (
	"testing"

	"gangway/internal/storedtest"
)

// TestStored checks what an intent stores for the process that follows it up.
func TestStored(t *testing.T) { storedtest.Keeps[intentDetails](t, "intent") }
