package report

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"

	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// TestOnePartFails holds that a part that fails, even by a panic, is shown as failed in its place, and that all others
// come in their order.
func TestOnePartFails(t *testing.T) {
	a := &asked{room: &Room{Shell: &shell.Shell{Log: slog.New(slog.DiscardHandler)}}}
	var shown []any
	err := a.inOrder(t.Context(), func(name string, data any) error {
		if name != "waiting" {
			shown = append(shown, name, data)
		}
		return nil
	}, []section{
		{"one", "a", func(context.Context) (any, error) { return 1, nil }},
		{"two", "b", func(context.Context) (any, error) { return nil, store.ErrReportTooLong }},
		{"three", "c", func(context.Context) (any, error) { return 3, nil }},
		{"four", "d", func(context.Context) (any, error) { panic("a fault") }},
		{"five", "e", func(context.Context) (any, error) { return nil, errors.New("a detail of ours") }},
		{"six", "f", func(context.Context) (any, error) { return 6, nil }},
	})
	ours := "Something went wrong on our side; it was noted."
	want := []any{"a", 1, "failed", failedPart{"two", "It took longer than a minute: choose fewer days, or one " +
		"vessel."}, "c", 3, "failed", failedPart{"four", ours}, "failed",
		failedPart{"five", ours}, "f", 6}
	if err != nil || !slices.Equal(shown, want) {
		t.Errorf("it shows %v, %v; want %v", shown, err, want)
	}
}

// TestWhoHasLeft holds that nothing more is worked out for somebody who has left.
func TestWhoHasLeft(t *testing.T) {
	a := &asked{room: &Room{Shell: &shell.Shell{Log: slog.New(slog.DiscardHandler)}}}
	ctx, leave := context.WithCancel(t.Context())
	waits := func(ctx context.Context) (any, error) {
		leave()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	err := a.inOrder(ctx, func(name string, _ any) error {
		if name != "waiting" {
			t.Errorf("%s is shown", name)
		}
		return nil
	}, []section{{"one", "a", waits}, {"two", "b", waits}, {"three", "c", waits}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}
