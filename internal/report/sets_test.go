package report_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/report"
)

var update = flag.Bool("update", false, "write the sets into docs/odata.md")

const (
	page  = "../../docs/odata.md"
	begin = "## The sets\n"
)

// TestSetsOnPage holds that docs/odata.md, at its end, describes every set and every column as they are
// declared.
func TestSetsOnPage(t *testing.T) {
	doc := calltest.Must(os.ReadFile(page))(t)
	before, had, found := strings.Cut(string(doc), begin)
	if !found {
		t.Fatalf("%s has no part %q", page, begin)
	}
	want := setsInWords()
	if *update {
		calltest.Done(t, os.WriteFile(page, []byte(before+begin+want), 0o644))
		return
	}
	if had != want {
		t.Errorf("%s describes other sets than there are: go test ./internal/report -run SetsOnPage -update", page)
	}
}

// setsInWords describes the sets, each with a table of its columns.
func setsInWords() string {
	var b strings.Builder
	b.WriteString("\nAs `$metadata` describes them. What is not marked with • may be null: it is not known.\n")
	kinds := map[report.Kind]string{report.Text: "text", report.Integer: "integer", report.Decimal: "decimal",
		report.Instant: "date and time", report.Day: "date", report.Flag: "true or false"}
	for _, set := range report.Sets {
		key := "`" + strings.Join(set.Key, "`, `") + "`"
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\nKey: %s.", set.Name, folded(set.About), key)
		if len(set.Navigations) > 0 {
			var led []string
			for _, n := range set.Navigations {
				led = append(led, "`"+n.Name+"`")
			}
			fmt.Fprintf(&b, " Leads to %s.", strings.Join(led, ", "))
		}
		b.WriteString("\n\n| column | type | meaning |\n|---|---|---|\n")
		for _, c := range set.Columns {
			kind, mark := kinds[c.Kind], ""
			if c.Unit != "" {
				kind += ", " + c.Unit
			}
			if c.Always {
				mark = " •"
			}
			fmt.Fprintf(&b, "| `%s`%s | %s | %s |\n", c.Name, mark, kind, c.About)
		}
	}
	return b.String()
}

// folded breaks a text into lines that fit the window.
func folded(text string) string {
	line, lines := 0, ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == 0:
		case line+1+len(word) > 115:
			line, lines = 0, lines+"\n"
		default:
			line, lines = line+1, lines+" "
		}
		line, lines = line+len(word), lines+word
	}
	return lines
}

// TestSets holds that what sets say of each other is true: where a set leads, there are columns with the same
// values, and a column of one name is one thing everywhere.
func TestSets(t *testing.T) {
	known, named := map[string]report.Set{}, map[string]report.Column{}
	for _, set := range report.Sets {
		known[set.Name] = set
		for _, c := range set.Columns {
			other, twice := named[c.Name]
			if twice && (other.SQL != c.SQL || other.Kind != c.Kind || other.Scale != c.Scale || other.Unit != c.Unit) {
				t.Errorf("%s of %s is %+v; elsewhere it is %+v", c.Name, set.Name, c, other)
			}
			named[c.Name] = c
		}
	}
	column := func(set report.Set, name string) (report.Column, bool) {
		i := slices.IndexFunc(set.Columns, func(c report.Column) bool { return c.Name == name })
		if i < 0 {
			return report.Column{}, false
		}
		return set.Columns[i], true
	}
	for _, set := range report.Sets {
		for _, k := range append(slices.Clone(set.Key), set.Newest) {
			if c, there := column(set, k); k != "" && (!there || slices.Contains(set.Key, k) && !c.Always) {
				t.Errorf("%s has no %s that is always known", set.Name, k)
			}
		}
		for _, n := range set.Navigations {
			to, there := known[n.To]
			for _, name := range n.On {
				_, here := column(set, name)
				if _, that := column(to, name); !there || !here || !that {
					t.Errorf("%s of %s leads to %s by %s, which is not in both", n.Name, set.Name, n.To, name)
				}
			}
			one := !slices.ContainsFunc(to.Key, func(k string) bool { return !slices.Contains(n.On, k) })
			if one == n.Many {
				t.Errorf("%s of %s leads to many: %t, although the whole key of %s is known: %t", n.Name, set.Name,
					n.Many, n.To, one)
			}
		}
	}
}
