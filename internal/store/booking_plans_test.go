package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// manyBookings is enough for a planner to prefer indexes.
const manyBookings = 20_000

// ofSubquery is how plans describe reading the few rows of a subquery;
// byIndexAlone are the lists for which hundreds of bookings are looked at.
var (
	ofSubquery   = regexp.MustCompile(`SCAN (CONSTANT|counted|listed)|Filter: \((listed\S*\.)?value IS NOT NULL\)|` + ofFew)
	byIndexAlone = regexp.MustCompile(
		`^(several|find a name, range ([789]|10)|vessel|who booked|from|to|days|newest|state),`)
)

// ofFew are conditions on bookings that need somebody, which are few.
const ofFew = `USE TEMP B-TREE FOR DISTINCT|Sort  [^\n]*\n *Sort Key: counted\.what[^\n]*|Filter: [^\n]*(needs <>|issues_at|departs >=)[^\n]*`

// TestBookingPlans holds that no list or count reads all bookings of an account or
// sorts them: each is a range of an index, in its order. Bookings that are looked
// at before they are shown are read from the index alone.
func TestBookingPlans(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		in := db.In(storetest.Account(t, db).Scope())
		beside := raw(t, url)
		fillBookings(t, beside, in.Scope().Account)
		for _, s := range []string{
			`INSERT INTO booking_trace (account, mark, id) SELECT account, CAST(substr(id, 2) AS BIGINT) / 10, id FROM booking`,
			`INSERT INTO booking_ending (account, booking, ending, at, seen_at) SELECT account, id, 'released', created_at, CASE WHEN attention > 0 THEN 0 ELSE 1 END FROM booking`,
			`INSERT INTO booking_reference (account, reference, booking) SELECT account, 'PNR' || CAST(substr(id, 2) AS BIGINT) / 10, id FROM booking`, `ANALYZE`} {
			must(t, did(beside.ExecContext(t.Context(), s)))
		}
		explain := explainSQLite
		if strings.HasPrefix(url, "postgres") {
			explain = explainPostgres
		}
		check := func(t *testing.T) {
			for name, s := range in.BookingStatements() {
				plan := explain(t, db.Reader(), s)
				if strings.Contains(plan, "booking_locator_key") {
					continue // it is at most one row
				}
				for _, bad := range []string{"SCAN ", "TEMP B-TREE", "Seq Scan", "Sort", "Bitmap", "Filter"} {
					if strings.Contains(ofSubquery.ReplaceAllString(plan, ""), bad) {
						t.Errorf("%s: %s in\n%s\n%s", name, bad, s.Text, plan)
					}
				}
				if byIndexAlone.MatchString(name) && !strings.Contains(plan, "COVERING INDEX") &&
					!strings.Contains(plan, "Index Only Scan") {
					t.Errorf("%s: the rows are read, not an index alone:\n%s\n%s", name, s.Text, plan)
				}
			}
		}
		t.Run("with the planner's figures", check)
		if strings.HasPrefix(url, "sqlite:") { // PostgreSQL collects statistics by itself
			if _, err := beside.ExecContext(t.Context(),
				`DROP TABLE sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4`); err != nil {
				t.Fatal(err)
			}
			t.Run("without", check)
		}
	})
}

// fillBookings gives the account many bookings, without their documents.
func fillBookings(t *testing.T, db *sql.DB, account string) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), `
		INSERT INTO booking (account, id, locator, state, version, passenger, vessel, change_key, search, request, sub_request, departs, tickets,
			created_at, created_by, acted_at, ticket_by, hold_until, check_at, doc, deadline, attention)
		WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < $2)
		SELECT $1, 'b' || n, 'L' || n, CASE n % 50 WHEN 0 THEN 'approval_required' WHEN 1 THEN 'confirmed' ELSE 'issued' END, 1,
			substr('abcdefghijklmnopqrst', CAST(n % 20 AS INTEGER) + 1, 1) || (n % 977), 'vessel ' || (n % 97), 'id:' || (n / 20), 's' || (n / 20), '', '',
			'2026-' || (10 + n % 3) || '-' || (10 + n % 18), '217' || n, CAST(n AS BIGINT) * 60000, 'person' || (n % 30), 0, 0, 0, 0, '{}',
			CASE WHEN n % 50 < 2 THEN CAST(n AS BIGINT) ELSE 0 END, CASE WHEN n % 400 = 0 THEN CAST(n AS BIGINT) ELSE 0 END
		FROM number`, account, manyBookings)
	must(t, err)
	for _, s := range []string{
		`INSERT INTO booking_ticket (account, number, booking) SELECT account, tickets, id FROM booking`, `VACUUM`,
		`ANALYZE`} {
		must(t, did(db.ExecContext(t.Context(), s)))
	}
}

func explainSQLite(t *testing.T, db *sql.DB, s store.Statement) string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+s.Text, s.Args...)
	if err != nil {
		t.Fatalf("%v in %s", err, s.Text)
	}
	defer rows.Close()
	var plan strings.Builder
	for rows.Next() {
		var id, parent, unused int
		var detail string
		must(t, rows.Scan(&id, &parent, &unused, &detail))
		fmt.Fprintln(&plan, detail)
	}
	return plan.String()
}

// explainPostgres returns the plan for arbitrary arguments, which PostgreSQL ends
// up with for a statement that is prepared once.
func explainPostgres(t *testing.T, db *sql.DB, s store.Statement) string {
	t.Helper()
	conn := sure(db.Conn(t.Context()))(t)
	defer conn.Close()
	defer conn.ExecContext(context.WithoutCancel(t.Context()), `DEALLOCATE asked`)
	for _, set := range []string{`SET plan_cache_mode = force_generic_plan`, `PREPARE asked AS ` + s.Text} {
		if _, err := conn.ExecContext(t.Context(), set); err != nil {
			t.Fatalf("%v in %s", err, set)
		}
	}
	words := make([]string, len(s.Args))
	for i, a := range s.Args {
		words[i] = fmt.Sprintf("'%v'", a)
		switch a := a.(type) {
		case []string:
			words[i] = "'{" + strings.Join(a, ",") + "}'"
		case []int64:
			words[i] = "'{" + strings.Trim(fmt.Sprint(a), "[]") + "}'"
		}
	}
	given := ""
	if len(words) > 0 {
		given = ` (` + strings.Join(words, ", ") + `)`
	}
	rows, err := conn.QueryContext(t.Context(), `EXPLAIN EXECUTE asked`+given)
	if err != nil {
		t.Fatalf("%v in %s", err, s.Text)
	}
	defer rows.Close()
	var plan strings.Builder
	for rows.Next() {
		var l string
		must(t, rows.Scan(&l))
		fmt.Fprintln(&plan, l)
	}
	return plan.String()
}
