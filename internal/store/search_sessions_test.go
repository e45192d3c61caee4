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

// TestJoiningSearchesWaitsForNobody holds that replicas that look for searches
// again, and delete old ones while they do, never deadlock.
func TestJoiningSearchesWaitsForNobody(t *testing.T) {
	url := storetest.PostgresURL(t)
	db := sure(store.Open(t.Context(), url))(t)
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
	db.Close() // its connections then report their statistics
	conn := sure(pgx.Connect(t.Context(), url))(t)
	defer conn.Close(t.Context())
	var deadlocks int
	must(t, conn.QueryRow(t.Context(), `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`).
		Scan(&deadlocks))
	if deadlocks > 0 {
		t.Errorf("%d deadlocks", deadlocks)
	}
}
