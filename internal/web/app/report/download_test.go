package report_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
	"gangway/internal/need"
	rows "gangway/internal/report"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/app/apptest"
	"gangway/internal/web/app/report"

	"github.com/chromedp/chromedp"
)

// book makes the booking of a number in an account: an hour apart, every third for Aurora.
func book(t *testing.T, in store.Scoped, i int) gangway.Booking {
	t.Helper()
	at := apptest.Today.AddDate(0, -1, 0).Add(time.Duration(i) * time.Hour)
	id := fmt.Sprintf("B%04d", i)
	b := gangway.Booking{
		ID: id, Locator: fmt.Sprintf("%.6s", id+"AAAAAA"), CreatedAt: at, CreatedBy: "ana@halcyon.example",
		CreatedByName: "Ana Reyes",
		Passenger: gangway.Traveller{LastName: []string{"SANTOS", "=HYPERLINK(\"http://x\")", "Müller", "张"}[i%4],
			FirstName: "Jörg"},
		Purpose: gangway.Purpose{Vessel: []string{"Aurora", "Boreas, \"Maid\"", "Nordlys"}[i%3], Search: "s1",
			CustomFields: map[string]string{"Cost centre": "0042", "Note": "a;=1"}},
	}
	b.Price.Total = gangway.Money{Minor: int64(100000 + 2501*i), Currency: "EUR"}
	b.Emissions.CO2eKg = 812.345
	b.Itinerary = gangway.Itinerary{Segments: []gangway.Segment{{Origin: "MNL", Destination: "AMS", Carrier: "KL",
		FlightNumber: "804", Departure: at.AddDate(0, 1, 0), Arrival: at.AddDate(0, 1, 1)}}}
	return storetest.Book(t, in, b)
}

// readCSV has a file read by Go's reader.
func readCSV(t *testing.T, content string) [][]string {
	t.Helper()
	return apptest.Must(csv.NewReader(strings.NewReader(strings.TrimPrefix(content, "\ufeff"))).ReadAll())(t)
}

// readSheet has a sheet of a workbook read by the reader of uploads.
func readSheet(t *testing.T, content, sheet string) (rows []map[string]any) {
	t.Helper()
	in := decode.Input{ReaderAt: strings.NewReader(content), Size: int64(len(content))}
	doc, err := decode.Open(in, gangway.DocumentFormat{Kind: gangway.XLSXFormat, Sheet: sheet}, decode.Limits{})
	apptest.Done(t, err)
	defer doc.Close()
	for {
		item, err := doc.Next()
		if errors.Is(err, io.EOF) {
			return rows
		}
		apptest.Done(t, err)
		rows = append(rows, item.Value.(map[string]any))
	}
}

// readBy has a workbook read by openpyxl.
func readBy(t *testing.T, how, content string, into any) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.xlsx")
	apptest.Done(t, os.WriteFile(path, []byte(content), 0o600))
	python := need.WorkbookReader(t)
	out, err := exec.CommandContext(t.Context(), python, "../../../report/files/testdata/read.py", how, path).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	apptest.Done(t, json.Unmarshal(out, into))
}

func inCSV(c rows.Column, value any) string {
	switch v := value.(type) {
	case string:
		return gangway.Harmless(v)
	case bool:
		return strconv.FormatBool(v)
	case int64:
		if c.Kind == rows.Instant {
			return time.UnixMilli(v).UTC().Format(time.RFC3339)
		}
		return string(rows.AppendDecimal(nil, v, c.Scale))
	}
	return ""
}

// booked makes more bookings than are read at a time, one of another account besides, and returns their rows.
func booked(t *testing.T, db *store.DB, s *apptest.Site) (all []rows.Row) {
	t.Helper()
	for i := range 520 {
		all = append(all, rows.RowOf(book(t, db.In(s.Production.Scope()), i), s.Production.Customer.ID))
	}
	slices.Reverse(all)
	book(t, db.In(s.Development.Scope()), 9000)
	return all
}

