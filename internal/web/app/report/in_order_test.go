package report

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"

	"gangway/internal/web/app/shell"
)

// TestOnePartFails holds that a part that fails by a panic is shown as failed in its place among the others, and that
// nothing more is worked out for somebody who has left.
func TestOnePartFails(t *testing.T) {
	a := &asked{room: &Room{Shell: &shell.Shell{Log: slog.New(slog.DiscardHandler)}}}
	var shown []any
	ctx, leave := context.WithCancel(t.Context())
	show := func(name string, data any) error {
		shown = append(shown, name, data)
		return nil
	}
	err := a.inOrder(ctx, show, []section{
		{"one", "a", func() any { return 1 }}, {"two", "b", func() any { panic("a fault") }},
		{"three", "c", func() any { return 3 }},
	})
	want := []any{"a", 1, "failed", failedPart{"two", "Something went wrong on our side; it was noted."}, "c", 3}
	if err != nil || !slices.Equal(shown, want) {
		t.Errorf("it shows %v, %v; want %v", shown, err, want)
	}
	shown = nil
	err = a.inOrder(ctx, show, []section{
		{"one", "a", func() any { leave(); panic("a fault") }}, {"two", "b", func() any { return 2 }},
	})
	if !errors.Is(err, context.Canceled) || len(shown) > 0 {
		t.Errorf("for somebody who has left it shows %v, and ends with %v", shown, err)
	}
}
