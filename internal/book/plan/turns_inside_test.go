package plan

import (
	"context"
	"errors"
	"testing"
)

// TestTurns checks that an account has its turns and no more, that others have theirs
// beside it, and that nothing is remembered of accounts that have left.
func TestTurns(t *testing.T) {
	turns := newTurns()
	first, err := turns.take(t.Context(), "a", 9_000) // more than its limit: all of its turns
	if err != nil {
		t.Fatal(err)
	}
	second, err := turns.take(t.Context(), "b", turnsOfAll-turnsOfAccount)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, account := range []string{"a", "b", "c"} { // all turns are taken
		if _, err := turns.take(gone, account, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("%s has a turn beyond the bound: %v", account, err)
		}
	}
	first()
	third, err := turns.take(t.Context(), "a", 1)
	if err != nil {
		t.Fatal(err)
	}
	second()
	third()
	if len(turns.of) != 0 {
		t.Errorf("%d accounts are remembered; want none", len(turns.of))
	}
}
