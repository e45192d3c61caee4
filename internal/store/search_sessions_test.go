package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/jackc/pgx/v5"
)

// TestJoiningSearchesWaitsForNobody holds that replicas which look for searches
// anew, and clear old ones away while they do, never wait for each other in a circle.
func TestJoiningSearchesWaitsForNobody(t *testing.T) {
	url := storetest.PostgresURL(t)
	db, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	in := db.In(storetest.Account(t, db).Scope())
	now, join := storetest.Began, sync.WaitGroup{}
	for range 20 {
		for i := range 12 {
			join.Go(func() {
				l, err := in.JoinSearch(t.Context(), fmt.Sprint("search ", i), now, now.Add(15*time.Second),
					now.Add(10*time.Minute), false)
				if err != nil || !l.Mine {
					t.Errorf("JoinSearch = %+v, %v; want it taken: what was found has expired", l, err)
				}
			})
		}
		join.Wait()
		now = now.Add(time.Hour)
	}
	db.Close() // its connections tell of themselves
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var circles int
	if err := conn.QueryRow(t.Context(), `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`).
		Scan(&circles); err != nil {
		t.Fatal(err)
	}
	if circles > 0 {
		t.Errorf("%d times two waited for each other", circles)
	}
}
