package decode

import (
	"strings"
	"testing"

	"gangway/internal/gangway"
)

// TestCutDocuments: a document whose last row is short, and has no line end, is cut, and none of it is to be believed;
// so is one that came without a length, and whose format does not end.
func TestCutDocuments(t *testing.T) {
	fixed := gangway.DocumentFormat{Kind: gangway.FixedFormat, Columns: []gangway.FixedColumn{
		{Name: "name", From: 1, To: 6}, {Name: "born", From: 7, To: 14}}}
	const rows = "name;born;passport\nCruz;1990-02-28;P1\n"
	for _, tt := range []struct {
		doc     string
		endless bool
		as      gangway.DocumentFormat
		cut     bool
	}{
		{rows + "Lim;1985-02-01;P123\n", false, gangway.DocumentFormat{}, false},
		{rows + "Lim;1985-02-01;P123", false, gangway.DocumentFormat{}, false},
		{rows + "Lim;1985-02-01;P123", true, gangway.DocumentFormat{}, true},
		{rows + "Lim;1985-02-01\n", true, gangway.DocumentFormat{}, false},
		{rows + "Lim;1985-0", false, gangway.DocumentFormat{}, true},
		{rows + `Lim;1985-02-01;"P12`, false, gangway.DocumentFormat{}, true},
		{rows + "\x1A", false, gangway.DocumentFormat{}, false}, // as DOS ends files
		{"Cruz;1990-02-28;P1\nLim;19", false, gangway.DocumentFormat{Kind: gangway.CSVFormat, Header: number(0)}, true},
		{"Cruz  19900228\nLim", false, fixed, true},
		{"Cruz  19900228\nLim\n", true, fixed, false},
		{"Cruz  19900228\nLim   198502", true, fixed, true},
		{"{\"a\":1}\n{\"a\":2}", true, gangway.DocumentFormat{}, true},
		{"{\"a\":1}\n{\"a\":2}\n", true, gangway.DocumentFormat{}, false},
		{"{\"a\":1}\n{\"a\":", false, gangway.DocumentFormat{}, true},
		{`[{"a":1},{"a":2}]`, true, gangway.DocumentFormat{}, false},
		{`[{"a":1},{"a":2},`, true, gangway.DocumentFormat{}, true},
		{`{"staff":[{"a":1},{"a":2}`, true, gangway.DocumentFormat{}, true},
		{`<crew><a>1</a></crew>`, true, gangway.DocumentFormat{}, false},
		{`<crew><a>1</a><a>2`, true, gangway.DocumentFormat{}, true},
		{"- a: 1\n- a: 2\n", true, gangway.DocumentFormat{}, false},
		{"- a: 1\n- a: 2", true, gangway.DocumentFormat{}, true},
	} {
		in := text(tt.doc)
		in.Endless = tt.endless
		got := says(in, tt.as, Limits{})
		if cut := strings.Contains(got, "broken: ") || strings.HasPrefix(got, "not opened: "); cut != tt.cut {
			t.Errorf("%q, without a length: %v, says\n%s\nwant it cut: %v", tt.doc, tt.endless, got, tt.cut)
		}
	}
}