// TestDownloads holds that files have each row of the account, once, the newest first, as it stands, and none
// of another account; and who took them is told.
func TestDownloads(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		s := apptest.NewSiteOn(t, db)
		all := booked(t, db, s)
		c := s.SignedIn(t, gangway.Booker)
		columns := rows.FlightBookings.Columns

		file := c.Get("/report.xlsx?from=&to=")
		name := file.Head.Get("Content-Disposition")
		want := "production-flightbookingdetailed-made-2036-11-20.xlsx"
		if !strings.Contains(name, want) {
			t.Errorf("the file is named %s; want …%s", name, want)
		}
		found := readSheet(t, file.Body, "FlightBookingDetailed")
		if len(found) != len(all) {
			t.Fatalf("the workbook has %d rows", len(found))
		}
		for i, row := range all {
			if got, want := found[i]["BookingId"], row[0]; got != want {
				t.Errorf("workbook, row %d is %v; want %v", i, got, want)
			}
		}

		lines := readCSV(t, c.Get("/report.csv?from=&to=").Body)
		if len(lines) != len(all)+1 {
			t.Fatalf("the CSV file has %d lines", len(lines))
		}
		for i, row := range all {
			for j, c := range columns {
				if got, want := lines[i+1][j], inCSV(c, row[j]); got != want {
					t.Errorf("CSV, row %d, %s: %q; want %q", i, c.Name, got, want)
				}
			}
		}

		// what filters and columns select
		some := c.Get("/report.csv?from=&to=2036-10-25&vessel=aurora&column=PriceTotal&column=Locator&column=None")
		lines = readCSV(t, some.Body)
		if len(lines) != 46 || fmt.Sprint(lines[0], lines[1]) != "[Locator PriceTotal] [B0132A 4301.32]" {
			t.Errorf("%d lines: %v …", len(lines), lines[:2])
		}
		if name := some.Head.Get("Content-Disposition"); !strings.Contains(name, "-until-2036-10-25-made-") {
			t.Errorf("it is named %s", name)
		}
		c.Get("/report.csv?from=soon").Has("a day such as 28 nov")

		exports, err := db.Audit(t.Context(), store.AuditQuery{What: gangway.ReportExported, Newest: true}, 10)
		if err != nil || len(exports) != 6 {
			t.Fatalf("%d entries, %v", len(exports), err)
		}
		last := exports[0]
		if last.By.ID != "booker@example.com" || last.After["rows"] != 45.0 || last.After["vessel"] != true ||
			last.After["columns"] != "Locator, PriceTotal" || last.After["format"] != "csv" ||
			last.After["to"] != "2036-10-25" || last.After["finished"] != true {
			t.Errorf("the last entry is %+v", last)
		}
	})
}

// slowReader takes some time for each piece of a file, and calls first with the first one.
type slowReader struct {
	http.ResponseWriter
	took  time.Duration
	first func()
}

// Write takes a while.
func (s *slowReader) Write(p []byte) (int, error) {
	began := time.Now()
	for time.Since(began) < time.Millisecond {
		runtime.Gosched()
	}
	s.took += time.Since(began)
	if s.first != nil {
		s.first()
		s.first = nil
	}
	return s.ResponseWriter.Write(p)
}

// TestTimeOfDownloads holds that a file has a time for waiting for the database and reading from it, of which a slow
// reader takes nothing, and that its connection breaks when that is over.
func TestTimeOfDownloads(t *testing.T) {
	db := storetest.New(t)
	s := apptest.NewSiteOn(t, db)
	all := booked(t, db, s)
	in := db.In(s.Production.Scope())
	w, began := &slowReader{ResponseWriter: httptest.NewRecorder()}, time.Now()
	sent, spent, err := report.SendCSV(t.Context(), w, db, in, apptest.Today)
	if whole := time.Since(began); err != nil || sent != len(all) || spent <= 0 || spent > whole-w.took {
		t.Errorf("%d of %d rows are sent in %v, %v of it to the reader, and %v is spent on reading: %v", sent, len(all),
			whole, w.took, spent, err)
	}
	defer report.SetDownloadTime(time.Hour)()
	known := func(*http.Request) (gangway.Scope, error) { return s.Production.Scope(), nil }
	server := httptest.NewServer(web.Gate(db, slog.New(slog.DiscardHandler), known, web.Problem, func(
		w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		sent, _, err := report.SendCSV(r.Context(), &slowReader{ResponseWriter: w, first: func() {
			report.SetDownloadTime(0)
		}}, db, in, apptest.Today)
		if !errors.Is(err, store.ErrReportTooLong) || sent != 500 {
			t.Errorf("when the time is over, %d rows were sent, and then: %v", sent, err)
		}
		return err
	}))
	defer server.Close()
	res := apptest.Must(http.Get(server.URL))(t)
	defer res.Body.Close()
	if _, err := io.ReadAll(res.Body); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the reader of a file that ends early sees %v", err)
	}
}

