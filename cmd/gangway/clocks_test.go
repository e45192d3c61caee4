package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"gangway/internal/store/storetest"
)

// A server whose clock differs from the database's logs that once in a while.
func TestClocksApart(t *testing.T) {
	db := storetest.Postgres(t)
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	behind := func() time.Time { return time.Now().Add(-time.Hour) }
	said := compareClocks(t.Context(), db, time.Now, log, time.Time{})
	if !said.IsZero() || out.Len() > 0 {
		t.Fatalf("with equal clocks it logs %s", out.String())
	}
	for range 2 {
		said = compareClocks(t.Context(), db, behind, log, said)
	}
	if n := strings.Count(out.String(), "ahead=-1h0m0s"); n != 1 || said.IsZero() {
		t.Errorf("an hour behind it logs %q; want one line", out.String())
	}
	if said = compareClocks(t.Context(), db, time.Now, log, said); !said.IsZero() {
		t.Error("the clocks agree again, but it still remembers the difference")
	}
}
