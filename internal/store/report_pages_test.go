package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// asked reads a request for the report's bookings, its options written plainly.
func asked(t *testing.T, path, options string) *odata.Request {
	t.Helper()
	options = strings.NewReplacer("%3D", "=", "%26", "&", "%24", "$").Replace(url.QueryEscape(options))
	req := sure(odata.Parse(query.Schema, path, options, odata.Options{Now: now}))(t)
	return req
}

// reported returns the rows that a request is answered with.
func reported(t *testing.T, in store.Scoped, req query.Request) (rows []string, last query.Position) {
	t.Helper()
	err := in.Report(t.Context(), req, store.ReportAnswer{Row: func(r query.Row) error {
		rows, last = append(rows, string(r.AppendMembers(nil))), r.Position()
		return nil
	}})
	must(t, err)
	return rows, last
}

// TestPagesWhileRowsAreAdded reads all rows in pages, in orders with many nulls and ties, while
// others are added before and behind the page that is read: none of those that were there from the
// beginning is missing, and none comes twice.
func TestPagesWhileRowsAreAdded(t *testing.T) {
	orders := []string{"PriceTotal", "PriceTotal desc", "DepartureAt desc", "State,PriceTotal desc",
		"NoShow desc,State", "CreatedAt", "RefundTotal desc,DepartureAt,State desc", "tolower(VesselName) desc"}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		random := rand.New(rand.NewPCG(3, 4))
		for _, order := range orders {
			in := db.In(storetest.Account(t, db).Scope())
			rows := randomRows(random, 150)
			must(t, in.SaveReportRows(t.Context(), rows[:100]))
			all := asked(t, "FlightBookingDetailed", "$select=BookingId&$orderby="+order).Query
			req := query.Request{Query: all, Limit: 7}
			seen := map[string]int{}
			for page := 0; ; page++ {
				got, last := reported(t, in, req)
				for _, id := range got {
					seen[id]++
				}
				if len(got) < 7 {
					break
				}
				req.After, req.Given = last, req.Given+7
				if page < 10 {
					must(t, in.SaveReportRows(t.Context(), rows[100+5*page:105+5*page]))
				}
			}
			for i, row := range rows {
				id := string(report.Column{Name: "BookingId"}.AppendJSON([]byte(`"BookingId":`), row[0]))
				if n := seen[id]; n > 1 || n == 0 && i < 100 {
					t.Errorf("by %s, row %d, %s, comes %d times", order, i, id, n)
				}
			}
		}
	})
}

// TestForcedEmissions holds that an account that reports emissions with radiative forcing gets them
// in whole rows, in columns and in sums alike.
func TestForcedEmissions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		createBooking(t, in, "B1", func(b *gangway.Booking) {
			b.Emissions.CO2eKg, b.Emissions.CO2eRFKg = 100.5, 190.25
			b.Locator = `"Co2EmissionsKg":7,`
		})
		for _, c := range []struct {
			forced bool
			want   string
		}{{false, "100.5"}, {true, "190.25"}} {
			storetest.Settings(t, in, gangway.Settings{RadiativeForcing: c.forced})
			for options, want := range map[string]string{
				"$top=1":                 `,"Co2EmissionsKg":` + c.want + `,"MileageKm":`,
				"$select=Co2EmissionsKg": `"Co2EmissionsKg":` + c.want,
				"$filter=Co2EmissionsKg eq " + c.want + "&$select=State": `"State":"`,
				"$apply=aggregate(Co2EmissionsKg with sum as Sum)":       `"Sum":` + c.want,
			} {
				rows, _ := reported(t, in, query.Request{Query: asked(t, "FlightBookingDetailed", options).Query})
				if len(rows) != 1 || !strings.Contains(rows[0], want) {
					t.Errorf("forced %v, %s: %v; want %s", c.forced, options, rows, want)
				}
			}
		}
	})
}

