package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/odata"
	"gangway/internal/report/odata/odatatest"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// changes reads what has changed since a mark, in pages of limit rows: the keys of the rows that match and of
// those that do not. It returns the next mark.
func changes(t *testing.T, in store.Scoped, q *odata.Query, since, limit int64) (in1, out []string, mark int64) {
	t.Helper()
	req := query.Request{Query: q, Limit: limit, Changes: &query.Changes{Since: since}}
	for first := true; ; first = false {
		n, last := int64(0), query.Position(nil)
		answer := store.ReportAnswer{Row: func(r query.Row) error {
			key := fmt.Sprint(r.Key()[0])
			if n++; r.Matches() {
				in1 = append(in1, key)
			} else {
				out = append(out, key)
			}
			last = r.Position()
			return nil
		}}
		if first {
			answer.Mark = func(m int64) { mark = m }
		}
		must(t, in.Report(t.Context(), req, answer))
		if limit == 0 || n < limit {
			return in1, out, mark
		}
		after := sure(query.ParseChange(q, last.Text()))(t)
		req.Changes = &query.Changes{Since: since, After: after}
	}
}

// TestWhichChangesMatch compares, for random queries, the changed rows that match with what the query
// answers: all rows have changed.
func TestWhichChangesMatch(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		random := rand.New(rand.NewPCG(*reportSeed, 2))
		rows := randomRows(random, 60)
		in := db.In(storetest.Account(t, db).Scope())
		for _, one := range []store.Scoped{in, db.In(storetest.Account(t, db).Scope())} { // nothing is from the other
			must(t, one.SaveReportRows(t.Context(), rows))
		}
		set := query.Schema.Sets[0]
		g := odatatest.Generator{Rand: random, Set: set,
			Data: inEvaluator(map[string][]report.Row{set.Name: rows})}
		for asked := 0; asked < 150; {
			text := g.Query()
			req, err := odata.Parse(query.Schema, set.Name, text, odata.Options{Now: now})
			if errors.As(err, new(*odata.Error)) || !query.Tracks(req.Query) {
				continue
			}
			asked++
			var want []string
			plain := *req.Query
			plain.Count = false
			if plain.Select == nil {
				plain.Select = plain.Row.Properties
			}
			plain.Select = append([]*odata.Property{set.Key[0]}, plain.Select...)
			err = in.Report(t.Context(), query.Request{Query: &plain}, store.ReportAnswer{Row: func(r query.Row) error {
				want = append(want, fmt.Sprint(r.Value(0)))
				return nil
			}})
			must(t, err)
			got, out, _ := changes(t, in, req.Query, 0, 17)
			if len(got)+len(out) != len(rows) {
				t.Fatalf("%s: %d rows have changed; want %d", text, len(got)+len(out), len(rows))
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q match among the changes; want %q", text, got, want)
			}
		}
	})
}

// TestNoChangeIsMissed holds that whoever asks for changes gets those of transactions that were under way
// when the mark was given. Some come twice where others write to the same server for long.
func TestNoChangeIsMissed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		q := asked(t, "FlightBookingDetailed", "$filter=State eq 'issued'").Query
		rows := randomRows(rand.New(rand.NewPCG(1, 3)), 4)
		state := slices.IndexFunc(report.FlightBookings.Columns,
			func(c report.Column) bool { return c.Name == "State" })
		for i, s := range []gangway.State{gangway.Issued, gangway.Issued, gangway.Confirmed, gangway.Issued} {
			rows[i][0], rows[i][state] = fmt.Sprint("B", i), string(s)
		}
		must(t, in.SaveReportRows(t.Context(), rows[:2]))
		mark := int64(0)
		err := in.SaveReportRowsMeanwhile(t.Context(), rows[2:], func() {
			var seen []string
			seen, _, mark = changes(t, in, q, 0, 0)
			if !slices.Equal(seen, []string{"B0", "B1"}) {
				t.Errorf("while others are written there are %v", seen)
			}
		})
		must(t, err)
		matching, out, next := changes(t, in, q, mark, 1)
		if !slices.Contains(matching, "B3") || !slices.Equal(out, []string{"B2"}) {
			t.Errorf("since then %v match and %v do not; want B3, and B2", matching, out)
		}
		rows[0][state] = string(gangway.Cancelled)
		must(t, in.SaveReportRows(t.Context(), rows[:1]))
		matching, out, next = changes(t, in, q, next, 0)
		if slices.Contains(matching, "B0") || !slices.Contains(out, "B0") {
			t.Errorf("after another change %v match and %v do not; want B0 among these", matching, out)
		}
		matching, out, _ = changes(t, in, q, next, 0)
		if t.Name() == "TestNoChangeIsMissed/sqlite" && len(matching)+len(out) > 0 {
			t.Errorf("without a change there are %v and %v", matching, out)
		}
	})
}
