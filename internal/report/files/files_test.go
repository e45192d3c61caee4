package files

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/report"
)

// columns are one of each kind.
var columns = []report.Column{
	{Name: "BookingId", Always: true, About: "Identifies the booking for ever."},
	{Name: "Price", Kind: report.Decimal, Scale: 3, About: "What it costs, \"all in\"."},
	{Name: "Co2", Kind: report.Decimal, Scale: 3, Unit: "kg", About: "Greenhouse gases."},
	{Name: "Minutes", Kind: report.Integer, Unit: "minutes", About: "Between flights."},
	{Name: "CreatedAt", Kind: report.Instant, About: "When it was booked."},
	{Name: "CheckIn", Kind: report.Day, About: "First night."},
	{Name: "NoShow", Kind: report.Flag, About: "Whether <nobody> came & flew."},
	{Name: "Name", About: "The traveller."},
}

var made = time.Date(2026, 11, 22, 23, 15, 0, 0, time.UTC)

// unkind are texts that files have trouble with.
var unkind = []string{
	"Müller", "Ñuñez & Søn <ab>", "=1+1", "+63", "-5", "@SUM(A1)", "a,b", `the "Aurora"`, "two\nlines",
	"two\r\nlines", "tab\tin", " blanks ", "0012345", "12 Nov", "TRUE", "_x0041_", "a_x000D_b", "\x01\x1f", "张伟",
	"👩‍✈️", "x;=1", "'quoted", "#N/A", "\ufffe",
}

// rows are n rows, some values of which are unknown.
func rows(n int) []report.Row {
	random := rand.New(rand.NewPCG(7, 7))
	all := make([]report.Row, n)
	for i := range all {
		all[i] = report.Row{fmt.Sprintf("B%06d", i), random.Int64N(5_000_000) - 1_000_000, random.Int64N(4_000_000),
			random.Int64N(3000), made.UnixMilli() - random.Int64N(1e11),
			(19_000 + random.Int64N(3000)) * dayLong, i%3 == 0,
			unkind[i%len(unkind)]}
		if i > 0 {
			all[i][1+random.IntN(7)] = nil
		}
	}
	return all
}

// read has a file read by others.
func read(t *testing.T, how, name string, content []byte, into any) {
	t.Helper()
	python := need.WorkbookReader(t)
	path := filepath.Join(t.TempDir(), name)
	calltest.Done(t, os.WriteFile(path, content, 0o600))
	out, err := exec.CommandContext(t.Context(), python, "testdata/read.py", how, path).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	calltest.Done(t, json.Unmarshal(out, into))
}

// readCSV has a file read by Go's reader.
func readCSV(t *testing.T, content []byte) [][]string {
	t.Helper()
	lines := calltest.Must(csv.NewReader(bytes.NewReader(bytes.TrimPrefix(content, []byte("\ufeff")))).ReadAll())(t)
	return lines
}

// readSheets has a workbook read by the reader of uploads: the rows of a sheet, or of all where its name is *.
func readSheets(t *testing.T, content []byte, sheet string) (rows []map[string]any) {
	t.Helper()
	in := decode.Input{ReaderAt: bytes.NewReader(content), Size: int64(len(content))}
	doc, err := decode.Open(in, gangway.DocumentFormat{Kind: gangway.XLSXFormat, Sheet: sheet}, decode.Limits{})
	calltest.Done(t, err)
	defer doc.Close()
	for {
		item, err := doc.Next()
		if errors.Is(err, io.EOF) {
			return rows
		}
		calltest.Done(t, err)
		rows = append(rows, item.Value.(map[string]any))
	}
}

type readBook struct {
	Title, Made string
	Sheets      []struct {
		Name, Frozen, Filter, Titles string
		Rows                         [][]*readCell
		Widths                       map[string]float64
		Prompts                      map[string][]string
	}
}

type readCell struct {
	Is, Format string
	Value      any
}

func (c *readCell) String() string {
	if c == nil {
		return "nothing"
	}
	return fmt.Sprintf("%s %v, %s", c.Is, c.Value, c.Format)
}

