package main

import (
	"database/sql"
	"fmt"
	"testing"

	"gangway/internal/need"
)

// TestTrialSearchAtReplicas searches for a crew's flights at one replica and shows them at another,
// which reads the results of the first, even if the first is dead.
func TestTrialSearchAtReplicas(t *testing.T) {
	need.Trial(t)
	const crew = 6
	r := searchAtTwo(t, crew)
	here, there := r.here, r.there
	offers := func(b *browser) (list []string) {
		for m := range crew {
			p, err := b.open(fmt.Sprintf("%s?wait=1&member=%d", r.search, m))
			if err != nil {
				t.Fatal(err)
			}
			_, form, ok := p.form("/book")
			if !ok {
				t.Fatalf("member %d has no form to be booked with: %d %.500s", m, p.status, p.html)
			}
			list = append(list, form.Get("price"))
		}
		return list
	}
	db, err := sql.Open("pgx", r.database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	looking := func() (by string, ended bool) {
		err := db.QueryRowContext(t.Context(), `SELECT holder, ended = 1 FROM search_session`).Scan(&by, &ended)
		if err != nil {
			t.Fatal(err)
		}
		return by, ended
	}

	want := fmt.Sprint(offers(here))
	eventually(t, "all results are stored", func() bool {
		_, ended := looking()
		return ended
	})
	before, _ := looking()
	r.first.kill()
	if got := fmt.Sprint(offers(there)); got != want {
		t.Errorf("the other replica offers %s; want %s", got, want)
	}
	if after, _ := looking(); after != before {
		t.Error("the other replica has searched for the flights itself")
	}
}
