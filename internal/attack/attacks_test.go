package main

import "testing"

// Every status from 500 on is our failure, whoever saw it, but for a 503 that says when to come again.
func TestFailures(t *testing.T) {
	for what, failed := range map[string]bool{"200": false, "429": false, "cut": false, "503": false,
		"others: 503": false,
		"500":         true, "502": true, "others: 504": true, "599": true, "503 " + silently: true, "asked /600": false,
		"others: 503 " + silently: true} {
		if got := (answers{what: 3}).failures(); (got > 0) != failed {
			t.Errorf("%q: %d failures; want some: %v", what, got, failed)
		}
	}
}