// cellOf is what a reader has to find for a value.
func cellOf(c report.Column, value any) *readCell {
	switch v := value.(type) {
	case string:
		return &readCell{"text", "General", v}
	case bool:
		return &readCell{"flag", "General", v}
	case int64:
		switch {
		case c.Kind == report.Instant:
			return &readCell{"date", `yyyy\-mm\-dd\ hh:mm:ss`, time.UnixMilli(v).UTC().Format("2006-01-02T15:04:05.000")}
		case c.Kind == report.Day:
			return &readCell{"date", `yyyy\-mm\-dd`, time.UnixMilli(v).UTC().Format("2006-01-02T15:04:05.000")}
		case c.Kind == report.Integer:
			return &readCell{"number", "#,##0", strconv.FormatInt(v, 10)}
		case c.Unit == "":
			return &readCell{"number", "#,##0.00#", string(report.AppendDecimal(nil, v, c.Scale))}
		}
		return &readCell{"number", "#,##0.0##", string(report.AppendDecimal(nil, v, c.Scale))}
	}
	return nil
}

// workbook writes a workbook, some rows at a time.
func workbook(t *testing.T, all []report.Row, most int) []byte {
	t.Helper()
	var file bytes.Buffer
	b := NewWorkbook(&file, "Bookings", columns)
	b.most = most
	for at := 0; at < len(all); at += 100 {
		calltest.Done(t, b.Write(all[at:min(at+100, len(all))]))
	}
	about := About{"Bookings of O'Hara & Sons", made,
		[]Fact{{"Customer", "O'Hara & Sons"}, {"Rows", strconv.Itoa(len(all))}}}
	calltest.Done(t, b.Close(about))
	return file.Bytes()
}

// TestWorkbook holds that the reader of uploads finds each value, also where one sheet has no room for all.
func TestWorkbook(t *testing.T) {
	all := rows(250)
	got := readSheets(t, workbook(t, all, 100), "*")
	if len(got) < len(all) {
		t.Fatalf("%d rows; want %d", len(got), len(all))
	}
	for i, row := range all {
		for j, c := range columns {
			want := ""
			switch v := row[j].(type) {
			case string:
				want = strings.TrimSpace(v)
			case bool:
				want = strconv.FormatBool(v)
			case int64:
				want = string(report.AppendDecimal(nil, v, c.Scale))
				switch c.Kind {
				case report.Instant:
					want = time.UnixMilli(v).UTC().Round(time.Second).Format("2006-01-02T15:04:05")
				case report.Day:
					want = time.UnixMilli(v).UTC().Format(time.DateOnly)
				}
			}
			said, _ := got[i][c.Name].(string)
			// Uploads have no text that looks like an escape of Excel's; TestInteropWorkbook has.
			if said != want && !strings.Contains(want, "_x") {
				t.Errorf("row %d, %s: %q; want %q", i, c.Name, said, want)
			}
		}
	}
}

// TestInteropWorkbook holds that a reader that we did not write finds each value with its type, the head, the
// filters, and what columns mean.
func TestInteropWorkbook(t *testing.T) {
	need.Interop(t)
	all := rows(450)
	var got readBook
	read(t, "workbook", "rows.xlsx", workbook(t, all, SheetRows), &got)
	if got.Title != "Bookings of O'Hara & Sons" || !strings.HasPrefix(got.Made, "2026-11-22T23:15:00") ||
		len(got.Sheets) != 2 || got.Sheets[0].Name != "Bookings" || got.Sheets[1].Name != "About" {
		t.Fatalf("it is %s of %s with %d sheets", got.Title, got.Made, len(got.Sheets))
	}
	s := got.Sheets[0]
	if s.Frozen != "A2" || s.Filter != "A1:H451" || s.Titles != "$1:$1" || len(s.Rows) != 451 {
		t.Errorf("frozen at %s, filters %s, titles %s, %d rows", s.Frozen, s.Filter, s.Titles, len(s.Rows))
	}
	for i, c := range columns {
		if s.Rows[0][i].Value != c.Name {
			t.Errorf("the head of %s is %v", c.Name, s.Rows[0][i])
		}
		at := letters(i)
		if p := s.Prompts[at+"1"]; len(p) != 2 || p[0] != c.Name || p[1] != meaning(c) {
			t.Errorf("%s says %q", c.Name, p)
		}
		if w := s.Widths[at]; w < float64(len(c.Name)) || w > 52 {
			t.Errorf("%s is %v wide", c.Name, w)
		}
	}
	for i, row := range all {
		for j, c := range columns {
			if got, want := s.Rows[i+1][j], cellOf(c, row[j]); got.String() != want.String() {
				t.Errorf("row %d, %s: %v; want %v", i, c.Name, got, want)
			}
		}
	}
	told := fmt.Sprint(got.Sheets[1].Rows)
	for _, want := range []string{"O'Hara & Sons", "450", "Whether <nobody> came & flew.",
		"Between flights. Unit: minutes."} {
		if !strings.Contains(told, want) {
			t.Errorf("the last sheet does not say %q", want)
		}
	}
}

