package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"gangway/internal/store/storetest"
)

// A server whose clock is not the database's says so, once in a while.
func TestClocksApart(t *testing.T) {
	db := storetest.Postgres(t)
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	behind := func() time.Time { return time.Now().Add(-time.Hour) }
	said := compareClocks(t.Context(), db, time.Now, log, time.Time{})
	if !said.IsZero() || out.Len() > 0 {
		t.Fatalf("where the clocks agree it says %s", out.String())
	}
	for range 2 {
		said = compareClocks(t.Context(), db, behind, log, said)
	}
	if n := strings.Count(out.String(), "ahead=-1h0m0s"); n != 1 || said.IsZero() {
		t.Errorf("an hour behind it says %q; want it once", out.String())
	}
	if said = compareClocks(t.Context(), db, time.Now, log, said); !said.IsZero() {
		t.Error("the clocks agree again, and it remembers that they did not")
	}
}
