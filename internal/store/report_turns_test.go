package store

import (
	"context"
	"errors"
	"testing"
)

// TestReportTurns holds that an account's requests wait for each other, and not for those of other accounts.
func TestReportTurns(t *testing.T) {
	all := NewReportTurns(2)
	var ends []func()
	for range 2 {
		end, err := all.Take(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, end)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := all.Take(gone, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("a third one that has left gets %v", err)
	}
	end, err := all.Take(t.Context(), "b")
	if err != nil {
		t.Errorf("another account gets %v", err)
	}
	end()
	came := make(chan error)
	go func() {
		end, err := all.Take(t.Context(), "a")
		if err == nil {
			end()
		}
		came <- err
	}()
	ends[0]()
	if err := <-came; err != nil {
		t.Errorf("one that waits gets %v", err)
	}
	ends[1]()
	if len(all.of) != 0 {
		t.Errorf("%d accounts are remembered when nobody reads", len(all.of))
	}
}