// TestInteropWorkbookOfManyRows holds that what one sheet has no room for goes on in the next one, and that this
// is said.
func TestInteropWorkbookOfManyRows(t *testing.T) {
	need.Interop(t)
	for n, sizes := range map[int]string{0: "[1]", 99: "[100]", 100: "[100 2]", 250: "[100 100 53]"} {
		all := rows(n)
		var got readBook
		read(t, "workbook", "rows.xlsx", workbook(t, all, 100), &got)
		var have []int
		var ids []any
		for i, s := range got.Sheets[:len(got.Sheets)-1] {
			have = append(have, len(s.Rows))
			if s.Rows[0][0].Value != "BookingId" || s.Frozen != "A2" || s.Filter != fmt.Sprintf("A1:H%d", len(s.Rows)) {
				t.Errorf("%d rows: sheet %d begins with %v, its filters are %s", n, i, s.Rows[0][0], s.Filter)
			}
			for _, row := range s.Rows[1:] {
				ids = append(ids, row[0].Value)
			}
		}
		if fmt.Sprint(have) != sizes || len(ids) != n {
			t.Errorf("%d rows are in sheets of %v, with their heads; want %s", n, have, sizes)
		}
		for i, id := range ids {
			if id != all[i][0] {
				t.Errorf("%d rows: the %d. one is %v", n, i, id)
			}
		}
		told := fmt.Sprint(got.Sheets[len(got.Sheets)-1].Rows)
		if (n > 99) != strings.Contains(told, "room for 100 rows") {
			t.Errorf("%d rows: the last sheet says %s", n, told)
		}
	}
}

// TestInteropWhatACellHasNoRoomFor holds what becomes of texts that are too long, and of instants that are none
// of Excel's.
func TestInteropWhatACellHasNoRoomFor(t *testing.T) {
	need.Interop(t)
	long := strings.Repeat("ab👩", 10_000) // 40,000 units of UTF-16
	fits := strings.Repeat("é", cellText)
	old := time.Date(1871, 2, 3, 4, 5, 6, 0, time.UTC).UnixMilli()
	all := []report.Row{
		{"B1", nil, nil, nil, old, old - old%dayLong - dayLong, nil, long},
		{"B2", nil, nil, nil, nil, nil, nil, fits},
	}
	var got readBook
	read(t, "workbook", "rows.xlsx", workbook(t, all, SheetRows), &got)
	rows := got.Sheets[0].Rows
	short := rows[1][7].Value.(string)
	units := 0
	for _, r := range short {
		units += 1 + map[bool]int{true: 1}[r > 0xffff]
	}
	if units > cellText || units < cellText-1 || !strings.HasPrefix(long, strings.TrimSuffix(short, "…")) {
		t.Errorf("a text of 40,000 characters is one of %d: …%s", units, short[len(short)-20:])
	}
	if rows[2][7].Value != fits {
		t.Error("a text that fits is not whole")
	}
	if rows[1][4].Value != "1871-02-03T04:05:06Z" || rows[1][5].Value != "1871-02-03" {
		t.Errorf("a time before Excel's first day is %v, its day %v", rows[1][4], rows[1][5])
	}
	if told := fmt.Sprint(got.Sheets[1].Rows); !strings.Contains(told, "1 longer texts are cut") {
		t.Errorf("the last sheet says %s", told)
	}
}

// TestCSV holds that Go's reader finds each value.
func TestCSV(t *testing.T) {
	tryCSV(t, "\n", func(content []byte) [][]string { return readCSV(t, content) })
}

// TestInteropCSV holds that Python's reader finds each value.
func TestInteropCSV(t *testing.T) {
	need.Interop(t)
	tryCSV(t, "\r\n", func(content []byte) (lines [][]string) {
		read(t, "csv", "rows.csv", content, &lines)
		return lines
	})
}

