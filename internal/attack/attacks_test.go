package main

import "testing"

// Every status from 500 on is our failure, whoever saw it, but for a 503 that says when to come again.
func TestFailures(t *testing.T) {
	for _, what := range []string{"200", "429", "cut", "503", "others: 503", "asked /600"} {
		if (answers{what: 3}).failures() > 0 {
			t.Errorf("%q is counted as our failure", what)
		}
	}
	for _, what := range []string{"500", "502", "others: 504", "599", "503" + silently, "others: 503" + silently} {
		if got := (answers{what: 3, "200": 1}).failures(); got != 3 {
			t.Errorf("%q: %d failures; want 3", what, got)
		}
	}
}
