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

	"gangway/internal/report"
	"gangway/internal/report/odata"
	"gangway/internal/report/odata/odatatest"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/go-json-experiment/json/jsontext"
)

var (
	reportQueries = flag.Int("report-queries", 2000, "how many random queries both databases are asked")
	reportSeed    = flag.Uint64("report-seed", 11, "which random queries")
)

// now is what now() is in the queries of tests.
var now = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// TestSameAnswers asks SQLite, PostgreSQL and the evaluator in memory the same random queries about
// the same rows, some in pages, and compares the answers byte by byte.
func TestSameAnswers(t *testing.T) {
	random := rand.New(rand.NewPCG(*reportSeed, 1))
	rows := randomRows(random, 300)
	set := query.Schema.Sets[0]
	databases, data := map[string]store.Scoped{}, map[string]odatatest.Data{}
	for name, db := range map[string]*store.DB{"SQLite": storetest.New(t), "PostgreSQL": storetest.Postgres(t)} {
		account := storetest.Account(t, db)
		for _, row := range rows { // whose customer each database calls differently
			row[tenantColumn] = account.Customer.ID
		}
		in := db.In(account.Scope())
		for _, one := range []store.Scoped{in, db.In(storetest.Account(t, db).Scope())} { // nothing is from the other
			if err := one.SaveReportRows(t.Context(), rows); err != nil {
				t.Fatal(err)
			}
		}
		databases[name] = in
		data[name] = odatatest.Data{Rows: map[*odata.EntitySet][]odatatest.Record{set: records(set, rows)}}
	}
	g := odatatest.Generator{Rand: random, Set: set, Rows: data["SQLite"].Rows[set]}
	asked, refused, found, failed := 0, 0, 0, 0
	for asked < *reportQueries {
		text := g.Query()
		req, err := odata.Parse(query.Schema, set.Name, text, odata.Options{Now: now})
		var bad *odata.Error
		if errors.As(err, &bad) || query.Supported(req.Query) != nil {
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
			want := inMemory(data[name], req.Query)
			got, err := inPages(t, in, req.Query, limit)
			if len(want) > 40 {
				found++
			}
			if err == nil && got == want {
				continue
			}
			list, _ := in.ReportStatements(t.Context(), query.Request{Query: req.Query})
			statement := list[0]
			plain, _ := url.QueryUnescape(text)
			t.Errorf("%s, in pages of %d: %s\n%s\n%q\nerror: %v\n%s", name, limit, plain,
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

// inMemory answers a query by the evaluator: the count, and then each row on a line.
func inMemory(d odatatest.Data, q *odata.Query) string {
	answer := d.Answer(q)
	var b strings.Builder
	if q.Count {
		fmt.Fprintf(&b, "%d\n", answer.Count)
	}
	for _, r := range answer.Rows {
		for i, p := range query.Shown(q) {
			b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
			name, _ := jsontext.AppendQuote(nil, p.Name)
			value, _ := jsontext.AppendQuote(nil, "?")
			switch v := r[p.Name].(type) {
			case nil:
				value = []byte("null")
			case bool:
				value = fmt.Append(nil, v)
			case string:
				value, _ = jsontext.AppendQuote(nil, v)
			case *big.Int:
				text := new(big.Rat).SetFrac(v, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(p.Type.Scale)),
					nil)).FloatString(p.Type.Scale)
				if p.Type.Scale > 0 {
					text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
				}
				value = []byte(text)
			case time.Time:
				value = []byte(v.Format(`"` + time.RFC3339Nano + `"`))
			}
			fmt.Fprintf(&b, "%s:%s", name, value)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// inPages answers a query by a database, in pages of limit rows if that is not 0, each going on where
// the link of the last one says.
func inPages(t *testing.T, in store.Scoped, q *odata.Query, limit int64) (string, error) {
	t.Helper()
	var b bytes.Buffer
	req := query.Request{Query: q, Limit: limit}
	for {
		rows, last := int64(0), query.Position(nil)
		err := in.Report(t.Context(), req, store.ReportAnswer{
			Count: func(n int64) error {
				if req.Given == 0 {
					fmt.Fprintln(&b, n)
				}
				return nil
			},
			Row: func(r query.Row) error {
				b.WriteByte('{')
				b.Write(r.AppendMembers(nil))
				b.WriteString("}\n")
				rows++
				last = r.Position()
				return nil
			},
		})
		if err != nil || limit == 0 || rows < limit {
			return b.String(), err
		}
		req.Given += rows
		if req.After, err = query.ParsePosition(q, last.Text()); err != nil {
			return b.String(), fmt.Errorf("%s: %w", last.Text(), err)
		}
	}
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

// records are rows for the evaluator.
func records(set *odata.EntitySet, rows []report.Row) []odatatest.Record {
	list := make([]odatatest.Record, len(rows))
	for i, row := range rows {
		list[i] = odatatest.Record{}
		for j, c := range report.FlightBookings.Columns {
			v := row[j]
			if ms, ok := v.(int64); ok && c.Kind == report.Instant {
				v = time.UnixMilli(ms).UTC()
			}
			list[i][set.Properties[j].Name] = v
		}
	}
	return list
}

var tenantColumn = slices.IndexFunc(report.FlightBookings.Columns,
	func(c report.Column) bool { return c.Name == "TenantId" })

// hardTexts are texts that databases are known to differ about.
var hardTexts = []string{"", " ", "a", "A", "b", "Ab", "aB", "ä", "Ä", "ß", "ẞ", "İ", "ı", "ſ", "K", "K", "Σ", "σ", "ς",
	"ǆ", "ǅ", "ﬁ", "e\u0301", "é", "日本", "𝔘", "😀", "\u00a0x\u2003", "\t\n x\r", "%", "_", "\\", "100%_\\", "O'Brien",
	"''", `"`, "a,b", "<&>", "\u2028", "\u200b", "Müller", "MULLER", "müller", "ẍ̈", "Ⅷ", "ⓐ", "Ꭰ", "ꭰ", "Ა", "ა", "null",
	"0", "-1"}

// randomRows returns rows with many nulls and ties, extremes, and texts that are hard to compare.
func randomRows(r *rand.Rand, n int) []report.Row {
	rows := make([]report.Row, n)
	numbers := []int64{0, 1, -1, 5, -5, 499, 500, 501, 1000, 1500, -1500, 2500, 12345, 99999, 1e6, 1e9, 1e12, -1e12,
		1e18 - 1, -1e18 + 1, 123456789012345678}
	minutes := []int64{0, 1, 45, 60, 90, 600, -7, 1<<31 - 1, -1 << 31}
	lowest, highest := odata.MinInstant.UnixMilli(), odata.MaxInstant.UnixMilli()
	instants := []int64{0, 1, -1, 999, 1000, 86399999, 86400000, -86400001, 1709164800000, 1709251199999, 1772323200000,
		lowest, lowest + 1, highest, highest - 1}
	for i := range rows {
		row := make(report.Row, len(report.FlightBookings.Columns))
		for j, c := range report.FlightBookings.Columns {
			if !c.Always && r.IntN(5) == 0 {
				continue
			}
			switch c.Kind {
			case report.Text:
				row[j] = hardTexts[r.IntN(len(hardTexts))]
				if r.IntN(4) == 0 {
					row[j] = row[j].(string) + hardTexts[r.IntN(len(hardTexts))]
				}
			case report.Integer:
				row[j] = minutes[r.IntN(len(minutes))]
			case report.Decimal:
				row[j] = numbers[r.IntN(len(numbers))]
				if r.IntN(3) == 0 {
					row[j] = r.Int64N(2e6) - 1e6
				}
			case report.Instant:
				row[j] = instants[r.IntN(len(instants))]
				if r.IntN(2) == 0 {
					row[j] = 1.7e12 + r.Int64N(1e11)
				}
			case report.Flag:
				row[j] = r.IntN(2) == 0
			}
		}
		row[0] = fmt.Sprintf("%s%03d", hardTexts[r.IntN(len(hardTexts))], i)
		rows[i] = row
	}
	return rows
}
