// Package storetest gives a test a database of its own, of either kind.
//
// It mocks nothing: the databases are real and empty, and while a test has one nobody else uses it.
// PostgreSQL is the server named in GANGWAY_TEST_POSTGRES, or else a throw-away
// one that is started by the first test that needs it.
package storetest

import (
	"encoding/json"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/seal"
	"gangway/internal/store"
)

// Began is when the customers of tests were created.
var Began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// Operator is the actor who sets up what a test needs.
var Operator = gangway.ByCommand("tester", "testing")

// Each runs test once on SQLite and once on PostgreSQL, side by side, each on a fresh database.
func Each(t *testing.T, test func(t *testing.T, db *store.DB)) {
	t.Helper()
	EachURL(t, func(t *testing.T, url string) { test(t, open(t, url)) })
}

// EachInTrial is Each in make trial. Otherwise it runs test on SQLite, for packages in which nothing depends on the
// kind of database.
func EachInTrial(t *testing.T, test func(t *testing.T, db *store.DB)) {
	t.Helper()
	if need.InTrial() {
		Each(t, test)
		return
	}
	t.Run("sqlite", func(t *testing.T) { test(t, New(t)) })
}

// EachURL runs test once with the address of a fresh SQLite database and once
// with that of a PostgreSQL one, side by side, for tests that run the real program.
func EachURL(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	sideBySide(t, test, SQLiteURL, PostgresURL)
}

// sideBySide runs test on both databases at once, and returns when both are done: much of each
// is waiting.
func sideBySide(t *testing.T, test func(t *testing.T, url string), sqlite, postgres func(testing.TB) string) {
	t.Helper()
	var both sync.WaitGroup
	defer both.Wait()
	both.Go(func() { t.Run("sqlite", func(t *testing.T) { test(t, sqlite(t)) }) })
	both.Go(func() { t.Run("postgres", func(t *testing.T) { test(t, postgres(t)) }) })
}

// New opens a fresh SQLite database.
func New(t testing.TB) *store.DB {
	t.Helper()
	return open(t, SQLiteURL(t))
}

// Postgres opens a fresh PostgreSQL database.
func Postgres(t testing.TB) *store.DB {
	t.Helper()
	return open(t, PostgresURL(t))
}

// PostgresIn opens a fresh PostgreSQL database with the given locale.
func PostgresIn(t testing.TB, locale string) *store.DB {
	t.Helper()
	return open(t, thePostgres(t).create(t, `TEMPLATE template0 LOCALE '`+locale+`'`))
}

// Accounts creates a customer and returns both of its accounts.
func Accounts(t testing.TB, db *store.DB) (prod, dev gangway.Account) {
	t.Helper()
	prod, dev, err := db.CreateCustomer(t.Context(), Operator, "Halcyon Tankers", Began)
	if err != nil {
		t.Fatalf("create a customer: %v", err)
	}
	return prod, dev
}

// Account creates a customer and returns its production account.
func Account(t testing.TB, db *store.DB) gangway.Account {
	t.Helper()
	prod, _ := Accounts(t, db)
	return prod
}

// Settings replaces the settings of the account of in.
func Settings(t testing.TB, in store.Scoped, settings gangway.Settings) {
	t.Helper()
	if _, err := in.UpdateSettings(t.Context(), Operator, Began, func(s *gangway.Settings) error {
		*s = settings
		return nil
	}); err != nil {
		t.Fatalf("settings: %v", err)
	}
}

// Sealer returns the sealer with which tests open their databases.
func Sealer(t testing.TB) *seal.Sealer {
	t.Helper()
	s, err := seal.New([]byte("a key for tests; it is no secret"))
	if err != nil {
		t.Fatalf("make a sealer: %v", err)
	}
	return s
}

func open(t testing.TB, url string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatalf("open %s: %v", url, err)
	}
	db.SealWith(Sealer(t))
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close %s: %v", url, err)
		}
	})
	return db
}

// PushTo makes an outlet one that posts every action to an address.
func PushTo(url string) store.OutletChange {
	return func(old store.StoredOutlet) (gangway.Outlet, error) {
		o := old.Outlet
		settings, err := json.Marshal(map[string]string{"url": url})
		o.Transport, o.Format = gangway.Transport{Kind: "endpoint", Settings: settings}, gangway.JSONFormat
		return o, err
	}
}
