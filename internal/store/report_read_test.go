package store_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/need"
	"gangway/internal/report"
	"gangway/internal/report/odata"
	"gangway/internal/report/odata/odatatest"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/go-json-experiment/json/jsontext"
)

var reportSeed = flag.Uint64("report-seed", 11, "which random queries")

// now is what now() is in the queries of tests.
var now = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// TestSameAnswers asks SQLite, PostgreSQL and the evaluator in memory the same random queries about
// the same rows of all sets, some in pages, and compares the answers byte by byte.
func TestSameAnswers(t *testing.T) {
	random := rand.New(rand.NewPCG(*reportSeed, 1))
	rows := randomSets(random, 300)
	databases, data := map[string]store.Scoped{}, map[string]odatatest.Data{}
	for name, db := range map[string]*store.DB{"SQLite": storetest.New(t), "PostgreSQL": storetest.Postgres(t)} {
		account := storetest.Account(t, db)
		for _, row := range rows[report.FlightBookings.Name] { // whose customer each database calls differently
			row[tenantColumn] = account.Customer.ID
		}
		in := db.In(account.Scope())
		for _, one := range []store.Scoped{in, db.In(storetest.Account(t, db).Scope())} { // nothing is from the other
			for _, set := range report.Sets {
				must(t, one.SaveReportRowsOf(t.Context(), set, rows[set.Name]))
			}
		}
		databases[name], data[name] = in, inEvaluator(rows)
	}
	asked, refused, found, failed := 0, 0, 0, 0
	for queries := need.Count("QUERIES", 200); asked < queries; {
		set := query.Schema.Sets[0]
		if random.IntN(2) == 0 {
			set = query.Schema.Sets[random.IntN(len(query.Schema.Sets))]
		}
		g := odatatest.Generator{Rand: random, Set: set, Data: data["SQLite"]}
		path, from := set.Name, (*origin)(nil)
		if random.IntN(6) == 0 {
			if from = randomOrigin(random, data["SQLite"], set); from != nil {
				path, g.Set = from.path, from.by.Target
			}
		}
		text := g.Query()
		req, err := odata.Parse(query.Schema, path, text, odata.Options{Now: now})
		if errors.As(err, new(*odata.Error)) {
			refused++
			continue
		}
		asked++
		limit := int64(0)
		if random.IntN(3) == 0 {
			limit = 20 + random.Int64N(200)
			if random.IntN(10) == 0 {
				limit = 1 + random.Int64N(10)
			}
		}
		for name, in := range databases {
			all := data[name].Rows[req.Query.Set]
			if from != nil {
				all = data[name].Linked(from.by, from.row)
			}
			want := inMemory(data[name], req.Query, all)
			got, err := inPages(t, in, req, limit)
			if len(want) > 40 {
				found++
			}
			if err == nil && got == want {
				continue
			}
			list, _ := in.ReportStatements(t.Context(), query.Request{Query: req.Query})
			statement := list[0]
			plain, _ := url.QueryUnescape(text)
			t.Errorf("%s, in pages of %d: %s?%s\n%s\n%q\nerror: %v\n%s", name, limit, path, plain,
				statement.Text[strings.Index(statement.Text, "account = $1"):], statement.Args, err,
				difference(got, want))
			if failed++; failed > 10 {
				t.Fatal("and so on")
			}
		}
	}
	t.Logf("%d queries were asked, %d of the answers are not empty; %d more were refused", asked, found, refused)
	if found < asked {
		t.Errorf("only %d of %d answers have rows", found, 2*asked)
	}
}

// An origin is a row that a path begins with, and what it leads on by.
type origin struct {
	path string
	row  odatatest.Record
	by   *odata.Navigation
}