// TestDownloadPage holds that the page says how many rows there are, and of which columns.
func TestDownloadPage(t *testing.T) {
	s := apptest.NewSite(t)
	in := apptest.Production(s)
	for i := range 12 {
		book(t, in, i)
	}
	s.SignedIn(t, gangway.Booker).Get("/report/download?from=&to=&vessel=Aurora").Has("4 rows", "vessel Aurora",
		"Great-circle distance of all flights together.", `name="column"`)
}

// TestConnect holds that everybody in an account finds the address and files with it, in which there is no login.
func TestConnect(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	root := s.URL + "/reporting/v2/odata/"
	page := c.Get("/report/connect")
	page.Shows("/report/connect", root, "Settings › Keys", "pandas.DataFrame", "From OData Feed",
		"The address has no https").Lacks(`href="/settings/keys"`)
	s.SignedIn(t, gangway.Admin).Get("/report/connect").Has(`<a href="/settings/keys">Settings › Keys</a>`)
	bi := c.Get("/report/connect.pbids")
	bi.Has(`"url": "`+root+`"`, `"protocol": "odata"`)
	if name := bi.Head.Get("Content-Disposition"); !strings.HasSuffix(name, `-production-report.pbids"`) {
		t.Errorf("it is named %s", name)
	}
	if book := readSheet(t, c.Get("/report/connect.xlsx").Body, "FlightBookingDetailed"); len(book) > 1 {
		t.Errorf("the workbook that reads rows by itself has %d of its own", len(book))
	}
}

// TestInteropConnect holds that the workbook which reads rows by itself has the address.
func TestInteropConnect(t *testing.T) {
	need.Interop(t)
	s := apptest.NewSite(t)
	root := s.URL + "/reporting/v2/odata/"
	var connected struct {
		Program string
		Table   struct{ Name string }
	}
	readBy(t, "query", s.SignedIn(t, gangway.Booker).Get("/report/connect.xlsx").Body, &connected)
	if !strings.Contains(connected.Program, `OData.Feed("`+root+`",`) || connected.Table.Name != "FlightBookingDetailed" {
		t.Errorf("the workbook reads %+v", connected)
	}
}

// TestDownloadsOfOtherSets holds that each set can be downloaded: rows of the days and the bookings that the report is
// about.
func TestDownloadsOfOtherSets(t *testing.T) {
	s := apptest.NewSite(t)
	in := apptest.Production(s)
	for i := range 30 {
		book(t, in, i)
	}
	c := s.SignedIn(t, gangway.Booker)
	filters := "?from=2036-10-21&to=2036-10-21&vessel=Aurora&set="
	for _, set := range rows.Sets {
		lines := readCSV(t, c.Get("/report.csv"+filters+set.Name).Body)
		want := map[string]int{"FlightBookingDetailed": 5, "Segments": 5, "Actions": 5}[set.Name]
		if len(lines[0]) != len(set.Columns) || lines[0][0] != set.Columns[0].Name || len(lines)-1 != want {
			t.Errorf("%s has %d rows of %v; want %d", set.Name, len(lines)-1, lines[0], want)
		}
		if got := readSheet(t, c.Get("/report.xlsx"+filters+set.Name).Body, set.Name); len(got) != want {
			t.Errorf("the workbook of %s has %d rows; want %d", set.Name, len(got), want)
		}
	}
	c.Get("/report/download"+filters+"Actions").Has("The days are about ActedAt", "5 rows")
}

