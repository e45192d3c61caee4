package store_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"gangway/internal/report"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// manyRows is how many rows each of two accounts has, enough for a planner to prefer indexes.
const manyRows = 20_000

// TestReportPlans holds of the queries that reports are measured by, and of the pages behind their
// first, that each is a range of an index in the order of its rows: none sorts, none reads the
// rows of all accounts, and none reads through a list for each row.
func TestReportPlans(t *testing.T) {
	const months = "CreatedAt ge 2025-03-01T00:00:00Z and CreatedAt lt 2025-06-01T00:00:00Z"
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprintf("'Anderson%d'", i*7)
	}
	queries := map[string]string{
		"among many":      "$filter=PassengerLastName in (" + strings.Join(names, ",") + ")&$top=1",
		"first page":      "$top=1000",
		"months, state":   "$filter=" + months + " and State eq 'issued'&$orderby=CreatedAt&$top=100",
		"months":          "$filter=" + months + "&$orderby=CreatedAt desc&$top=100",
		"contains":        "$filter=contains(PassengerLastName,'son77')&$top=1000",
		"newest, skipped": "$orderby=CreatedAt desc&$top=50&$skip=5000",
		"state and price": "$count=true&$filter=State eq 'issued' and PriceTotal gt 500&$top=100",
		"few columns":     "$select=BookingId,State,CreatedAt,PriceTotal,PriceCurrency&$top=1000",
		"departures":      "$orderby=DepartureAt&$top=100",
		"departed":        "$filter=DepartureAt ge 2025-03-01T00:00:00Z&$orderby=DepartureAt desc&$top=100",
		"cheapest issued": "$filter=State eq 'issued'&$orderby=CreatedAt desc&$top=100",
	}
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := sure(store.Open(t.Context(), url))(t)
		defer db.Close()
		in := db.In(storetest.Account(t, db).Scope())
		beside := raw(t, url)
		fillReport(t, beside, in.Scope().Account, manyRows)
		explain := explainSQLite
		if strings.HasPrefix(url, "postgres") {
			explain = explainPostgres
		}
		set := query.Schema.Sets[0]
		for name, text := range queries {
			req := query.Request{Query: asked(t, set.Name, text).Query, Limit: 1000}
			var last query.Position
			began, rows := time.Now(), 0
			count := func(int64) error { return nil }
			if err := in.Report(t.Context(), req, store.ReportAnswer{Count: count, Row: func(r query.Row) error {
				last, rows = r.Position(), rows+1
				return nil
			}}); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %d rows in %v", name, rows, time.Since(began))
			for _, after := range []query.Position{nil, last} {
				req.After = after
				list := sure(in.ReportStatements(t.Context(), req))(t)
				for _, s := range list {
					plan := withoutOwn.Replace(explain(t, db.Reports(), s))
					if (name == "contains" || name == "newest, skipped") && strings.HasPrefix(url, "postgres") &&
						!strings.Contains(plan, "Index Only Scan") {
						t.Errorf("%s: rows are read before it is known which are shown:\n%s", name, plan)
					}
					for _, bad := range []string{"SCAN ", "TEMP B-TREE", "Seq Scan", "Sort", "Function Scan"} {
						if strings.Contains(plan, bad) {
							t.Errorf("%s, behind %v: %s in\n%s\n%s", name, after, bad,
								s.Text[strings.Index(s.Text, "account = $1"):], plan)
						}
					}
				}
			}
		}
	})
}

// withoutOwn takes from a plan of SQLite what is gone through once: the list that a request has, and the keys that were
// found for a page.
var withoutOwn = strings.NewReplacer("SCAN json_each", "", "SCAN found", "")

// fillReport gives an account many rows of the report that belong to no bookings, over three years,
// and another one as many.
func fillReport(t testing.TB, db *sql.DB, account string, n int) {
	t.Helper()
	columns, values := "", ""
	for _, c := range report.FlightBookings.Columns {
		v := map[string]string{
			"booking_id": "'b' || substr('000000' || n, -6)", "locator": "'L' || n",
			"state":        "CASE n % 7 WHEN 0 THEN 'cancelled' WHEN 1 THEN 'confirmed' ELSE 'issued' END",
			"created_at":   "1704067200000 + CAST(n AS BIGINT) * 7919 % 100003 * 946080",
			"departure_at": "CASE WHEN n % 10 <> 0 THEN 1704967200000 + CAST(n AS BIGINT) * 7907 % 100003 * 946080 END",
			"price_total":  "CAST(n % 2000 AS BIGINT) * 1000", "price_currency": "'USD'",
			"passenger_last_name": "'Anderson' || (n % 1000)", "frequent_flyer_number_used": "n % 2",
		}[c.SQL]
		if c.SQL == "tenant_id" || v == "" {
			continue
		}
		columns, values = columns+", "+c.SQL, values+", "+v
	}
	if strings.Contains(fmt.Sprintf("%T", db.Driver()), "stdlib") {
		values = strings.ReplaceAll(values, "substr('000000' || n, -6)", "lpad(n::text, 6, '0')")
	}
	for _, s := range []string{fmt.Sprintf(`
		WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < %d)
		INSERT INTO report_booking (account, members, search, changed%s)
		SELECT a.account, '%s', 'anderson', 1%s
		FROM numbers CROSS JOIN (SELECT '%s' AS account UNION ALL SELECT 'other') AS a`,
		n, columns, strings.Repeat(`"Member":"value",`, 80), values, account), `ANALYZE`} {
		if s == `ANALYZE` && !strings.Contains(fmt.Sprintf("%T", db.Driver()), "stdlib") {
			continue // SQLite has never seen its rows, but is told of them by a migration
		}
		must(t, did(db.ExecContext(t.Context(), s)))
	}
}
