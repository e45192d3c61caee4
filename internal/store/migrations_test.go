package store_test

import (
	"database/sql"
	"os"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// raw opens the database at url directly, as its operator would.
func raw(t *testing.T, url string) *sql.DB {
	t.Helper()
	driver, name := "pgx", url
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		driver, name = "sqlite", path
	}
	db, err := sql.Open(driver, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// run executes a migration on what is in the database.
func run(t *testing.T, db *sql.DB, migration string) {
	t.Helper()
	text, err := os.ReadFile("migrations/" + migration)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), string(text)); err != nil {
		t.Fatalf("%s: %v", migration, err)
	}
}

// TestHoldsFromBeforeKeepWhatTheyHad holds that bookings held before AutoIssue
// was chosen with each hold keep what their account had chosen.
func TestHoldsFromBeforeKeepWhatTheyHad(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		plain, kept := storetest.Account(t, db), storetest.Account(t, db)
		operator := raw(t, url)
		set := func(settings string, a gangway.Account) {
			if _, err := operator.ExecContext(t.Context(), `UPDATE account SET settings = $1 WHERE id = $2`, settings,
				a.ID); err != nil {
				t.Fatal(err)
			}
		}
		set(`{"approval":{}}`, plain)
		set(`{"approval":{},"keep_unissued":true,"currency":"EUR"}`, kept)
		later := noon.AddDate(0, 0, 2)
		sold := func(by string) func(*gangway.Booking) {
			return func(b *gangway.Booking) { b.Supplier, b.HoldUntil, b.CheckAt = by, later, later }
		}
		createBooking(t, db.In(plain.Scope()), "a1", sold("simulated"))
		createBooking(t, db.In(plain.Scope()), "a2", sold("simulated"))
		createBooking(t, db.In(plain.Scope()), "a3", sold("manual"))
		createBooking(t, db.In(kept.Scope()), "b1", sold("simulated"))
		if _, err := db.In(plain.Scope()).UpdateBooking(t.Context(), "a2", "", issue); err != nil {
			t.Fatal(err)
		}
		begin := func(a gangway.Account, id string) {
			i := store.Intent{ID: id, Booking: id, Kind: "book", By: "ana@example.com",
				Doc: []byte(`{"booking":{"id":"` + id + `","supplier":"duffel","order":""}}`), CreatedAt: noon,
				Lease: noon}
			if err := db.In(a.Scope()).BeginBooking(t.Context(), i, store.Hold{Search: "search of " + id}); err != nil {
				t.Fatal(err)
			}
		}
		begin(plain, "a4")
		begin(kept, "b4")

		run(t, operator, "00009_auto_issue.sql")

		for _, tt := range []struct {
			account gangway.Account
			id      string
			auto    bool
			check   time.Time
		}{
			{plain, "a1", true, time.UnixMilli(1).UTC()}, // and it is looked at right away
			{plain, "a2", false, later},                  // issued
			{plain, "a3", false, later},                  // made elsewhere
			{kept, "b1", false, later},
		} {
			b, err := db.In(tt.account.Scope()).Booking(t.Context(), tt.id)
			if err != nil || b.AutoIssue != tt.auto || !b.CheckAt.Equal(tt.check) || b.Locator == "" {
				t.Errorf("%s: issued automatically %v, looked at %s, %v; want %v, %s", tt.id, b.AutoIssue, b.CheckAt,
					err, tt.auto, tt.check)
			}
		}
		for a, want := range map[gangway.Account]string{
			plain: `{"booking":{"auto_issue":true,"id":"a4","supplier":"duffel","order":""}}`,
			kept:  `{"booking":{"id":"b4","supplier":"duffel","order":""}}`,
		} {
			i, err := db.In(a.Scope()).Intent(t.Context(), map[bool]string{true: "a4", false: "b4"}[a.ID == plain.ID])
			if err != nil || string(i.Doc) != want {
				t.Errorf("intent is %s, %v; want %s", i.Doc, err, want)
			}
		}
		for _, a := range []gangway.Account{plain, kept} {
			if got, err := db.Account(t.Context(), a.ID); err != nil || got.Settings.AutoIssue {
				t.Errorf("account = %+v, %v; want new holds not to be issued automatically", got.Settings, err)
			}
		}
	})
}

func TestBookingsFromBeforeSayThatTheyAreSimulated(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		prod, dev := storetest.Accounts(t, db)
		for i, tt := range []struct {
			account  gangway.Account
			supplier string
			want     bool
		}{
			{prod, "simulated", true}, {dev, "simulated", true}, {prod, "duffel", false}, {dev, "duffel", true},
			{prod, "manual", false}, {dev, "manual", false},
		} {
			id := string(rune('a'+i)) + "1"
			createBooking(t, db.In(tt.account.Scope()), id, func(b *gangway.Booking) { b.Supplier = tt.supplier })
			run(t, raw(t, url), "00010_simulated.sql")
			if b, err := db.In(tt.account.Scope()).Booking(t.Context(), id); err != nil || b.NotReal() != tt.want {
				t.Errorf("%s in %s: simulated %v, %v; want %v", tt.supplier, tt.account.Environment, b.NotReal(), err,
					tt.want)
			}
		}
	})
}
