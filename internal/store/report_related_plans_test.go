package store_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestRelatedPlans holds that what rows lead to is found by an index for each row: no statement about related
// rows reads a table from its beginning.
func TestRelatedPlans(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := sure(store.Open(t.Context(), url))(t)
		defer db.Close()
		in := db.In(storetest.Account(t, db).Scope())
		beside := raw(t, url)
		fillReport(t, beside, in.Scope().Account, 12_500)
		fillRelated(t, beside)
		explain := explainSQLite
		if strings.HasPrefix(url, "postgres") {
			explain = explainPostgres
		}
		look := func(name string, related bool, req query.Request) {
			t.Helper()
			list := sure(in.ReportStatements(t.Context(), req))(t)
			for _, s := range list {
				plan := explain(t, db.Reports(), s)
				for line := range strings.Lines(plan) {
					ofTable := strings.Contains(line, "SCAN ") && !strings.Contains(line, "json_each") &&
						!strings.Contains(line, "SCAN r\n") && !strings.Contains(line, "(subquery")
					if ofTable || strings.Contains(line, "Seq Scan") {
						t.Errorf("%s: %s in\n%s\n%s", name, line, s.Text, plan)
					}
					ofAccount := strings.HasSuffix(line, "(account=?)\n")
					live := strings.Contains(line, "action_") || strings.Contains(line, "delivery_")
					if ofAccount && related && live {
						t.Errorf("%s: %s: all rows of the account in\n%s\n%s", name, line, s.Text, plan)
					}
				}
			}
		}
		for name, c := range map[string]struct{ path, options string }{
			"any":           {"FlightBookingDetailed", "$filter=Segments/any(s:s/Carrier eq 'QR')&$top=100"},
			"all":           {"FlightBookingDetailed", "$filter=Segments/all(s:s/Carrier ne 'AF')&$top=100"},
			"count":         {"FlightBookingDetailed", "$filter=Segments/$count gt 1&$top=100"},
			"to one":        {"Segments", "$filter=Booking/State eq 'issued'&$top=100"},
			"any action":    {"FlightBookingDetailed", "$filter=Actions/any(a:a/Action eq 'declined')&$top=100"},
			"any delivery":  {"FlightBookingDetailed", "$filter=Deliveries/any(d:d/Progress eq 'due')&$top=100"},
			"of a row":      {"FlightBookingDetailed('b000007')/Segments", "$orderby=Carrier"},
			"actions":       {"FlightBookingDetailed('b000007')/Actions", ""},
			"back":          {"Segments(BookingId='b000007',Number=1)/Booking", ""},
			"far":           {"Segments(BookingId='b000007',Number=1)/Booking/Actions(1)/Deliveries", ""},
			"nothing there": {"FlightBookingDetailed('x')/Segments", ""},
		} {
			req := asked(t, c.path, c.options)
			began, rows := time.Now(), 0
			one := sure(query.For(req))(t)
			err := in.Report(t.Context(), one, store.ReportAnswer{Row: func(query.Row) error { rows++; return nil }})
			must(t, err)
			t.Logf("%s: %d rows in %v", name, rows, time.Since(began))
			if name != "all" { // for which PostgreSQL may as well look through all flights once
				look(name, strings.Contains(c.path+c.options, "'"), one)
			}
		}
		for _, set := range query.Schema.Sets {
			for _, n := range set.Navigations {
				e := asked(t, set.Name, "$expand="+n.Name).Query.Expand[0]
				req := query.Request{Query: e.Query, Linked: &query.Linked{By: n}}
				for i := range 1000 {
					req.Linked.From = append(req.Linked.From, []any{fmt.Sprintf("b%06d", 10*i), int64(1)}[:len(n.On)])
				}
				began, rows := time.Now(), 0
				err := in.ReadReport(t.Context(), func(read *store.ReportReading) error {
					return read.Linked(req, func(query.Row) error { rows++; return nil })
				})
				must(t, err)
				name := "$expand of " + set.Name + "/" + n.Name
				t.Logf("%s: %d rows in %v", name, rows, time.Since(began))
				look(name, true, req)
			}
		}
	})
}

// fillRelated gives each booking of the report two flights, two actions and a delivery of each, and each tenth a
// refund.
func fillRelated(t testing.TB, db *sql.DB) {
	t.Helper()
	for _, s := range []string{`
		INSERT INTO report_segment (account, booking_id, number, state, created_at, leg, flight_number, carrier, origin,
			destination, search, members, changed, gone)
		SELECT account, booking_id, n.n, state, created_at, 1, 'QR1', CASE WHEN created_at % 3 = 0 THEN 'QR' ELSE 'KL' END,
			'MNL', 'AMS', '', '"BookingId":"x"', 1, 0
		FROM report_booking
		CROSS JOIN (SELECT 1 AS n UNION ALL SELECT 2) AS n`, `
		INSERT INTO report_refund (account, booking_id, asked_at, awaited, voided, search, members, changed, gone)
		SELECT account, booking_id, created_at, 0, 0, '', '"BookingId":"x"', 1, 0
		FROM report_booking
		WHERE created_at % 10 = 0`, `
		INSERT INTO action (account, booking, seq, name, at, by_whom, note, snapshot)
		SELECT account, booking_id, number, 'issued', created_at, 'ana@halcyon.example', '', '{}'
		FROM report_segment`, `
		INSERT INTO delivery (account, outlet, booking, seq, id, state, made_at, done_at, attempts)
		SELECT account, 'o1', booking, seq, 'd', 'done', at, at, 1
		FROM action`, `
		INSERT INTO attempt (account, outlet, booking, seq, at, took_ms, status, answer)
		SELECT account, outlet, booking, seq, made_at, 5, 200, ''
		FROM delivery`,
		`ANALYZE`, // as in fillReport
	} {
		if s == `ANALYZE` && !strings.Contains(fmt.Sprintf("%T", db.Driver()), "stdlib") {
			continue
		}
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%v in %s", err, s)
		}
	}
}
