package store_test

import (
	"net/url"
	"testing"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestConnectionsHaveAName holds that PostgreSQL's operator sees by name who is
// connected, and that a name in the address takes precedence over the program's.
func TestConnectionsHaveAName(t *testing.T) {
	for _, tt := range []struct{ name, given, want string }{
		{"gangway serve", "", "gangway serve"},
		{"", "", "gangway"},
		{"gangway serve", "crew-1", "crew-1"},
	} {
		address := storetest.PostgresURL(t)
		at := address
		if tt.given != "" {
			u, err := url.Parse(address)
			must(t, err)
			query := u.Query()
			query.Set("application_name", tt.given)
			u.RawQuery = query.Encode()
			at = u.String()
		}
		db, err := store.OpenWith(t.Context(), at, store.Options{Name: tt.name})
		must(t, err)
		var names string
		var connections int // the listener's, and at least one of the pool's
		must(t, raw(t, address).QueryRowContext(t.Context(), `
			SELECT string_agg(DISTINCT application_name, ', '), count(*)
			FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`).Scan(&names, &connections))
		if names != tt.want || connections < 2 {
			t.Errorf("%q with %q in its address: %d connections are called %q; want %q", tt.name, tt.given, connections,
				names, tt.want)
		}
		db.Close()
	}
}