// randomOrigin returns an origin in a set, or nil if its rows lead to no others.
func randomOrigin(r *rand.Rand, d odatatest.Data, set *odata.EntitySet) *origin {
	var many []*odata.Navigation
	for _, n := range set.Navigations {
		if n.Many {
			many = append(many, n)
		}
	}
	if len(many) == 0 {
		return nil
	}
	o := &origin{row: d.Rows[set][r.IntN(len(d.Rows[set]))], by: many[r.IntN(len(many))]}
	var key []string
	for _, k := range set.Key {
		value := fmt.Sprint(o.row[k.Name])
		if k.Type.Kind == odata.String {
			value = "'" + strings.ReplaceAll(value, "'", "''") + "'"
		}
		key = append(key, k.Name+"="+url.PathEscape(value))
	}
	o.path = set.Name + "(" + strings.Join(key, ",") + ")/" + o.by.Name
	return o
}

// inMemory answers a query by the evaluator: the count, and then each row on a line.
func inMemory(d odatatest.Data, q *odata.Query, rows []odatatest.Record) string {
	answer := d.AnswerOver(q, rows)
	var b strings.Builder
	if q.Count {
		fmt.Fprintf(&b, "%d\n", answer.Count)
	}
	for _, r := range answer.Rows {
		b.WriteString(recordText(q, r) + "\n")
	}
	return b.String()
}