// tryCSV checks what a reader finds in a file of comma-separated values; newline is what it makes of one within a text.
func tryCSV(t *testing.T, newline string, read func(content []byte) [][]string) {
	t.Helper()
	all := rows(300)
	var file bytes.Buffer
	c := NewCSV(&file, columns)
	for at := 0; at < len(all); at += 100 {
		calltest.Done(t, c.Write(all[at:at+100]))
	}
	calltest.Done(t, c.Close(About{}))
	if !strings.HasPrefix(file.String(), "\ufeffBookingId,Price,") || !strings.HasSuffix(file.String(), "\r\n") {
		t.Errorf("it begins with %q", file.String()[:20])
	}
	got := read(file.Bytes())
	if len(got) != len(all)+1 {
		t.Fatalf("%d lines; want %d", len(got), len(all)+1)
	}
	for i, row := range all {
		for j, c := range columns {
			want := ""
			switch v := row[j].(type) {
			case string:
				want = strings.ReplaceAll(gangway.Harmless(v), "\r\n", newline)
			case bool:
				want = strconv.FormatBool(v)
			case int64:
				want = string(report.AppendDecimal(nil, v, c.Scale))
				switch c.Kind {
				case report.Instant:
					want = time.UnixMilli(v).UTC().Format("2006-01-02T15:04:05.999Z")
				case report.Day:
					want = time.UnixMilli(v).UTC().Format("2006-01-02")
				}
			}
			if got[i+1][j] != want {
				t.Errorf("row %d, %s: %q; want %q", i, c.Name, got[i+1][j], want)
			}
		}
	}
}

// TestFilesSayWhatODataSays holds that values of each column of each set are in both files what they are in
// the report's JSON.
func TestFilesSayWhatODataSays(t *testing.T) {
	for _, set := range report.Sets {
		row := make(report.Row, len(set.Columns))
		for i, c := range set.Columns {
			row[i] = map[report.Kind]any{report.Text: c.Name + " 1", report.Integer: int64(1234),
				report.Decimal: int64(56_789), report.Instant: made.UnixMilli(), report.Day: 20_788 * int64(dayLong),
				report.Flag: true}[c.Kind]
		}
		var said map[string]any
		decoder := json.NewDecoder(strings.NewReader("{" + string(set.AppendMembers(nil, row)) + "}"))
		decoder.UseNumber()
		calltest.Done(t, decoder.Decode(&said))
		var asCSV, asWorkbook bytes.Buffer
		for _, f := range []interface {
			Write([]report.Row) error
			Close(About) error
		}{NewCSV(&asCSV, set.Columns), NewWorkbook(&asWorkbook, set.Name, set.Columns)} {
			calltest.Done(t, f.Write([]report.Row{row}))
			calltest.Done(t, f.Close(About{set.Name, made, nil}))
		}
		lines, book := readCSV(t, asCSV.Bytes()), readSheets(t, asWorkbook.Bytes(), set.Name)
		for i, c := range set.Columns {
			want := fmt.Sprint(said[c.Name])
			if lines[1][i] != want {
				t.Errorf("%s, %s: %s in CSV; want %s", set.Name, c.Name, lines[1][i], want)
			}
			got := fmt.Sprint(book[0][c.Name])
			if c.Kind == report.Instant {
				got += "Z"
			}
			if got != want {
				t.Errorf("%s, %s: %s in the workbook; want %s", set.Name, c.Name, got, want)
			}
		}
	}
}

// TestRowsLeaveNothingInMemory holds that a file of many rows takes no more memory than one of a few.
func TestRowsLeaveNothingInMemory(t *testing.T) {
	all := rows(100)
	inUse := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for name, f := range map[string]interface{ Write([]report.Row) error }{
		"workbook": NewWorkbook(io.Discard, "Bookings", columns), "CSV": NewCSV(io.Discard, columns),
	} {
		write := func(times int) int64 {
			for range times {
				calltest.Done(t, f.Write(all))
			}
			return inUse()
		}
		few := write(10)
		if many := write(1000); many > few+256<<10 {
			t.Errorf("%s: %d KiB are in use after 1,000 rows, %d KiB after 100,000", name, few>>10, many>>10)
		}
		runtime.KeepAlive(f)
	}
}
