package main

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"gangway/internal/store/storetest"
)

// TestSearchAtReplicas has a crew's flights looked for with one replica and
// shown by another, which reads what the first has found, also when the first is dead.
func TestSearchAtReplicas(t *testing.T) {
	const crew = 6
	database := storetest.PostgresURL(t)
	first, app, base := serve(t, database, "--network-delay", "100ms")
	_, otherApp, _ := serve(t, database, "--network-delay", "100ms")
	made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	who := answer[newUser](t, "user", "create", "--customer", made.Customer, "--email", ines, "--role", "booker", "--database", database)
	if _, _, err := call(http.MethodPost, base+"/travel-requests", made.Production.APIKey, []any{crewOf(crew, time.Now())}); err != nil {
		t.Fatal(err)
	}
	here, there := newBrowser(t, app), newBrowser(t, otherApp)
	for _, b := range []*browser{here, there} {
		if err := b.signIn(who.Email, who.Password); err != nil {
			t.Fatal(err)
		}
	}
	found, err := here.send("/crew-changes/search", url.Values{"key": {"id:CC-1"}, "airport": {"SIN"}})
	if err != nil {
		t.Fatal(err)
	}
	offers := func(b *browser) (list []string) {
		for m := range crew {
			p, err := b.open(fmt.Sprintf("%s?wait=1&member=%d", found.path, m))
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
	db, err := sql.Open("pgx", database)
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
	eventually(t, time.Minute, "all that was found is written down", func() bool { _, ended := looking(); return ended })
	before, _ := looking()
	first.kill()
	if got := fmt.Sprint(offers(there)); got != want {
		t.Errorf("the other replica offers %s; want %s", got, want)
	}
	if after, _ := looking(); after != before {
		t.Error("the other replica has looked for the flights itself")
	}
}
