package decode

import (
	"testing"

	"gangway/internal/gangway"
)

// TestFixed holds that columns count characters, may overlap and come in any order, and that a header is
// skipped with what is above it.
func TestFixed(t *testing.T) {
	as := gangway.DocumentFormat{Kind: gangway.FixedFormat, Columns: []gangway.FixedColumn{
		{Name: "dob", From: 7, To: 14}, {Name: "name", From: 1, To: 6}, {Name: "year", From: 7, To: 10}}}
	for _, tt := range []struct {
		header *int
		doc    string
		want   string
	}{
		{nil, "Ibañez19850201\nCruz  1990\n\nLim\n", `{"dob":"19850201","name":"Ibañez","year":"1985"} ` +
			`{"dob":"1990","name":"Cruz","year":"1990"} {"dob":"","name":"Lim"}`},
		{number(2), "CREW\nNAME  BORN\nCruz  19900228 \n", `{"dob":"19900228","name":"Cruz","year":"1990"}`},
		{number(3), "CREW\nNAME  BORN\n", "not opened: it has no row 3 to take the column names from"},
		{number(0), "Cruz\n\xE9\n", `{"dob":"","name":"Cruz"} {"dob":"","name":"é"}`},
	} {
		as.Header = tt.header
		if got := values(tt.doc, as); got != tt.want {
			t.Errorf("%q says\n%s\nwant\n%s", tt.doc, got, tt.want)
		}
	}
}