// TestDownloadsByDeparture holds that days of departure are those of the bookings for every set that leads to them,
// and that what cannot apply to a set is not lost on the way back.
func TestDownloadsByDeparture(t *testing.T) {
	s := apptest.NewSite(t)
	in := apptest.Production(s)
	for i := range 30 {
		book(t, in, i)
	}
	if _, err := in.UpsertTravelRequests(t.Context(), []gangway.TravelRequest{
		{RequestID: "R1", Hotel: &gangway.HotelNeed{CheckIn: "2026-12-30", CheckOut: "2027-01-02"},
			Vehicle: &gangway.Vehicle{Name: "Aurora"}},
		{RequestID: "R2", Hotel: &gangway.HotelNeed{}, Vehicle: &gangway.Vehicle{Name: "Nordlys"}},
	}); err != nil {
		t.Fatal(err)
	}
	c := s.SignedIn(t, gangway.Booker)
	// They leave a month after they were booked.
	filters := "?by=departure&from=2036-11-21&to=2036-11-21&vessel=Aurora"
	for set, want := range map[string]int{"FlightBookingDetailed": 5, "Segments": 5, "Actions": 5, "Refunds": 0,
		"HotelRequirements": 1} {
		file := c.Get("/report.csv" + filters + "&set=" + set)
		lines := readCSV(t, file.Body)
		if len(lines)-1 != want {
			t.Errorf("%s has %d rows; want %d", set, len(lines)-1, want)
		}
		name := "-" + strings.ToLower(set) + "-aurora-leaving-2036-11-21-to-2036-11-21-made-"
		if set == "HotelRequirements" {
			name = "-hotelrequirements-aurora-made-"
			if fmt.Sprint(lines[1][3:6]) != "[2026-12-30 2027-01-02 3]" {
				t.Errorf("the hotel's days are %s", lines[1][3:6])
			}
		}
		if said := file.Head.Get("Content-Disposition"); !strings.Contains(said, name) {
			t.Errorf("%s is named %s; want …%s…", set, said, name)
		}
		back := "/report?by=departure&amp;from=2036-11-21&amp;to=2036-11-21&amp;vessel=Aurora"
		page := c.Get("/report/download" + filters + "&set=" + set)
		page.Has(`href="`+back+`"`, `href="`+strings.Replace(back, "?", "/connect?", 1)+`"`,
			fmt.Sprintf(`aria-current="page">%s</a>`, set))
	}
	c.Get("/report/connect" + filters).Has(`href="/report?by=departure&amp;from=2036-11-21&amp;to=2036-11-21&amp;vessel=`)
	c.Get("/report" + filters).Has(`href="/report/connect?by=departure&amp;from=2036-11-21`)

	about := fmt.Sprint(readSheet(t, c.Get("/report.xlsx"+filters).Body, "About"))
	for _, want := range []string{"Leaving column_2:Fri 21 Nov 2036", "Made column_2:Thu 20 Nov 2036 ",
		"the sum of PriceTotal"} {
		if !strings.Contains(about, want) {
			t.Errorf("the last sheet says %s; want %q", about, want)
		}
	}
}

// TestColumnsAreChosenInBrowser holds that all columns and none are ticked by a button each, that no file comes while
// none is, with a script or without, and that what stands on the page of connections is copied by a button.
func TestColumnsAreChosenInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	book(t, apptest.Production(s), 1)
	c := s.SignedIn(t, gangway.Booker)
	c.Get("/report.csv?from=&to=&choose=columns").Has("No column of FlightBookingDetailed was chosen")
	c.Get("/report.csv?from=&to=&column=Nonsense").Has("No column of FlightBookingDetailed was chosen")

	for _, path := range []string{"/report.csv", "/report.xlsx", "/report/download"} {
		c.Get(path + "?from=&to=&set=Nope").Has("The report has no set")
	}

	b := apptest.OpenTab(t)
	b.Become(c)
	b.Do(chromedp.Navigate(s.URL + "/report/download?from=&to="))
	ticked := `document.querySelectorAll("[name=column]:checked").length`
	all := len(rows.FlightBookings.Columns)
	b.Until(fmt.Sprintf(`%s === %d && document.querySelector("form.download").checkValidity()`, ticked, all))
	b.Do(chromedp.Click(apptest.CSS("[data-tick=none]")))
	b.Until(ticked + ` === 0 && !document.querySelector("form.download").checkValidity()`)
	b.Do(chromedp.Click(apptest.CSS("[name=column][value=PriceTotal]")))
	b.Until(ticked + ` === 1 && document.querySelector("form.download").checkValidity()`)
	b.Do(chromedp.Click(apptest.CSS("[data-tick=all]")))
	b.Until(fmt.Sprintf(`%s === %d`, ticked, all))

	b.Do(chromedp.Navigate(s.URL + "/report/connect"))
	b.Do(chromedp.Click(apptest.CSS(`button[aria-label="Copy the line"]`)))
	b.Until(`/Copied|Selected/.test(document.querySelector("pre[aria-label=curl] + p [role=status]").textContent)`)
	b.Resize(1280)
	if cut := b.Read(`[...document.querySelectorAll(".connect pre")].filter(p => p.scrollWidth > p.clientWidth)
		.map(p => p.textContent).join("\n")`); cut != "" {
		t.Errorf("cut at 1280: %s", cut)
	}
}
