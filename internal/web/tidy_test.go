package web_test

import (
	"runtime"
	"testing"
	"time"

	"gangway/internal/web"
)

// TestTidy finishes with a large body, and waits until the runtime was asked to return
// its memory: nothing else asks for that.
func TestTidy(t *testing.T) {
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	s := web.NewBudget(128*mib, 32*mib, time.Hour).Share("halcyon")
	if !at(t, s, 20*mib) {
		t.Fatal("there is no room for a body")
	}
	s.Release()
	for now = before; now.NumForcedGC == before.NumForcedGC && t.Context().Err() == nil; runtime.Gosched() {
		runtime.ReadMemStats(&now)
	}
}
