package query_test

import (
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/report"
	"gangway/internal/report/odata"
	"gangway/internal/report/odata/odatatest"
	"gangway/internal/report/query"
)

func parse(t *testing.T, options string) *odata.Query {
	t.Helper()
	req, err := odata.Parse(query.Schema, "FlightBookingDetailed", options, odata.Options{Now: time.Unix(1.77e9, 0)})
	calltest.Done(t, err)
	return req.Query
}

// names are what statements may call, besides columns that they make themselves, and numbers.
var names = strings.Fields(`SELECT FROM AS WHERE AND OR NOT NULL IS DISTINCT IN CASE WHEN THEN ELSE END ORDER GROUP BY
	EXISTS CROSS JOIN WITH ORDINALITY OVER PARTITION
	DESC NULLS FIRST LAST LIMIT OFFSET COLLATE C utf8 CAST INTEGER TEXT MATERIALIZED true false
	found bigint numeric text int date jsonb boolean value m q a b s i n r source members search changed gone
	abs sign div nullif coalesce greatest least min max sum count length substr right reverse starts_with strpos instr
	btrim trim lower upper translate round floor ceil extract year month day to_char strftime unixepoch
	json_each json_extract key jsonb_array_elements ANY text CROSS JOIN ON o row_number YYYY MM DD Y d falsetrue`)

var made = regexp.MustCompile(`^(k\d+|x\d+|key\d+|sort\d+|rows\d+|\d+|odata_[a-z]+(_wide)?)$`)

// TestStatementsNameNothingElse holds that statements are made of our words alone: whatever texts and
// names requests have, they name no table, and select from nothing but their source.
func TestStatementsNameNothingElse(t *testing.T) {
	known, from := slices.Clone(names), query.Sources{Of: map[string]query.Source{}, Args: 2}
	for _, set := range report.Sets {
		from.Of[set.Name] = query.Source{Name: "source", Kept: set.Table != ""}
		for _, c := range set.Columns {
			known = append(known, c.SQL)
		}
	}
	type request struct{ set, options string }
	all := []request{
		{"FlightBookingDetailed", "$compute=" + url.QueryEscape("1 as report_booking,State as DROP") +
			"&$filter=DROP+eq+'x'';DROP+TABLE+booking--'"},
		{"Segments", "$search=" + url.QueryEscape(`"'; DROP TABLE booking --"`)},
		{"FlightBookingDetailed", "$filter=Segments/any(DROP:DROP/Carrier+eq+'x'';DROP+TABLE+booking--')"},
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		set := query.Schema.Sets[random.IntN(len(query.Schema.Sets))]
		g := odatatest.Generator{Rand: random, Set: set}
		all = append(all, request{set.Name, g.Query()})
	}
	word := regexp.MustCompile(`\w+`)
	for _, r := range all {
		req, err := odata.Parse(query.Schema, r.set, r.options, odata.Options{})
		if err != nil {
			continue
		}
		for _, d := range []query.Dialect{query.SQLite, query.PostgreSQL([]string{"C.utf8"}), query.PostgreSQL(nil)} {
			for _, s := range statements(d, from, req.Query) {
				text := strings.Join(s.With, " ") + " " + s.Query
				for _, w := range word.FindAllString(text, -1) {
					if !slices.Contains(known, w) && !made.MatchString(w) {
						t.Fatalf("%s?%s: %s is in\n%s", r.set, r.options, w, text)
					}
				}
			}
		}
	}
}

// TestSQLiteSortsKeysAlone: where many rows are sorted for a page, SQLite, which keeps all of what it sorts in memory,
// sorts their keys.
func TestSQLiteSortsKeysAlone(t *testing.T) {
	from := query.Sources{Of: map[string]query.Source{"FlightBookingDetailed": {Name: "source", Kept: true}}}
	for options, late := range map[string]bool{
		"": false, "$orderby=CreatedAt": false, "$orderby=PriceTotal": true, "$orderby=PriceTotal&$top=100": false,
		"$orderby=length(VesselName)&$select=BookingId,FullRoute": true, "$filter=PriceTotal+gt+1": true,
	} {
		req := calltest.Must(odata.Parse(query.Schema, "FlightBookingDetailed", options, odata.Options{}))(t)
		all, _ := query.SQLite.Rows(from, query.Request{Query: req.Query, Limit: 10_000})
		for _, s := range all {
			_, outside, found := strings.Cut(s.Query, ") AS found")
			if found != late || strings.Contains(outside, "ORDER BY") {
				t.Errorf("%s: its keys are found first: %t; want %t\n%s", options, found, late, s.Query)
			}
		}
	}
}

// statements are all that a query becomes, with those for what its rows lead to.
func statements(d query.Dialect, from query.Sources, q *odata.Query) []query.Statement {
	all, _ := d.Rows(from, query.Request{Query: q})
	all = append(all, d.Count(from, query.Request{Query: q}))
	if query.Tracks(q) {
		changes := &query.Changes{Since: 5, After: query.Position{int64(5), "B1", int64(1), "x"}[:1+len(q.Set.Key)]}
		all = append(all, d.Changes(from, query.Request{Query: q, Limit: 10, Changes: changes}))
	}
	for _, e := range q.Expand {
		linked := query.Request{Query: e.Query, Linked: &query.Linked{By: e.Navigation, From: [][]any{{"a", 1}}}}
		all = append(all, d.Linked(from, linked), d.LinkedCounts(from, linked))
		all = append(all, statements(d, from, e.Query)...)
	}
	return all
}

// TestPositionsOfOthers holds that a position is taken only for the order that it belongs to.
func TestPositionsOfOthers(t *testing.T) {
	q := parse(t, "$orderby=PriceTotal+desc,VesselName,NoShow")
	good := query.Position{nil, "Aurora", true, "B1"}
	if p, err := query.ParsePosition(q, good.Text()); err != nil || !slices.Equal(p, good) {
		t.Errorf("%s becomes %v, %v", good.Text(), p, err)
	}
	for _, bad := range []string{"", "x", "null", "{}", "[]",
		`[null,"a",true]`, `[null,"a",true,"b","c"]`, `[null,"a",true,null]`,
		`[1,"a",true,"b"]`, `["1","a",true,"b"]`, `[{"n":"1e3"},"a",true,"b"]`, `[{"n":"99999999999999999999"},"a",true,"b"]`,
		`[{"n":"1","m":"2"},"a",true,"b"]`, `[null,true,true,"b"]`, `[null,"a","true","b"]`, `[[],"a",true,"b"]`,
		`[{"n":"` + strings.Repeat("9", 100000) + `"},"a",true,"b"]`} {
		if p, err := query.ParsePosition(q, bad); err == nil {
			t.Errorf("%.60s becomes %v", bad, p)
		}
	}
}
