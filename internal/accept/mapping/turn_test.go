package mapping

import (
	"context"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
)

// Programs that take much memory take turns, also when whoever ran one does not read to its end; those that take
// little wait for none.
func TestProgramsThatTakeMuchTakeTurns(t *testing.T) {
	const much = `[range(1500000)] | length | {last_name: tostring, first_name: "A"}, .`
	next := func(ctx context.Context, program string) error {
		m := compiled(t, program, gangway.TravellersFlow)
		_, err := m.Records(ctx, open(t, "[1]", gangway.DocumentFormat{}), gangway.Ask{}).Next()
		return err
	}
	if err := turns.Acquire(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := next(ctx, much); err == nil {
		t.Error("a program that takes much did not wait for the one that has its turn")
	}
	if err := next(t.Context(), `{last_name: "A", first_name: "B"}`); err != nil {
		t.Errorf("a program that takes little: %v", err)
	}
	turns.Release(1)
	abandoned, cancel := context.WithCancel(t.Context())
	if err := next(abandoned, much); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := turns.Acquire(t.Context(), 1); err != nil { // or the test does not end
		t.Fatal(err)
	}
	turns.Release(1)
	if err := next(t.Context(), `[range(100000000)]`); err == nil || !strings.Contains(err.Error(), "too") {
		t.Errorf("a program that takes too much: %v; want it stopped", err)
	}
}
