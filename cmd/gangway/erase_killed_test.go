package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
)

// An erasure that is killed between its portions has recorded in the audit log what it erased, and
// that it is not finished. Run again, it continues until nothing is left.
func TestTrialEraseIsKilled(t *testing.T) {
	need.Trial(t)
	storetest.EachURL(t, func(t *testing.T, database string) {
		r := newRecords(t, database)
		r.killDuring(r.erase()...)
		left := r.requests()
		killed := r.lastErasure()
		if gone := manyRecords - left; killed.After["finished"] != false || killed.After["records"] != float64(gone) ||
			killed.By.ID != "command" {
			t.Errorf("the audit log ends with %+v; want an erasure that is not finished, of the %d records that are "+
				"gone", killed, gone)
		}
		got := answer[erasedTraveller](t, r.erase()...)
		if got.Requests != left {
			t.Errorf("run again, it erased %+v; want the %d requests that were left", got, left)
		}
		if e := r.lastErasure(); e.After["finished"] != true || e.After["records"] != float64(got.Rows()) {
			t.Errorf("the audit log ends with %+v; want an erasure that is finished, of the %d records of the second "+
				"run", e, got.Rows())
		}
		nothingLeft(t, database)
	})
}

// The same applies to the removal of a customer. Until it is finished, commands say so, and nothing is
// added that the next run would delete.
func TestTrialRemovalIsKilled(t *testing.T) {
	need.Trial(t)
	storetest.EachURL(t, func(t *testing.T, database string) {
		r := newRecords(t, database)
		of := []string{"--database", database, "--customer", r.customer}
		preview := append([]string{"customer", "remove"}, of...)
		remove := append(preview, "--yes")
		key := answer[newCredential](t, append([]string{"key", "create", "--environment", "production"}, of...)...)
		answer[map[string]any](t, append([]string{"user", "create", "--email", "ana@halcyon.example", "--role",
			"admin"}, of...)...)
		r.killDuring(remove...)
		list := answer[[]listedCustomer](t, "account", "list", "--database", database)
		if len(list) != 1 || list[0].Removing.IsZero() {
			t.Errorf("the customers are %+v; want that it is still there, and being removed", list)
		}
		refused(t, "is being removed since", preview...)
		left := r.requests()
		for _, add := range [][]string{
			{"key", "create", "--environment", "production"},
			{"user", "create", "--email", "bea@halcyon.example", "--role", "booker"},
			{"user", "enable", "--email", "ana@halcyon.example"},
			{"outlet", "set", "--environment", "development", "--url", "https://93.184.215.14/flights"},
			{"account", "policy", "--environment", "production", "--keep", "24mo"},
		} {
			refused(t, "Halcyon Tankers is being removed: run gangway customer remove again", append(add, of...)...)
		}
		r.keepsOut(key)
		if got := answer[store.Belongings](t, remove...); got.Requests != left {
			t.Errorf("run again, it removed %+v; want the %d requests that were left", got, left)
		}
		if list := answer[[]map[string]any](t, "account", "list", "--database", database); len(list) != 0 {
			t.Errorf("the customers are %v; want none", list)
		}
		nothingLeft(t, database)
	})
}

// keepsOut tries to get in to a customer that is being removed, with a key and a password that an older
// version, which does not know about the removal, may have added since.
func (r *records) keepsOut(key newCredential) {
	r.t.Helper()
	const tideTables = "tide tables at noon"
	for query, args := range map[string][]any{
		`INSERT INTO credential (id, kind, account, shown, hash, created_at) VALUES ($1, 'api_key', $2, '', $3, 1)`: {key.Key,
			r.in.Scope().Account, access.HashKey(key.APIKey)},
		`INSERT INTO person (id, customer, email, name, role, password, created_at) VALUES ('usr_ana', $1, 'ana@halcyon.example', 'Ana', 'admin', $2, 1)`: {
			r.customer, access.HashPassword(tideTables)},
	} {
		must(r.t, did(r.operator.ExecContext(r.t.Context(), query, args...)))
	}
	p, app, base := serve(r.t, r.database)
	defer p.stop()
	before := r.requests()
	res, body, err := call(http.MethodPost, base+"/passenger", key.APIKey, []any{nobodyElse()})
	if res == nil || res.StatusCode != http.StatusUnauthorized {
		r.t.Errorf("an upload is answered %v, %s, %v; want 401", res, body, err)
	}
	res, err = http.PostForm(app+"/sign-in", url.Values{"email": {"ana@halcyon.example"},
		"password": {tideTables}})
	must(r.t, err)
	res.Body.Close()
	if res.StatusCode < 400 {
		r.t.Errorf("a sign-in is answered %s; want it refused", res.Status)
	}
	if n := r.count(`SELECT count(*) FROM traveller`); n != 0 || r.requests() != before {
		r.t.Errorf("%d travellers and %d requests are there; want none and %d", n, r.requests(), before)
	}
}

