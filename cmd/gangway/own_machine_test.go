package main

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gangway/internal/deliver"
	"gangway/internal/store/storetest"
)

// TestOwnMachine holds when this machine is pushed to without --allow-network: while nobody but this machine reaches
// Gangway. "outlet set" and "check" say the same as "serve" does, given the same flags, and so does its page.
func TestOwnMachine(t *testing.T) {
	for _, tt := range []struct {
		name   string
		flags  []string
		pushed bool
	}{
		{"as it is begun", nil, true},
		{"every address on loopback", []string{"--listen", "localhost:0", "--base-url", "http://[::1]:8080/api"}, true},
		{"allowed by the operator", []string{"--base-url", "https://gangway.example/api", "--allow-network",
			"127.0.0.0/8"}, true},
		{"listening for other machines", []string{"--listen", "0.0.0.0:0", "--base-url", "http://127.0.0.1:8080/api"},
			false},
		{"customers reach it by a name", []string{"--base-url", "https://gangway.example/api"}, false},
		{"a name that begins like this machine's", []string{"--base-url", "http://localhost.example/api"}, false},
		{"a proxy in front", []string{"--trusted-proxy", "127.0.0.1/32"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			customer, database := newReceiver(t, func() {}), storetest.SQLiteURL(t)
			made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
			account := []string{"--customer", made.Customer, "--environment", "development", "--database", database}
			set := append(append([]string{"outlet", "set", "--url", customer.URL}, account...), tt.flags...)
			secret := filepath.Join(t.TempDir(), "secret")
			must(t, os.WriteFile(secret, []byte(deliver.NewSecret()), 0o600))
			check := append([]string{"check", "--url", customer.URL, "--flow", "push", "--secret-file", secret},
				tt.flags...)
			out, _ := gangwayCommand(t, check...).CombinedOutput()
			if refused := strings.Contains(string(out), "--allow-network"); refused == tt.pushed {
				t.Errorf("check says %s; want it examined: %v", out, tt.pushed)
			}
			if !slices.Contains(tt.flags, "--allow-network") { // what feeds fetch is called with it alone
				refused(t, "--allow-network", append([]string{"check", "--url", customer.URL}, tt.flags...)...)
			}
			feed := filepath.Join(t.TempDir(), "feed.json")
			must(t, os.WriteFile(feed, []byte(`{"name": "crew", "flow": "travellers", "transport": {"kind": "endpoint", `+
				`"url": "`+customer.URL+`"}}`), 0o600))
			refused(t, "--allow-network", append([]string{"feed", "set", "--file", feed}, account...)...) // in any case
			if !tt.pushed {
				refused(t, "--allow-network", set...)
				set = append(set, "--allow-network", "127.0.0.0/8")
			}
			answer[outletSecret](t, set...)

			confirmed(t, database, "B1")
			flags := tt.flags
			if len(flags) == 0 || flags[0] != "--listen" {
				flags = append([]string{"--listen", "127.0.0.1:0"}, flags...)
			}
			_, at := start(t, serving, append([]string{"serve", "--database", database}, flags...)...)
			if tt.flags == nil || tt.flags[0] == "--trusted-proxy" {
				said := checkedOnPage(t, at[1], database, made.Customer, customer.URL)
				if refused := strings.Contains(said, "has not allowed"); refused == tt.pushed {
					t.Errorf("Settings › Check says %s; want it examined: %v", said, tt.pushed)
				}
			}
			list := append([]string{"outlet", "list"}, account...)
			eventually(t, "the booking was pushed, or refused", func() bool {
				actions, _ := customer.received(t, "B1")
				return len(actions) > 0 || answer[[]listedOutlet](t, list...)[0].LastError != nil
			})
			if actions, _ := customer.received(t, "B1"); (len(actions) > 0) != tt.pushed {
				t.Errorf("pushed: %v; want %v: %+v", len(actions) > 0, tt.pushed, answer[[]listedOutlet](t, list...)[0])
			}
			if last := answer[[]listedOutlet](t, list...)[0].LastError; !tt.pushed && !strings.Contains(last.Answer,
				"--allow-network") {
				t.Errorf("outlet list says %q; want how to allow it", last.Answer)
			}
		})
	}
}

// checkedOnPage is what Settings › Check says of B5 at an address, and nothing else.
func checkedOnPage(t *testing.T, app, database, customer, address string) string {
	t.Helper()
	b := newPerson(t, app, database, customer, "admin")
	p, err := b.send("/settings/check", url.Values{"what": {"address"}, "url": {address}, "flow": {"push"}})
	if err != nil || p.status != http.StatusOK {
		t.Fatalf("Settings › Check is answered with %d, %v", p.status, err)
	}
	return p.text()
}

// confirmed makes a booking in the development account of the only customer.
func confirmed(t *testing.T, database, id string) {
	t.Helper()
	db := openStore(t, database)
	customers, err := db.Customers(t.Context())
	if err != nil || len(customers) != 1 {
		t.Fatalf("there are %d customers, %v", len(customers), err)
	}
	_, development, err := db.Accounts(t.Context(), customers[0].ID)
	must(t, err)
	bookAlone(t, db.In(development.Scope()), id)
	must(t, db.Close())
}