// recordText writes a row of the evaluator, and what it leads to, as a database does.
func recordText(q *odata.Query, r odatatest.Record) string {
	var members []string
	for _, p := range query.Shown(q) {
		members = append(members, fmt.Sprintf("%q:%s", p.Name, valueText(p, r[p.Name])))
	}
	for _, e := range q.Expand {
		if n, counted := r[e.Navigation.Name].(int); counted {
			members = append(members, fmt.Sprintf("%q:%d", e.Navigation.Name+"@count", n))
			continue
		}
		to, inner := r[e.Navigation.Name].(odatatest.Result), *e.Query
		if e.Form == odata.ExpandReferences {
			inner.Select = inner.Set.Key
		}
		if inner.Count {
			members = append(members, fmt.Sprintf("%q:%d", e.Navigation.Name+"@count", to.Count))
		}
		var rows []string
		for _, one := range to.Rows {
			rows = append(rows, recordText(&inner, one))
		}
		members = append(members, fmt.Sprintf("%q:[%s]", e.Navigation.Name, strings.Join(rows, ",")))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// valueText writes a value of the evaluator.
func valueText(p *odata.Property, v any) []byte {
	switch v := v.(type) {
	case bool:
		return fmt.Append(nil, v)
	case string:
		text, _ := jsontext.AppendQuote(nil, v)
		return text
	case *big.Int:
		text := new(big.Rat).SetFrac(v, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(p.Type.Scale)),
			nil)).FloatString(p.Type.Scale)
		if p.Type.Scale > 0 {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		return []byte(text)
	case time.Time:
		if p.Type.Kind == odata.Date {
			return []byte(v.Format(`"` + time.DateOnly + `"`))
		}
		return []byte(v.Format(`"` + time.RFC3339Nano + `"`))
	}
	return []byte("null")
}

// inPages answers a query by a database, in pages of limit rows if that is not 0, each going on where
// the link of the last one says.
func inPages(t *testing.T, in store.Scoped, asked *odata.Request, limit int64) (string, error) {
	t.Helper()
	var b bytes.Buffer
	q := asked.Query
	req := query.Request{Query: q, Path: asked.Path, Limit: limit}
	for {
		var rows []readRow
		last := query.Position(nil)
		err := in.ReadReport(t.Context(), func(read *store.ReportReading) error {
			err := read.Answer(req, store.ReportAnswer{
				Count: func(n int64) error {
					if req.Given == 0 {
						fmt.Fprintln(&b, n)
					}
					return nil
				},
				Row: func(r query.Row) error {
					rows = append(rows, readRowOf(q, r))
					last = r.Position()
					return nil
				},
			})
			if err != nil {
				return err
			}
			texts, err := withRelated(read, q, rows)
			for _, text := range texts {
				b.WriteString(text + "\n")
			}
			return err
		})
		if err != nil || limit == 0 || int64(len(rows)) < limit {
			return b.String(), err
		}
		req.Given += int64(len(rows))
		if req.After, err = query.ParsePosition(q, last.Text()); err != nil {
			return b.String(), fmt.Errorf("%s: %w", last.Text(), err)
		}
	}
}

// A readRow is a row of a database: its members, and from where each expanded navigation property leads.
type readRow struct {
	members string
	leads   [][]any
}

func readRowOf(q *odata.Query, r query.Row) readRow {
	row := readRow{members: string(r.AppendMembers(nil))}
	for i := range q.Expand {
		row.leads = append(row.leads, r.Leads(i))
	}
	return row
}

// withRelated writes rows with what they lead to.
func withRelated(read *store.ReportReading, q *odata.Query, rows []readRow) ([]string, error) {
	texts := make([]string, len(rows))
	for i, r := range rows {
		texts[i] = "{" + r.members
	}
	for i, e := range q.Expand {
		inner := *e.Query
		req := query.Request{Query: &inner, Linked: &query.Linked{By: e.Navigation}}
		for _, r := range rows {
			req.Linked.From = append(req.Linked.From, r.leads[i])
		}
		if inner.Count || e.Form == odata.ExpandCount {
			counts, err := read.LinkedCounts(req)
			if err != nil {
				return nil, err
			}
			for o, n := range counts {
				texts[o] += fmt.Sprintf(",%q:%d", e.Navigation.Name+"@count", n)
			}
		}
		if e.Form == odata.ExpandCount {
			continue
		}
		if e.Form == odata.ExpandReferences {
			inner.Select = inner.Set.Key
		}
		var related []readRow
		var origins []int
		err := read.Linked(req, func(r query.Row) error {
			related, origins = append(related, readRowOf(&inner, r)), append(origins, r.Origin())
			return nil
		})
		if err != nil {
			return nil, err
		}
		inside, err := withRelated(read, &inner, related)
		if err != nil {
			return nil, err
		}
		lists := make([][]string, len(rows))
		for n, o := range origins {
			lists[o] = append(lists[o], inside[n])
		}
		for o := range texts {
			texts[o] += fmt.Sprintf(",%q:[%s]", e.Navigation.Name, strings.Join(lists[o], ","))
		}
	}
	for i := range texts {
		texts[i] += "}"
	}
	return texts, nil
}

// difference returns the first lines that differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		a, b := "(nothing)", "(nothing)"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("line %d of %d is  %s\nwant of %d lines %s", i, len(g), a, len(w), b)
		}
	}
	return "none"
}

var tenantColumn = slices.IndexFunc(report.FlightBookings.Columns,
	func(c report.Column) bool { return c.Name == "TenantId" })

// hardTexts are texts that databases are known to differ about.
var hardTexts = []string{"", " ", "a", "A", "b", "Ab", "aB", "ä", "Ä", "ß", "ẞ", "İ", "ı", "ſ", "K", "K", "Σ", "σ", "ς",
	"ǆ", "ǅ", "ﬁ", "e\u0301", "é", "日本", "𝔘", "😀", "\u00a0x\u2003", "\t\n x\r", "%", "_", "\\", "100%_\\", "O'Brien",
	"''", `"`, "a,b", "<&>", "\u2028", "\u200b", "Müller", "MULLER", "müller", "ẍ̈", "Ⅷ", "ⓐ", "Ꭰ", "ꭰ", "Ა", "ა", "null",
	"0", "-1"}

// randomRows returns rows of bookings.
func randomRows(r *rand.Rand, n int) []report.Row {
	rows := make([]report.Row, n)
	for i := range rows {
		rows[i] = randomRow(r, report.FlightBookings)
		rows[i][0] = fmt.Sprintf("%s%03d", hardTexts[r.IntN(len(hardTexts))], i)
	}
	return rows
}
