package decode

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"gangway/internal/gangway"
)

// TestCells holds that a value of a workbook can be named by its cell.
func TestCells(t *testing.T) {
	doc, err := os.ReadFile("testdata/xlsx/crew.xlsx")
	must(t, err)
	d, err := Open(input("", doc), gangway.DocumentFormat{}, Limits{})
	must(t, err)
	d.Next()
	item, err := d.Next()
	if got := fmt.Sprint(item.Cell("DOB"), item.Cell("column_14"), item.Cell("none"), item.Names()[:3]); err != nil ||
		got != "Crew!C4 Crew!N4 Crew!A4 [Crew ID Last name DOB]" {
		t.Errorf("the cells are %s, %v", got, err)
	}
	if got := columnLetters(1) + columnLetters(26) + columnLetters(27) + columnLetters(16384); got != "AZAAXFD" {
		t.Errorf("columns are called %s", got)
	}
}

// TestNumbersOfCells holds what the number in a cell says, by the cell's number format.
func TestNumbersOfCells(t *testing.T) {
	for _, tt := range []struct {
		value, format string
		days          dateSystem
		want          string
	}{
		{"639171234567", "General", from1900, "639171234567"},
		{"1234567890123456789", "0", from1900, "1234567890123456789"},
		{"0.30000000000000004", "0.00", from1900, "0.3"},
		{"1.4999999999999999E-7", "General", from1900, "0.00000015"},
		{"-12.50", `#,##0.00 "days";[Red]-#,##0.00`, from1900, "-12.5"},
		{"1E+300", "General", from1900, "1E+300"},
		{"text", "General", from1900, "text"},
		{"31079", "yyyy-mm-dd", from1900, "1985-02-01"},
		{"31079", "[$-409]d\\-mmm\\-yy;@", from1900, "1985-02-01"},
		{"31079", `mmmm`, from1900, "1985-02-01"},
		{"31079", `0 "years"`, from1900, "31079"},
		{"31079", `[Blue]0`, from1900, "31079"},
		{"31079.333333333332", "dd/mm/yyyy hh:mm", from1900, "1985-02-01T08:00:00"},
		{"31079", "dd/mm/yyyy hh:mm", from1900, "1985-02-01"},
		{"31079.99999999", "dd/mm/yyyy", from1900, "1985-02-02"},
		{"0.33333333333333331", "h:mm AM/PM", from1900, "08:00:00"},
		{"1.5", "[h]:mm", from1900, "1900-01-01T12:00:00"},
		{"1", "d.m.yy", from1900, "1900-01-01"},
		{"59", "d.m.yy", from1900, "1900-02-28"},
		{"61", "d.m.yy", from1900, "1900-03-01"},
		{"29617", "d.m.yy", from1904, "1985-02-01"},
		{"2958465", "d.m.yy", from1900, "9999-12-31"},
		{"2958466", "d.m.yy", from1900, "2958466"},
		{"-1", "d.m.yy", from1900, "-1"},
		{"NaN", "d.m.yy", from1900, "NaN"},
	} {
		w := &workbook{date: tt.days, styles: []cellStyle{{}, spelledStyle(tt.format)}}
		if got := w.cellText(tt.value, "", "1"); got != tt.want {
			t.Errorf("%s as %s is %s; want %s", tt.value, tt.format, got, tt.want)
		}
	}
}

// TestEscapesAreUndoneOnce: "_x0041_" that somebody typed is written with its underscore escaped, and is no letter A.
func TestEscapesAreUndoneOnce(t *testing.T) {
	sheet := workbookOf(`<row r="1"><c><v>a</v></c><c t="inlineStr"><is><t>b</t></is></c></row>`+
		`<row r="2"><c t="str"><v>_x005F_x0041_</v></c><c t="inlineStr"><is><t>_x005F_x0041_</t></is></c></row>`, "")
	if got := says(sheet, gangway.DocumentFormat{}, Limits{}); !strings.Contains(got, `{"a":"_x0041_","b":"_x0041_"}`) {
		t.Error(got)
	}
}

// TestHeaderOfSheets holds that the row of the column names is that of Excel's row number, and that there
// may be none.
func TestHeaderOfSheets(t *testing.T) {
	sheet := workbookOf(`<row r="1"><c><v>Crew list</v></c></row>`+
		`<row r="4"><c><v>Name</v></c><c r="C4"><v>Rank</v></c></row><row r="6"><c><v>Cruz</v></c><c><v>x</v></c></row>`, "")
	for _, tt := range []struct {
		header *int
		want   string
	}{
		{number(4), "Crew!A6\t{\"Name\":\"Cruz\",\"column_2\":\"x\"}\n"},
		{number(0), "Crew!A1\t[\"Crew list\"]\n" +
			"Crew!A4\t[\"Name\",\"\",\"Rank\"]\nCrew!A6\t[\"Cruz\",\"x\"]\n"},
		{number(3), "not opened: row 3 should have the column names and is empty, at Crew!A3\n"},
	} {
		got := says(sheet, gangway.DocumentFormat{Header: tt.header}, Limits{})
		if _, items, ok := strings.Cut(got, "list=true\n"); ok {
			got = items
		}
		if got != tt.want {
			t.Errorf("with the names in row %d it says\n%s\nwant\n%s", *tt.header, got, tt.want)
		}
	}
}
