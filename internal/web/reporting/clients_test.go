package reporting_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gangway/internal/need"
	"gangway/internal/report"
	"gangway/internal/report/files"
	"gangway/internal/web/reporting"
)

// TestInteropClients has clients for Node.js read the report that we did not write.
func TestInteropClients(t *testing.T) {
	need.Interop(t)
	node := need.ODataClients(t)
	each(t, 12, reporting.Limits{Rows: 5}, func(t *testing.T, s *service) {
		run := exec.CommandContext(t.Context(), node, "testdata/clients/client.mjs", s.root(), s.name, s.password)
		var said bytes.Buffer
		run.Stderr = &said
		out, err := run.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, &said)
		}
		var found struct {
			Filtered, Query []string
			One, Retrieved  string
			Batch           [][]string
			Count           int
			Unknown         []string
			Annotations     int
			Converted, Ours map[string]any
		}
		if err := json.Unmarshal(out, &found); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		converted, ours := found.Converted, found.Ours
		found.Converted, found.Ours = nil, nil
		want := found
		want.Filtered, want.Query = []string{"B003", "B006", "B009"}, []string{"B001", "B006", "B011"}
		want.One, want.Retrieved, want.Count = "O'BRIEN", "Nordlys", 12
		want.Batch, want.Unknown = [][]string{{"B011", "B010"}, {"B003"}}, []string{}
		if found.Annotations < 60 {
			t.Errorf("%d annotations were looked at", found.Annotations)
		}
		if !reflect.DeepEqual(found, want) {
			t.Errorf("they find %+v\nwant %+v\n%s", found, want, &said)
		}
		ours["$Version"] = converted["$Version"] // JSON came with 4.01
		if !reflect.DeepEqual(converted, ours) {
			a, _ := json.MarshalIndent(converted, "", " ")
			b, _ := json.MarshalIndent(ours, "", " ")
			t.Errorf("the XML converted is\n%s\nand the JSON\n%s", a, b)
		}
	})
}

// TestInteropClientOfGo has one for Go read it, which writes the links to pages in its own way before it follows them.
func TestInteropClientOfGo(t *testing.T) {
	need.Interop(t)
	compiler, program := need.ODataClientOfGo(t), filepath.Join(t.TempDir(), "client")
	build := exec.CommandContext(t.Context(), compiler, "build", "-o", program, ".")
	build.Dir, build.Env = "testdata/clients_go", append(os.Environ(), "GOPROXY=off")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	each(t, 12, reporting.Limits{Rows: 5}, func(t *testing.T, s *service) {
		run := exec.CommandContext(t.Context(), program, s.URL+"/reporting", s.name, s.password)
		var said bytes.Buffer
		run.Stderr = &said
		out, err := run.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, &said)
		}
		type finding struct {
			Pages, Filtered, Types []string
			Count                  int
			One, Context, Refused  string
		}
		var found finding
		if err := json.Unmarshal(out, &found); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		want := finding{
			Filtered: []string{"B006", "B011"}, Count: 3, Context: s.root() + "$metadata#FlightBookingDetailed",
			One: "Nordlys", Types: []string{"#Gangway.Report.FlightBookingDetailed", "#Decimal", "#DateTimeOffset"},
			Refused: `BadRequest: $filter, at character 1: there is no property "Prise"; if it is a text, write 'Prise'`,
		}
		for i := range 12 {
			want.Pages = append(want.Pages, fmt.Sprintf("B%03d", i))
		}
		if !reflect.DeepEqual(found, want) {
			t.Errorf("it finds %+v\nwant %+v\n%s", found, want, &said)
		}
	})
}

// TestInteropPython runs the program that people are given on the page Connect, as far as it reads rows: it follows the
// links, and has each row once. What pandas makes of them is not tried.
func TestInteropPython(t *testing.T) {
	need.Interop(t)
	python := need.SOAPClient(t) // which has requests
	each(t, 25, reporting.Limits{Rows: 5, Most: 7}, func(t *testing.T, s *service) {
		program, _, found := strings.Cut(files.Python(s.root(), report.FlightBookings), "table = ")
		if !found || !strings.Contains(program, "import pandas\n") {
			t.Fatalf("the program is another one:\n%s", program)
		}
		program = strings.Replace(program, "import pandas\n", "", 1) + "print(*(row['BookingId'] for row in rows))\n"
		run := exec.CommandContext(t.Context(), python, "-c", program)
		run.Env = append(os.Environ(), "REPORT_USER="+s.name, "REPORT_PASSWORD="+s.password)
		out, err := run.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		var want []string
		for i := range 25 {
			want = append(want, fmt.Sprintf("B%03d", 24-i))
		}
		if got := strings.Fields(string(out)); !slices.Equal(got, want) {
			t.Errorf("it reads %v; want %v", got, want)
		}
	})
}
