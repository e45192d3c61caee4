package report_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/report"
)

// TestTheInterfacesColumns compares the columns with the table of the interface: each is there
// once, in its order, with its type.
func TestTheInterfacesColumns(t *testing.T) {
	doc := calltest.Must(os.ReadFile("../../docs/interface.md"))(t)
	_, part, _ := strings.Cut(string(doc), "### Flight booking report row")
	part, _, _ = strings.Cut(part, "\n##")
	var want []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \|$`).FindAllStringSubmatch(part, -1) {
		if m[1] == "Field" {
			continue
		}
		kind, _, _ := strings.Cut(m[2], " ")
		for name := range strings.SplitSeq(m[1], ", ") {
			name, _, _ = strings.Cut(name, " ")
			want = append(want, name+" "+kind)
		}
	}
	words := map[report.Kind]string{report.Text: "string", report.Integer: "number", report.Decimal: "number",
		report.Instant: "date-time", report.Flag: "boolean"}
	var got []string
	for _, c := range report.FlightBookings.Columns {
		got = append(got, c.Name+" "+words[c.Kind])
	}
	if len(want) != 40 || !slices.Equal(got, want) {
		t.Errorf("the columns are\n%s\nand the interface has %d:\n%s", strings.Join(got, "\n"), len(want),
			strings.Join(want, "\n"))
	}
}

func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		n     int64
		scale int
		want  string
	}{
		{0, 3, "0"}, {482000, 3, "482"}, {482500, 3, "482.5"}, {12345, 3, "12.345"}, {5, 3, "0.005"}, {-50, 3, "-0.05"},
		{-1 << 63, 3, "-9223372036854775.808"}, {7, 0, "7"},
	} {
		if got := string(report.AppendDecimal(nil, c.n, c.scale)); got != c.want {
			t.Errorf("%d with scale %d is %s, want %s", c.n, c.scale, got, c.want)
		}
	}
}
