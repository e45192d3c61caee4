package background_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"gangway/internal/background"
)

func TestGuard(t *testing.T) {
	var text bytes.Buffer
	log := slog.New(slog.NewTextHandler(&text, nil))
	t.Run("an error comes back as it is", func(t *testing.T) {
		want := errors.New("no")
		if err := background.Guard(log, "try", func() error { return want }); err != want || text.Len() != 0 {
			t.Fatalf("Guard = %v, log %q", err, text.String())
		}
	})
	t.Run("a panic becomes an error, and is logged with its place", func(t *testing.T) {
		err := background.Guard(log, "read an answer", func() error { panic("index out of range") })
		if err == nil || strings.Contains(err.Error(), "index") {
			t.Fatalf("Guard = %v; want an error that says only what was being done", err)
		}
		for _, part := range []string{"read an answer", "index out of range", "background_test.go"} {
			if !strings.Contains(text.String(), part) {
				t.Errorf("the log lacks %q: %s", part, text.String())
			}
		}
	})
}