// TestOneRow looks a booking up by its key.
func TestOneRow(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in, other := db.In(storetest.Account(t, db).Scope()), db.In(storetest.Account(t, db).Scope())
		createBooking(t, in, "B1", nil)
		req := asked(t, "FlightBookingDetailed('B1')", "$select=BookingId")
		one := query.Request{Query: req.Query, Path: req.Path}
		if rows, _ := reported(t, in, one); !slices.Equal(rows, []string{`"BookingId":"B1"`}) {
			t.Errorf("B1 is %v", rows)
		}
		if rows, _ := reported(t, other, one); len(rows) > 0 {
			t.Errorf("another account has %v", rows)
		}
	})
}

// TestHeavyReports holds that the largest requests that are read are answered, and that one that
// takes too long ends when nobody waits any more.
func TestHeavyReports(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		must(t, in.SaveReportRows(t.Context(), randomRows(rand.New(rand.NewPCG(5, 6)), 20)))
		nested, doubled := "PriceTotal", "$apply=compute(PriceTotal add 1 as C0)"
		for range 45 {
			nested = "case(NoShow:" + nested + ")"
		}
		pipeline := "$apply=compute(State as S0)"
		for i := range 199 {
			pipeline += fmt.Sprintf("/compute(S%d as S%d)", i, i+1)
		}
		for i := range 15 {
			doubled += fmt.Sprintf("/compute(C%d sub C%[1]d add 1 as C%d)", i, i+1)
		}
		deep := strings.Repeat("not (", 45) + "State eq 'x'" + strings.Repeat(")", 45)
		long := make([]string, 9000)
		for i := range long {
			long[i] = fmt.Sprintf("'%d'", i)
		}
		for name, options := range map[string]string{
			"many alternatives": "$filter=" + strings.Repeat("State eq 'x' or ", 1600) + "State eq 'y'",
			"a deep condition":  "$filter=" + deep,
			"a deep number":     "$orderby=" + nested + " desc",
			"a long list":       "$filter=State in (" + strings.Join(long, ",") + ")",
			"a long pipeline":   pipeline + "&$filter=S199 ne 'x'&$select=S199",
			"doubling":          doubled + "&$orderby=C15&$select=C15",
		} {
			req := query.Request{Query: asked(t, "FlightBookingDetailed", options).Query, Limit: 10}
			began := time.Now()
			_, last := reported(t, in, req)
			if req.After = last; last != nil {
				reported(t, in, req)
			}
			t.Logf("%s: %v", name, time.Since(began))
		}
		ctx, cancel := context.WithCancel(t.Context())
		enough := errors.New("enough")
		err := in.Report(ctx, query.Request{Query: asked(t, "FlightBookingDetailed", "").Query},
			store.ReportAnswer{Row: func(query.Row) error { cancel(); return enough }})
		if !errors.Is(err, enough) {
			t.Errorf("a reader who stops is told %v", err)
		}
		if err := in.Report(ctx, query.Request{Query: asked(t, "FlightBookingDetailed", "").Query}, store.ReportAnswer{
			Row: func(query.Row) error { return nil }}); !errors.Is(err, context.Canceled) {
			t.Errorf("a reader who has left is told %v", err)
		}
	})
}

// TestWithoutCollation holds that a PostgreSQL without a collation that knows letters gives the same
// texts in lower and upper case.
func TestWithoutCollation(t *testing.T) {
	db := storetest.Postgres(t)
	in := db.In(storetest.Account(t, db).Scope())
	rows := randomRows(rand.New(rand.NewPCG(7, 8)), 200)
	must(t, in.SaveReportRows(t.Context(), rows))
	req := query.Request{Query: asked(t, "FlightBookingDetailed",
		"$compute=tolower(State) as L,toupper(State) as U&$select=L,U,BookingId").Query}
	with, _ := reported(t, in, req)
	db.WithoutCollations()
	if without, _ := reported(t, in, req); len(with) != 200 || !slices.Equal(without, with) {
		t.Errorf("%v\nwant\n%v", without, with)
	}
}
