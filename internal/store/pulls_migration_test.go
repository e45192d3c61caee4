package store_test

import (
	"database/sql"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/pressly/goose/v3"
)

// TestPullsOfBefore migrates a database from before pulls had names: what was
// handed out can be asked for again, and what was not waits.
func TestPullsOfBefore(t *testing.T) {
	const past = `
		INSERT INTO customer (id, name, created_at) VALUES ('c', 'Halcyon Tankers', 0);
		INSERT INTO account (id, customer, environment, settings) VALUES ('a', 'c', 'production', '{}');
		INSERT INTO pull (account, id, created_at, written, lease) VALUES ('a', 'pull_old', 1000, 1, 0), ('a', 'pull_cut', 2000, 0, 9999999999999);
		INSERT INTO action (account, booking, seq, name, at, by_whom, note, snapshot, pull) VALUES
			('a', 'b1', 1, 'confirmed', 100, 'ana', '', '{"id":"b1"}', 'pull_gone'),
			('a', 'b1', 2, 'issued', 300, 'ana', '', '{"id":"b1"}', 'pull_old'),
			('a', 'b1', 3, 'refund_pending', 310, 'ana', '', '{"id":"b1"}', 'pull_old'),
			('a', 'b2', 1, 'confirmed', 200, 'ana', '', '{"id":"b2"}', 'pull_old'),
			('a', 'b2', 2, 'cancelled', 400, 'ana', '', '{"id":"b2"}', 'pull_cut'),
			('a', 'b3', 1, 'confirmed', 350, 'ana', '', '{"id":"b3"}', '');`
	storetest.EachEmptyURL(t, func(t *testing.T, url string) {
		makeBefore(t, url, 6, past)
		db, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		in, now := db.In(gangway.Scope{Account: "a"}), time.UnixMilli(5000)
		content := func(id string) string {
			part, err := in.PullPart(t.Context(), id, 0, 100)
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, b := range part {
				text += b.Booking
				for _, a := range b.Actions {
					text += " " + string(a.Name)
				}
				text += "; "
			}
			return text
		}
		if got := content("pull_old"); got != "b2 confirmed; b1 issued refund_pending; " {
			t.Errorf("the earlier pull brings %s", got)
		}
		pulls, err := in.Pulls(t.Context(), now, 10)
		if err != nil || len(pulls) != 1 ||
			pulls[0] != (store.Pull{ID: "pull_old", CreatedAt: time.UnixMilli(1000).UTC(), Bookings: 2, Actions: 3}) {
			t.Errorf("pulls = %+v, %v", pulls, err)
		}
		found, err := in.BeginPull(t.Context(), store.PullAsk{ID: "mine", Named: true, Limit: 10, Now: now})
		if got := content("mine"); err != nil || !found || got != "b3 confirmed; b2 cancelled; " {
			t.Errorf("what waited: %s, %v; want what was not handed out, and what was not written", got, err)
		}
	})
}

// makeBefore creates a database as it was before migration n, with content.
func makeBefore(t *testing.T, url string, n int, content string) {
	t.Helper()
	all, err := store.Migrations(url)
	if err != nil {
		t.Fatal(err)
	}
	driver, kind, begin := "pgx", goose.DialectPostgres, `DROP SCHEMA public CASCADE; CREATE SCHEMA public`
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		url, driver, kind, begin = file, "sqlite", goose.DialectSQLite3, ""
	}
	db, err := sql.Open(driver, url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), begin); err != nil { // it may be a copy with the newest schema
		t.Fatal(err)
	}
	names, err := fs.Glob(all, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, name := range names {
		text, err := fs.ReadFile(all, name)
		if err != nil {
			t.Fatal(err)
		}
		var number int
		if fmt.Sscanf(name, "%d_", &number); number < n {
			files[name] = &fstest.MapFile{Data: text}
		}
	}
	p, err := goose.NewProvider(kind, db, files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	for statement := range strings.SplitSeq(content, ";\n") {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}
