package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestCrewChangesThatDifferByCaseBecomeOne holds that the migration merges crew
// changes that differ only in how the vessel's name is written, and loses nobody
// who is planned, was dropped or is booked, nor a booker's move of the ship. Run
// again, it finds nothing to do.
func TestCrewChangesThatDifferByCaseBecomeOne(t *testing.T) {
	storetest.EachEmptyURL(t, func(t *testing.T, url string) {
		const key = "on:2026-12-01:PA:nordlys"
		old := olderCrewChanges(t, url)
		// as if a migration was interrupted before it was recorded
		for _, undo := range []string{`DELETE FROM goose_db_version WHERE version_id = 34`,
			`DELETE FROM schema_oldest WHERE version = 34`} {
			if err := store.MigrateTo(t.Context(), url, 34); err != nil {
				t.Fatal(err)
			}
			if _, err := old.ExecContext(t.Context(), undo); err != nil {
				t.Fatal(err)
			}
		}
		db, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		in := db.In(gangway.Scope{Account: "acc"})

		keys, err := in.CrewChangeKeys(t.Context(), "", "2026-01-01", "2026-12-31", 100)
		if want := []string{"id:CC-Nordlys", key, "on:2026-12-02::bjornoy"}; err != nil || !slices.Equal(keys, want) {
			t.Fatalf("crew changes: %q, %v; want %q", keys, err, want)
		}
		c, err := in.CrewChange(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := whoIsIn(c), "on: Ana Bea Cas off: Dan dropped: Eve Fay"; got != want || c.Vessel != "NORDLYS" {
			t.Errorf("%s has %s; want NORDLYS with %s", c.Vessel, got, want)
		}
		if place, date := c.Where(); place != "SIN" || date != "2026-12-03" {
			t.Errorf("the ship is at %s on %s; want where the booker moved it", place, date)
		}
		// older addresses, which people may have kept
		for _, k := range []string{key, "on:2026-12-01:PA:NORDLYS", "on:2026-12-01:PA:Nordlys"} {
			list, _, err := in.Bookings(t.Context(), store.BookingQuery{Change: k, Limit: 10})
			if err != nil || len(list) != 2 {
				t.Errorf("bookings of %s: %d, %v; want those of both", k, len(list), err)
			}
			if again, err := in.CrewChange(t.Context(), k); err != nil || again.Key() != key {
				t.Errorf("crew change %s: %s, %v", k, again.Key(), err)
			}
		}
		live, err := in.BookingsOfChanges(t.Context(), []string{key, "on:2026-11-20::gone"}, 10)
		if err != nil || len(live[key]) != 2 || len(live["on:2026-11-20::gone"]) != 1 {
			t.Errorf("bookings of crew changes: %d and %d, %v; want 2, and 1 of the one that was taken back",
				len(live[key]), len(live["on:2026-11-20::gone"]), err)
		}
		if s, err := in.Search(t.Context(), "s1"); err != nil || s.Change != key {
			t.Errorf("the search is of %q, %v; want %q", s.Change, err, key)
		}
		if at, err := in.BatchesUnderWay(t.Context()); err != nil || at[key].ID != "b1" {
			t.Errorf("batches under way: %v, %v; want that of the crew change", at, err)
		}
		// Its traces are made again: everybody in it is found, by either document.
		for more := true; more; {
			if more, err = db.Trace(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"Ana One", "Cas One", "Fay One"} {
			e, err := in.EraseTraveller(t.Context(), storetest.Operator, gangway.DataSubject{Name: name}, noon, nil)
			if err != nil || e.CrewChanges != 1 {
				t.Errorf("erase %s: %+v, %v; want the crew change", name, e, err)
			}
		}
		if left := countOf(t, old,
			`SELECT count(*) FROM crew_change_trace WHERE key IN ('on:2026-12-01:PA:Nordlys', 'on:2026-12-01:PA:NORDLYS', 'on:2026-12-02::BJØRNØY')`); left != 0 {
			t.Errorf("%d traces have an old key", left)
		}
		// The customer sends it in yet another case: it is the same.
		counts, err := in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{{Vessel: "nordLYS", Flag: "PA",
			ChangeDate: "2026-12-01", OnSigners: c.OnSigners[1:]}}, noon)
		if err != nil || counts.Updated != 1 {
			t.Errorf("sent again: %+v, %v; want one updated", counts, err)
		}
	})
}

// whoIsIn lists the members of a crew change.
func whoIsIn(c gangway.CrewChange) string {
	text := "on:"
	for _, m := range c.OnSigners {
		text += " " + m.FirstName
	}
	text += " off:"
	for _, m := range c.OffSigners {
		text += " " + m.FirstName
	}
	text += " dropped:"
	for _, d := range c.Dropped {
		text += " " + d.FirstName
	}
	return text
}

// olderCrewChanges fills a database as programs before migration 32 left it.
func olderCrewChanges(t *testing.T, url string) *sql.DB {
	t.Helper()
	if err := store.MigrateTo(t.Context(), url, 31); err != nil {
		t.Fatal(err)
	}
	db := raw(t, url)
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := db.ExecContext(context.Background(), query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	member := func(name string) string { return `{"first_name":"` + name + `","last_name":"One"}` }
	exec(`INSERT INTO customer (id, name, created_at) VALUES ('c', 'Halcyon Tankers', 1)`)
	exec(`INSERT INTO account (id, customer, environment, settings) VALUES ('acc', 'c', 'production', '{}')`)
	change := func(key, vessel, date, doc, dropped, moved string, version int) {
		exec(`INSERT INTO crew_change (account, key, vessel, change_date, doc, version, dropped, moved, traced) VALUES ('acc', $1, $2, $3, $4, $5, $6, $7, $8)`,
			key, vessel, date, doc, version, dropped, moved, version)
		exec(`INSERT INTO crew_change_trace (account, mark, key) VALUES ('acc', $1, $2)`, int64(version), key)
	}
	change("on:2026-12-01:PA:Nordlys", "nordlys", "2026-12-01",
		`{"vessel":"Nordlys","flag":"PA","change_date":"2026-12-01","onsigners":[`+member("Ana")+`,`+member("Cas")+
			`],"offsigners":[`+member("Dan")+`]}`,
		`[{"first_name":"Eve","last_name":"One","side":"on-signer","at":"2026-11-03T09:00:00Z"},{"first_name":"Bea","last_name":"One","side":"on-signer","at":"2026-11-01T09:00:00Z"}]`,
		`{"place":"SIN","date":"2026-12-03","sent":{"date":"2026-12-01"},"by":"ana@example.com","at":"2026-11-03T09:00:00Z"}`, 2)
	change("on:2026-12-01:PA:NORDLYS", "nordlys", "2026-12-01",
		`{"vessel":"NORDLYS","flag":"PA","change_date":"2026-12-01","onsigners":[`+member("Ana")+`,`+member("Bea")+`]}`,
		`[{"first_name":"Fay","last_name":"One","side":"off-signer","at":"2026-11-02T09:00:00Z"}]`, "", 3)
	change("on:2026-12-02::BJØRNØY", "bjornoy", "2026-12-02",
		`{"vessel":"BJØRNØY","change_date":"2026-12-02","onsigners":[`+member("Gus")+`]}`, "", "", 1)
	change("id:CC-Nordlys", "nordlys", "2026-12-01",
		`{"vessel":"Nordlys","travel_request_id":"CC-Nordlys","change_date":"2026-12-01","onsigners":[`+member("Hal")+
			`]}`, "", "", 1)
	for i, key := range []string{"on:2026-12-01:PA:Nordlys", "on:2026-12-01:PA:NORDLYS", "on:2026-11-20::Gone"} {
		exec(`INSERT INTO booking (account, id, locator, state, version, passenger, vessel, change_key, search, request, sub_request, departs, tickets, created_at, created_by,
				acted_at, ticket_by, hold_until, check_at, doc)
			VALUES ('acc', $1, $2, 'confirmed', 1, 'someone else', 'nordlys', $3, 's1', '', '', '2026-11-30', '', 1, 'ana@example.com', 1, 0, 0, 0, $4)`,
			fmt.Sprint("bk", i), fmt.Sprint("AAAAA", i), key, `{"id":"bk`+fmt.Sprint(i)+`","locator":"AAAAA`+
				fmt.Sprint(i)+`","state":"confirmed","passenger":{"last_name":"Someone","first_name":"Else"},"purpose":{"search":"s1","change":"`+key+`","vessel":"Nordlys"}}`)
	}
	exec(`INSERT INTO search (account, id, by_whom, created_at, doc) VALUES ('acc', 's1', 'ana@example.com', 1, '{"id":"s1","by":"ana@example.com","change":"on:2026-12-01:PA:NORDLYS","members":[]}')`)
	exec(`INSERT INTO batch (account, id, kind, search, by_id, by_whom, by_name, created_at, pending, lease, holder, change_key)
		VALUES ('acc', 'b1', 'book', 's1', 'p', 'ana@example.com', 'Ana', 1, 1, 0, '', 'on:2026-12-01:PA:NORDLYS')`)
	return db
}

func countOf(t *testing.T, db *sql.DB, query string) (n int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
