package main

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"gangway/internal/store/storetest"
)

// twoReplicas are two servers on one database. A person is signed in at both, and has started a search for a crew's
// flights at the first.
type twoReplicas struct {
	database    string
	first       *program
	here, there *browser // at the first, and at the other
	customer    string
	search      string // the path of the search
}

// searchAtTwo serves two replicas and starts a search for a crew of that size.
func searchAtTwo(t *testing.T, crew int) twoReplicas {
	t.Helper()
	r := twoReplicas{database: storetest.PostgresURL(t)}
	first, app, base := serve(t, r.database, "--network-delay", "100ms")
	_, otherApp, _ := serve(t, r.database, "--network-delay", "100ms")
	made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", r.database)
	r.first, r.customer = first, made.Customer
	who := answer[newUser](t, "user", "create", "--customer", made.Customer, "--email", ines, "--role", "booker",
		"--database", r.database)
	upload := []any{crewOf(crew, time.Now())}
	if _, _, err := call(http.MethodPost, base+"/travel-requests", made.Production.APIKey, upload); err != nil {
		t.Fatal(err)
	}
	r.here, r.there = newBrowser(t, app), newBrowser(t, otherApp)
	for _, b := range []*browser{r.here, r.there} {
		if err := b.signIn(who.Email, who.Password); err != nil {
			t.Fatal(err)
		}
	}
	found, err := r.here.send("/crew-changes/search", url.Values{"key": {"id:CC-1"}, "airport": {"SIN"}})
	if err != nil {
		t.Fatal(err)
	}
	r.search = found.path
	return r
}
