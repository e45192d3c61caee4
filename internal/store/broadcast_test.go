package store_test

import (
	"context"
	"testing"
	"time"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestBroadcast holds that the other replicas hear a message, and the one that sent it does not.
func TestBroadcast(t *testing.T) {
	url := storetest.PostgresURL(t)
	open := func() *store.DB {
		db := openURL(t, url)
		return db
	}
	here, there := open(), open()
	heardHere, heardThere := make(chan string, 10), make(chan string, 10)
	here.Hear("tides", func(word string) { heardHere <- word })
	there.Hear("tides", func(word string) { heardThere <- word })
	there.Hear("winds", func(word string) { t.Errorf("heard %q of another subject", word) })
	for _, word := range []string{"high at six", "low at twelve"} {
		must(t, here.Broadcast(t.Context(), "tides", word))
	}
	must(t, there.Broadcast(t.Context(), "tides", "slack"))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // the machine may be busy
	defer cancel()
	hear := func(from chan string, want string) {
		t.Helper()
		select {
		case got := <-from:
			if got != want {
				t.Fatalf("heard %q; want %q", got, want)
			}
		case <-ctx.Done():
			t.Fatalf("%q was never heard", want)
		}
	}
	hear(heardThere, "high at six")
	hear(heardThere, "low at twelve")
	hear(heardHere, "slack") // and nothing of its own before
}

func TestBroadcastAlone(t *testing.T) {
	db := sure(store.Open(t.Context(), storetest.SQLiteURL(t)))(t)
	defer db.Close()
	db.Hear("tides", func(word string) { t.Errorf("heard %q; want nothing where there is no other replica", word) })
	must(t, db.Broadcast(t.Context(), "tides", "high at six"))
}