// An erasure that is killed after everything was deleted, but before its traces in the files were
// overwritten, overwrites them when it is run again.
func TestTrialErasureIsKilledAtItsEnd(t *testing.T) {
	need.Trial(t)
	storetest.EachURL(t, func(t *testing.T, database string) {
		r := newRecords(t, database)
		must(t, did(r.in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "E-4711"}, time.Now(),
			nil)))
		refused(t, "no such traveller", r.erase()...)
		nothingLeft(t, database)
	})
	storetest.EachURL(t, func(t *testing.T, database string) {
		r := newRecords(t, database)
		must(t, did(r.db.RemoveCustomer(t.Context(), storetest.Operator, r.customer, time.Now())))
		refused(t, "there is no customer", "customer", "remove", "--database", database, "--customer", r.customer,
			"--yes")
		nothingLeft(t, database)
	})
}

// records are a customer with so many records of one traveller that erasing them, or removing the
// customer, takes many portions.
type records struct {
	t        *testing.T
	db       *store.DB
	in       store.Scoped
	operator *sql.DB
	customer string
	database string
	postgres bool
}

const manyRecords = 8_000

func newRecords(t *testing.T, database string) *records {
	t.Helper()
	db := openStore(t, database)
	account := storetest.Account(t, db)
	r := &records{t: t, db: db, in: db.In(account.Scope()), operator: openSQL(t, database),
		customer: account.Customer.ID, database: database, postgres: strings.HasPrefix(database, "postgres")}
	named := gangway.Traveller{ID: "E-4711", LastName: "Żółkiewska-Quuxley", FirstName: "Bartłomieja",
		DOB: "1979-10-27", DocCountry: "PL", DocNumber: "ZQ773190X"}
	unnamed := named
	unnamed.ID = "" // found only by the passport, as long as the named record exists
	list := []gangway.TravelRequest{{RequestID: "R", Traveller: named}}
	for i := range manyRecords - 1 {
		list = append(list, gangway.TravelRequest{RequestID: fmt.Sprint("R", i), Traveller: unnamed})
	}
	must(t, did(r.in.UpsertTravelRequests(t.Context(), list)))
	finish(t, db.Trace)
	return r
}

// erase is the command that erases the traveller.
func (r *records) erase() []string {
	return []string{"traveller", "erase", "--database", r.database, "--customer", r.customer, "--environment",
		"production", "--id", "E-4711"}
}

// killDuring kills a command as soon as some of the requests are gone. On PostgreSQL, which is quick, it cannot end
// before: the last of them is locked.
func (r *records) killDuring(args ...string) {
	r.t.Helper()
	locking, err := r.operator.BeginTx(r.t.Context(), nil)
	must(r.t, err)
	defer locking.Rollback()
	if r.postgres {
		must(r.t, did(locking.ExecContext(r.t.Context(),
			`SELECT 1 FROM travel_request ORDER BY ctid DESC LIMIT 1 FOR UPDATE`)))
	}
	cmd := gangwayCommand(r.t, args...)
	must(r.t, cmd.Start())
	limit, done := context.WithTimeout(r.t.Context(), hang)
	defer done()
	for r.requests() == manyRecords && limit.Err() == nil {
	}
	cmd.Process.Kill()
	cmd.Wait()
	locking.Rollback()
	if r.postgres { // wait for a commit in progress
		if _, err := r.operator.ExecContext(r.t.Context(),
			`BEGIN; LOCK TABLE travel_request IN SHARE MODE; COMMIT`); err != nil {
			r.t.Fatal(err)
		}
	}
	if n := r.requests(); n == 0 || n == manyRecords {
		r.t.Fatalf("%d of %d requests were left when it was killed; want some", n, manyRecords)
	}
}

func (r *records) requests() (n int) { return r.count(`SELECT count(*) FROM travel_request`) }

// lastErasure is the latest entry of the audit log about an erasure.
func (r *records) lastErasure() gangway.AuditEntry {
	r.t.Helper()
	list, err := r.db.Audit(r.t.Context(), store.AuditQuery{What: gangway.TravellerErased, Newest: true}, 1)
	if err != nil || len(list) != 1 {
		r.t.Fatalf("the audit log has %+v, %v; want an erasure", list, err)
	}
	return list[0]
}

func (r *records) count(query string) (n int) {
	r.t.Helper()
	must(r.t, r.operator.QueryRowContext(r.t.Context(), query).Scan(&n))
	return n
}
