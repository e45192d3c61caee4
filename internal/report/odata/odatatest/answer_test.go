package odatatest_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"gangway/internal/report/odata"
	"gangway/internal/report/odata/odatatest"
)

// table writes the rows of a result, one after the other.
func table(q string, rows []odatatest.Record, names ...string) string {
	var out []string
	for _, r := range rows {
		var cells []string
		for _, n := range names {
			cells = append(cells, fmt.Sprint(r[n]))
		}
		out = append(out, strings.Join(cells, " "))
	}
	return strings.Join(out, ", ")
}

// TestOrder checks order, and what comes before and behind a page.
func TestOrder(t *testing.T) {
	tests := []struct{ query, want string }{
		{"", "e, b, a, c, d"},
		{"$orderby=Vessel", "b, a, d, e, c"},
		{"$orderby=Vessel desc", "c, e, d, a, b"},
		{"$orderby=Price desc,Id desc", "b, a, e, c, d"},
		{"$orderby=NoShow,Minutes desc", "c, d, e, b, a"},
		{"$orderby=length(Name) desc,Id", "b, a, c, e, d"},
		{"$orderby=Id&$skip=1&$top=2", "b, c"},
		{"$orderby=Id&$skip=99", ""},
		{"$top=0", ""},
		{"$search=muller", "a"},
		{"$search=aurora", "a, c"},
		{"$search=AUR NOT mull", "c"},
		{"$search=obrien OR boreas", "e, d"},
		{`$search="asa"`, "c"},
		{"$compute=Price add Km as S&$filter=S gt 100&$orderby=S desc", "b, a"},
	}
	for _, tt := range tests {
		res := ask(t, "Bookings", tt.query)
		if got := table(tt.query, res.Rows, "Id"); got != tt.want {
			t.Errorf("%s gives %s; want %s", tt.query, got, tt.want)
		}
	}
	if res := ask(t, "Bookings", "$filter=NoShow ne true&$top=1&$skip=1"); res.Count != 4 || len(res.Rows) != 1 {
		t.Errorf("%d of %d rows; want 1 of 4", len(res.Rows), res.Count)
	}
}

// TestShape checks what rows contain.
func TestShape(t *testing.T) {
	rows := ask(t, "Bookings", "$select=Id,Price&$expand=Segments($select=Nr;$orderby=Nr desc)&$orderby=Id"+
		"&$top=1").Rows
	if got := fmt.Sprint(rows); got != "[map[Id:a Price:10000 Segments:{[map[Nr:2] map[Nr:1]] 2}]]" {
		t.Errorf("rows = %s", got)
	}
	rows = ask(t, "Bookings", "$expand=Segments/$ref($top=1)&$select=Id&$top=1&$filter=Id eq 'a'").Rows
	if got := fmt.Sprint(rows); got != "[map[Id:a Segments:{[map[Id:a Nr:1]] 2}]]" {
		t.Errorf("rows = %s", got)
	}
	rows = ask(t, "Bookings", "$expand=Segments/$count($filter=Nr gt 1)&$select=Id&$filter=NoShow ne null"+
		"&$orderby=Id").Rows
	if got := fmt.Sprint(rows); got != "[map[Id:a Segments:1] map[Id:b Segments:0] map[Id:e Segments:0]]" {
		t.Errorf("rows = %s", got)
	}
	r := ask(t, "Bookings", "$compute=Price mul 2 as Twice&$top=1").Rows[0]
	if len(r) != 10 || fmt.Sprint(r["Twice"]) != "0" {
		t.Errorf("row = %v", r)
	}
}

// TestApply checks groups and what they are aggregated to.
func TestApply(t *testing.T) {
	tests := []struct{ query, names, want string }{
		{"$apply=aggregate(Price with sum as A,Price with min as B,Price with max as C,Price with average as D," +
			"Price with countdistinct as E,$count as F)", "A B C D E F", "19275 -725 10000 48187500 3 5"},
		{"$apply=aggregate(Km with average as A,Minutes with average as B,Minutes with sum as C)", "A B C",
			"251000250 5500000 22"},
		{"$apply=aggregate(Name with min as A,Name with max as B,Created with max as C)", "B C",
			"Ω Åsa 2025-01-01 00:00:00 +0000 UTC"},
		{"$apply=filter(Id eq 'x')/aggregate(Price with sum as A,Price with average as B,Price with " +
			"countdistinct as C" +
			",$count as D)",
			"A B C D", "<nil> <nil> 0 0"},
		{"$apply=groupby((Vessel),aggregate($count as N,Price with sum as P))", "Vessel N P",
			"<nil> 1 10000, Aurora 1 10000, Boreas 2 0, aurora 1 -725"},
		{"$apply=groupby((NoShow,Vessel))", "NoShow Vessel",
			"<nil> Boreas, <nil> aurora, false <nil>, false Boreas, true Aurora"},
		{"$apply=filter(Id eq 'x')/groupby((Vessel),aggregate($count as N))", "Vessel", ""},
		{"$apply=compute(year(Created) as Y)/groupby((Y),aggregate($count as N))&$orderby=N desc&$filter=Y ne null" +
			"&$top=2", "Y N",
			"2024 2, 2025 1"},
		{"$apply=groupby((Vessel),aggregate($count as N))/filter(N eq 1)/aggregate($count as M)", "M", "3"},
		{"$apply=groupby((Vessel),aggregate(Price with average as A))&$orderby=A desc&$count=true&$top=1", "Vessel A",
			"Aurora 100000000"},
		{"$apply=groupby((Vessel),aggregate(Minutes with average as A))&$compute=round(A) as R&$filter=R ne null",
			"Vessel R",
			"Aurora 60, Boreas -19, aurora 0"},
	}
	for _, tt := range tests {
		if got := table(tt.query, ask(t, "Bookings", tt.query).Rows, strings.Fields(tt.names)...); got != tt.want {
			t.Errorf("%s\n gives %s\n  want %s", tt.query, got, tt.want)
		}
	}
}

// TestLetters checks upper and lower case, and what blanks are.
func TestLetters(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.IsSpace(r) != strings.ContainsRune(odata.Whitespace, r) {
			t.Errorf("trim and Whitespace differ about %U", r)
		}
	}
	if odata.Lower("ÀİΣß") != "àiσß" || odata.Upper("àıςß") != "ÀIΣß" {
		t.Errorf("Lower gives %s, Upper %s", odata.Lower("ÀİΣß"), odata.Upper("àıςß"))
	}
}
