package files

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/need"
	"gangway/internal/report"
)

const service = "https://report.example/gangway/v2/odata/"

// TestInteropQueryWorkbook holds that others find in the workbook what Excel needs to read rows by itself: a table,
// the query that fills it, the connection between the two, and its program. Excel itself has not opened it.
func TestInteropQueryWorkbook(t *testing.T) {
	need.Interop(t)
	var file bytes.Buffer
	about := About{"FlightBookingDetailed", made, []Fact{{"First", "Choose Basic"}}}
	calltest.Done(t, QueryWorkbook(&file, about, service, report.FlightBookings))
	var got struct {
		Table struct {
			Name, Kind, Ref string
			Columns         []string
		}
		Fields struct {
			Connection string
			Names      []string
		}
		Connection map[string]string
		Files      []string
		Program    string
		Entries    map[string]map[string]string
		Bindings   int
	}
	read(t, "query", "connected.xlsx", file.Bytes(), &got)
	var names []string
	for _, c := range report.FlightBookings.Columns {
		names = append(names, c.Name)
	}
	if got.Table.Name != "FlightBookingDetailed" || got.Table.Kind != "queryTable" || got.Table.Ref != "A1:AN2" ||
		!slices.Equal(got.Table.Columns, names) || !slices.Equal(got.Fields.Names, names) {
		t.Errorf("the table is %+v, the query's columns %v", got.Table, got.Fields)
	}
	if got.Fields.Connection != got.Connection["id"] || got.Connection["type"] != "5" ||
		!strings.Contains(got.Connection["connection"], "Location=FlightBookingDetailed;") ||
		got.Connection["command"] != "SELECT * FROM [FlightBookingDetailed]" {
		t.Errorf("the connection is %v", got.Connection)
	}
	want := []string{"Config/Package.xml", "[Content_Types].xml", "Formulas/Section1.m"}
	if !slices.Equal(got.Files, want) || got.Bindings != 1 {
		t.Errorf("the package has %v, and %d bytes of bindings", got.Files, got.Bindings)
	}
	for _, part := range []string{"section Section1;", "shared FlightBookingDetailed = let",
		`OData.Feed("` + service + `", null, [Implementation = "2.0"])`, `"BookingId", "Locator"`,
		`{"CreatedAt", InUTC, type nullable datetime}`, "in\r\n    Times;"} {
		if !strings.Contains(got.Program, part) {
			t.Errorf("the program lacks %s:\n%s", part, got.Program)
		}
	}
	fill := got.Entries["Section1/FlightBookingDetailed"]
	if fill["FillTarget"] != "sFlightBookingDetailed" || fill["FillEnabled"] != "l1" ||
		!strings.HasPrefix(fill["FillColumnNames"], `s["BookingId","Locator",`) {
		t.Errorf("the query fills %v", fill)
	}
	var book readBook
	read(t, "workbook", "connected.xlsx", file.Bytes(), &book)
	if s := book.Sheets; len(s) != 2 || s[0].Rows[0][0].Value != "BookingId" ||
		!strings.Contains(fmt.Sprint(s[1].Rows), "Choose Basic") {
		t.Errorf("the sheets are %+v", s)
	}
}

func TestPowerBI(t *testing.T) {
	var file bytes.Buffer
	calltest.Done(t, PowerBI(&file, service))
	var compact bytes.Buffer
	calltest.Done(t, json.Compact(&compact, file.Bytes()))
	want := `{"version":"0.1","connections":[{"details":{"protocol":"odata","address":{"url":"` + service +
		`"}},"options":{},"mode":"Import"}]}`
	if compact.String() != want {
		t.Errorf("%s; want %s", compact.String(), want)
	}
}

// TestInteropPython holds that Python takes the program for one. What it reads is tested where there is a report.
func TestInteropPython(t *testing.T) {
	need.Interop(t)
	python := need.WorkbookReader(t)
	check := exec.CommandContext(t.Context(), python, "-c", "import ast, sys; ast.parse(sys.stdin.read())")
	check.Stdin = strings.NewReader(Python(service, report.FlightBookings))
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
