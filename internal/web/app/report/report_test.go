package report_test

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/access"
	"gangway/internal/web/app/apptest"
	"gangway/internal/web/reporting"
)

// everything is the report of all bookings.
const everything = "/report?from=&to="

// TestFiguresAreThoseOfTheBookings adds up bookings one by one and finds the same on the page, in the tables that
// each chart is.
func TestFiguresAreThoseOfTheBookings(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		s := apptest.NewSiteOn(t, db)
		list := apptest.Reported(t, apptest.Production(s), 300)
		page := s.SignedIn(t, gangway.Booker).Get(everything)
		page.Shows(everything)
		page.Lacks("could not be worked out")
		page.Has(`<p class="on-paper">` + s.Production.Customer.Name + ", production · as of " +
			s.Now().UTC().Format("2 Jan 2006"))

		all, usd := newFigures(), "USD"
		vessels, routes, months := map[string]*figures{}, map[string]*figures{}, map[string]*figures{}
		spend := map[string]*big.Rat{}
		for _, b := range list {
			route := b.Itinerary.Route()
			for _, f := range []*figures{all, of(vessels, b.Purpose.Vessel),
				of(routes, string(route[0])+" → "+string(route[len(route)-1])),
				of(months, b.CreatedAt.Format("Jan 2006"))} {
				f.add(b, usd)
			}
			if currency := b.Price.Total.Currency; paid(b) {
				if spend[currency] == nil {
					spend[currency] = new(big.Rat)
				}
				spend[currency].Add(spend[currency], cents(b.Price.Total))
			}
		}
		if len(spend) != 3 {
			t.Fatalf("the bookings are in %d currencies; want 3", len(spend))
		}
		for currency, n := range spend {
			tile(t, page, "Spend, "+currency, thousands(n.FloatString(2)))
		}
		tile(t, page, "Emissions", all.tonnes()+" t")
		tile(t, page, "Bookings", "300")

		rows := table(page.Body, "vessels")
		if len(vessels) != 21 || len(rows) != 17 {
			t.Fatalf("%d vessels are %d rows; want the 15 largest of 21, the others, and all", len(vessels), len(rows))
		}
		page.Has("The 15 with the most spend in USD of 21 vessels:")
		rest := newFigures()
		*rest = *all
		var before *big.Rat
		for _, r := range rows[:15] {
			name := r[0]
			if name == "No vessel named" {
				name = ""
			}
			f := vessels[name]
			if f == nil {
				t.Fatalf("there is no vessel %q", name)
			}
			if before != nil && f.spend.Cmp(before) > 0 {
				t.Errorf("%s comes behind a vessel with less spend", name)
			}
			before = f.spend
			want(t, r, []string{r[0], f.paid(), f.tonnes(), fmt.Sprint(f.bookings)})
			rest.take(f)
		}
		want(t, rows[15], []string{"6 others", rest.money(), rest.tonnes(), fmt.Sprint(rest.bookings)})
		want(t, rows[16], []string{"All 21 vessels", all.money(), all.tonnes(), fmt.Sprint(all.bookings)})

		rows = table(page.Body, "routes")
		for _, r := range rows[:len(rows)-1] {
			f := of(routes, strings.Join(strings.Fields(r[0])[:3], " "))
			want(t, r, []string{r[0], f.paid(), f.tonnes(), fmt.Sprint(f.bookings)})
		}
		rows = table(page.Body, "months")
		if len(rows) != len(months) {
			t.Errorf("%d months are %d rows", len(months), len(rows))
		}
		for _, r := range rows {
			f := of(months, strings.TrimSuffix(r[0], " in part"))
			want(t, r, []string{r[0], f.money(), f.tonnes(), fmt.Sprint(f.bookings), fmt.Sprint(f.tickets)})
		}
		checkLate(t, page.Body, list, usd)
		checkReturned(t, table(page.Body, "returned"), list, usd)
	})
}

// TestFiltersSelect holds that each filter leaves the bookings that it says, and that they act together.
func TestFiltersSelect(t *testing.T) {
	s := apptest.NewSite(t)
	list := apptest.Reported(t, apptest.Production(s), 120)
	c := s.SignedIn(t, gangway.Booker)
	for filter, fits := range map[string]func(gangway.Booking) bool{
		"vessel=ISLES":   func(b gangway.Booking) bool { return strings.Contains(b.Purpose.Vessel, "Isles") },
		"vessel=%22a%22": func(gangway.Booking) bool { return false },
		"vessel=%22Ocean+%22Blue%22+Sky%22": func(b gangway.Booking) bool {
			return b.Purpose.Vessel == `Ocean "Blue" Sky`
		},
		"vessel=%27+or+true+or+%27":    func(gangway.Booking) bool { return false },
		"airline=qr":                   func(b gangway.Booking) bool { return b.Plating == "QR" },
		"airline=turkish":              func(b gangway.Booking) bool { return b.Plating == "TK" },
		"origin=mnl":                   func(b gangway.Booking) bool { return b.Itinerary.Route()[0] == "MNL" },
		"destination=AMS&state=issued": func(b gangway.Booking) bool { return ends(b, "AMS") && b.State == "issued" },
		"currency=nok":                 func(b gangway.Booking) bool { return b.Price.Total.Currency == "NOK" },
		"fare=public":                  func(b gangway.Booking) bool { return b.Terms.FareType == gangway.Public },
		"from=2036-03-05&to=2036-03-05": func(b gangway.Booking) bool {
			return gangway.DateOf(b.CreatedAt) == "2036-03-05"
		},
		"by=departure&from=2036-11-21": func(b gangway.Booking) bool {
			return gangway.DateOf(b.Itinerary.Departure()) >= "2036-11-21"
		},
		"": func(b gangway.Booking) bool { return gangway.DateOf(b.CreatedAt) >= "2035-12-01" },
	} {
		n := 0
		for _, b := range list {
			if fits(b) {
				n++
			}
		}
		at := "/report?" + filter
		if filter != "" && !strings.Contains(filter, "from=") {
			at += "&from=&to="
		}
		if page := c.Get(at); n == 0 {
			page.Has("No bookings here")
		} else {
			page.Lacks("could not be worked out")
			tile(t, page, "Bookings", fmt.Sprint(n))
		}
	}
	// What the table leads to is reported with the same figures.
	page := c.Get(everything + "&rank=Bookings")
	row := table(page.Body, "vessels")[0]
	link := regexp.MustCompile(`(?s)id="vessels".*?<th scope="row"><a href="([^"]+)"`).FindStringSubmatch(page.Body)
	tile(t, c.Get(html.UnescapeString(link[1])), "Bookings", row[3])
}

// TestWrongFilters holds that a filter that makes no sense is named, and that nothing is reported then.
func TestWrongFilters(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.Reported(t, apptest.Production(s), 3)
	c := s.SignedIn(t, gangway.Booker)
	for filter, says := range map[string]string{
		"from=soon": "a day such as 28 nov", "from=2036-02-02&to=2036-02-01": "must not be before the first",
		"to=2036-02-30": "a day such as 28 nov", "to=9999-12-31": "a day from 1970",
		"vessel=" + strings.Repeat("x", 300): "a name, or part of one", "origin=Manila": "three letters, such as MNL",
		"vessel=%22Aur": "closed with a quote",
		"state=lost":    "This must be a state", "by=leave": "created or departure",
		"currency=$": "three letters, such as USD", "fare=free": "marine or public",
	} {
		a := c.Get("/report?" + filter)
		if a.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s is answered with %d; want 422", filter, a.Status)
		}
		if file := c.Get("/report.csv?" + filter); file.Status != http.StatusUnprocessableEntity {
			t.Errorf("a file of %s is answered with %d; want 422", filter, file.Status)
		}
		a.Has(says, "Nothing is reported until the filters make sense")
		a.Lacks(`class="tiles"`, "OData feed")
	}
}

// TestPeriodsAreWhole holds that the usual periods end with their month, whichever days count: what leaves in a later
// month is not of this one.
func TestPeriodsAreWhole(t *testing.T) {
	s := apptest.NewSite(t)
	list := apptest.Reported(t, apptest.Production(s), 120)
	c := s.SignedIn(t, gangway.Booker)
	page := c.Get("/report?by=departure")
	for name, from := range map[string]gangway.Date{"This month": "2036-11-01", "12 months": "2035-12-01"} {
		link := regexp.MustCompile(`href="([^"]+)"[^>]*>` + name + `</a>`).FindStringSubmatch(page.Body)
		n, later := 0, 0
		for _, b := range list {
			switch day := gangway.DateOf(b.Itinerary.Departure()); {
			case day > "2036-11-30":
				later++
			case day >= from:
				n++
			}
		}
		if n == 0 || later == 0 {
			t.Fatalf("%d bookings leave since %s, %d later", n, from, later)
		}
		tile(t, c.Get(html.UnescapeString(link[1])).Has(`aria-current="true">`+name), "Bookings", fmt.Sprint(n))
	}
}

// TestMoneyOfOtherCurrencies holds that the currency of charts can be chosen without dropping bookings, that heads
// name it, and that who paid nothing in it has a dash: not 0.00, which would say that nothing was paid.
func TestMoneyOfOtherCurrencies(t *testing.T) {
	s := apptest.NewSite(t)
	list := apptest.Reported(t, apptest.Production(s), 120)
	c := s.SignedIn(t, gangway.Booker)
	for _, currency := range []string{"USD", "NOK"} {
		page := c.Get(everything + "&rank=Bookings&money=" + currency)
		tile(t, page.Has(`data-label="Spend, `+currency+`"`, "<strong>"+currency+"</strong>"), "Bookings", "120")
		vessels := map[string]*figures{}
		for _, b := range list {
			of(vessels, b.Purpose.Vessel).add(b, currency)
		}
		dashes := 0
		for _, r := range table(page.Body, "vessels")[:15] {
			f := vessels[strings.Replace(r[0], "No vessel named", "", 1)]
			want(t, r, []string{r[0], f.paid(), f.tonnes(), fmt.Sprint(f.bookings)})
			if f.tickets == 0 {
				dashes++
			}
		}
		if currency == "NOK" && dashes == 0 {
			t.Error("every vessel paid in NOK: nothing is seen of a dash")
		}
	}
}

// TestNothingBooked holds that an account without bookings is not led from the report of all days to itself.
func TestNothingBooked(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	page := c.Get(everything)
	page.Has("Nothing was booked yet")
	page.Lacks("Show all bookings")
	c.Get("/report").Has("Nothing was booked on these days", "Show all bookings")
}

// TestNobodyElsesFigures holds that a report is about one account.
func TestNobodyElsesFigures(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.ReportedClient(t, s, 20).Get(everything).Has("<strong>20</strong>")
	s.SignedIn(t, gangway.Admin).Get(everything).Has("No bookings here")
}

// TestSameFiguresElsewhere asks the OData service at each address that the page offers, as Excel does, and finds the
// figures of the page.
func TestSameFiguresElsewhere(t *testing.T) {
	s := apptest.NewSite(t)
	in := apptest.Production(s)
	apptest.Reported(t, in, 60)
	name, password := store.NewID("report"), access.NewPassword()
	if err := in.CreateCredential(t.Context(), storetest.Operator, store.Credential{Kind: store.ReportLogin,
		ID: name, CreatedAt: apptest.Today}, access.HashKey(password)); err != nil {
		t.Fatal(err)
	}
	service := http.StripPrefix("/reporting", reporting.New(reporting.Config{DB: s.DB, Now: s.Now,
		Log: slog.New(slog.DiscardHandler), URL: s.URL + "/reporting",
		Budget: web.NewBudget(128<<20, time.Second)}))
	page := s.SignedIn(t, gangway.Booker).Get(everything + "&vessel=a")
	asked := map[string]bool{}
	for _, m := range regexp.MustCompile(`<pre tabindex="0"><code>([^<]+)</code>`).FindAllStringSubmatch(page.Body, -1) {
		address := html.UnescapeString(m[1])
		if asked[address] {
			continue
		}
		asked[address] = true
		r := httptest.NewRequest(http.MethodGet, address, nil)
		r.SetBasicAuth(name, password)
		w := httptest.NewRecorder()
		service.ServeHTTP(w, r)
		var answer struct {
			Value []map[string]any `json:"value"`
		}
		if err := json.NewDecoder(w.Body).Decode(&answer); err != nil || w.Code != http.StatusOK ||
			len(answer.Value) == 0 {
			t.Fatalf("%s is answered with %d, %d rows, %v", address, w.Code, len(answer.Value), err)
		}
		checkTotals(t, page.Body, answer.Value)
		if first := answer.Value[0]; first["VesselName"] != nil {
			row := table(page.Body, "vessels")[0]
			want(t, row[:1], []string{first["VesselName"].(string)})
			want(t, row[3:], []string{fmt.Sprint(first["Bookings"])})
		}
	}
	if len(asked) != 8 {
		t.Errorf("the page offers %d addresses; want 8", len(asked))
	}
}

// TestThePageComesAtOnce reads the page while nothing of it can be worked out: its filters are there. Once it can,
// the rest follows in the same answer.
func TestThePageComesAtOnce(t *testing.T) {
	s := apptest.NewSite(t)
	in := apptest.Production(s)
	apptest.Reported(t, in, 5)
	held, free := make(chan struct{}, store.ReportsOfOne), make(chan struct{})
	over := make(chan error, store.ReportsOfOne)
	for range store.ReportsOfOne { // all turns of the account are taken
		go func() {
			over <- in.Report(t.Context(), anything(t), store.ReportAnswer{Row: func(query.Row) error {
				held <- struct{}{}
				<-free
				return io.EOF
			}})
		}()
		<-held
	}
	c := s.SignedIn(t, gangway.Booker)
	res := apptest.Must(c.HTTP.Get(s.URL + everything))(t)
	defer res.Body.Close()
	body := bufio.NewReader(res.Body)
	readUntil(t, body, `<div class="report">`)
	close(free)
	readUntil(t, body, "<strong>5</strong></a>")
	readUntil(t, body, `id="late"`)
	readUntil(t, body, "</html>")
	for range store.ReportsOfOne {
		if err := <-over; err != io.EOF {
			t.Error(err)
		}
	}
}

// TestFirstBuild holds that a report of which some bookings have no row yet is not shown, and that the browser asks
// again by itself.
func TestFirstBuild(t *testing.T) {
	at := storetest.SQLiteURL(t)
	db := apptest.Must(store.Open(t.Context(), at))(t)
	t.Cleanup(func() { db.Close() })
	db.SealWith(storetest.Sealer(t))
	s := apptest.NewSiteOn(t, db)
	apptest.Reported(t, apptest.Production(s), 5)
	raw := apptest.Must(sql.Open("sqlite", strings.TrimPrefix(at, "sqlite:")))(t)
	defer raw.Close()
	if _, err := raw.ExecContext(t.Context(), `INSERT INTO report_build (account, fresh) VALUES ($1, 1)`,
		s.Production.Scope().Account); err != nil {
		t.Fatal(err)
	}
	c := s.SignedIn(t, gangway.Booker)
	a := c.Get(everything)
	if a.Status != http.StatusServiceUnavailable || a.Head.Get("Refresh") == "" {
		t.Errorf("it is answered with %d and Refresh %q", a.Status, a.Head.Get("Refresh"))
	}
	a.Has("The report is being made")
	a.Lacks(`class="tiles"`)
	for apptest.Must(db.BuildReports(t.Context()))(t) {
	}
	tile(t, c.Get(everything), "Bookings", "5")
}

// figures are added up from bookings.
type figures struct {
	bookings, tickets int
	spend, co2        *big.Rat
}

func newFigures() *figures { return &figures{spend: new(big.Rat), co2: new(big.Rat)} }

func of(all map[string]*figures, name string) *figures {
	if all[name] == nil {
		all[name] = newFigures()
	}
	return all[name]
}

func (f *figures) add(b gangway.Booking, currency string) {
	f.bookings++
	if b.Live() {
		f.co2.Add(f.co2, new(big.Rat).SetFloat64(b.Emissions.CO2eKg))
	}
	if paid(b) && b.Price.Total.Currency == currency {
		f.tickets++
		f.spend.Add(f.spend, cents(b.Price.Total))
	}
}

func (f *figures) take(o *figures) {
	f.bookings -= o.bookings
	f.spend, f.co2 = new(big.Rat).Sub(f.spend, o.spend), new(big.Rat).Sub(f.co2, o.co2)
}

func (f *figures) money() string { return thousands(f.spend.FloatString(2)) }

// paid is the money of a group: a dash where nothing was paid in this currency.
func (f *figures) paid() string {
	if f.tickets == 0 {
		return "—"
	}
	return f.money()
}

func (f *figures) tonnes() string {
	return thousands(new(big.Rat).Quo(f.co2, big.NewRat(1000, 1)).FloatString(2))
}

// paid reports whether there are or were tickets.
func paid(b gangway.Booking) bool { return len(b.Tickets) > 0 }

func ends(b gangway.Booking, at gangway.Airport) bool {
	route := b.Itinerary.Route()
	return route[len(route)-1] == at
}

func cents(m gangway.Money) *big.Rat { return big.NewRat(m.Minor, 100) }

func thousands(digits string) string {
	whole, rest, _ := strings.Cut(digits, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole + "." + rest
}

// days is how many whole days a booking was made before departure.
func days(b gangway.Booking) int {
	return int(b.Itinerary.Departure().Sub(b.CreatedAt) / (24 * time.Hour))
}

func checkLate(t *testing.T, page string, list []gangway.Booking, currency string) {
	t.Helper()
	rows, early := table(page, "late"), map[string]*figures{}
	route := func(b gangway.Booking) string {
		all := b.Itinerary.Route()
		return string(all[0]+all[len(all)-1]) + string(b.Terms.FareType)
	}
	for _, b := range list {
		if days(b) >= 21 {
			of(early, route(b)).add(b, currency)
		}
	}
	spend, expected, tickets, all := new(big.Rat), new(big.Rat), 0, 0
	for _, b := range list {
		f := early[route(b)]
		if days(b) < 21 && paid(b) && b.Price.Total.Currency == currency {
			all++
		}
		if days(b) >= 21 || !paid(b) || b.Price.Total.Currency != currency || f == nil || f.tickets == 0 {
			continue
		}
		tickets++
		spend.Add(spend, cents(b.Price.Total))
		expected.Add(expected, new(big.Rat).Quo(f.spend, big.NewRat(int64(f.tickets), 1)))
	}
	more := new(big.Rat).Sub(spend, expected)
	if says := fmt.Sprintf("Of %d tickets booked less than 21 days ahead, %d can be compared", all, tickets); !strings.
		Contains(page, says) {
		t.Errorf("the page does not say: %s", says)
	}
	want(t, rows[len(rows)-1][:5], []string{"All below 21", fmt.Sprint(tickets), thousands(spend.FloatString(2)),
		thousands(expected.FloatString(2)), "+" + thousands(more.FloatString(2))})
}

func checkReturned(t *testing.T, rows [][]string, list []gangway.Booking, currency string) {
	t.Helper()
	given, returned, unknown := new(big.Rat), new(big.Rat), new(big.Rat)
	for _, b := range list {
		if !paid(b) || b.Live() || b.Price.Total.Currency != currency {
			continue
		}
		given.Add(given, cents(b.Price.Total))
		if m, known := b.RefundTotal(); known {
			returned.Add(returned, cents(m))
		} else {
			unknown.Add(unknown, cents(b.Price.Total))
		}
	}
	if returned.Sign() == 0 || unknown.Sign() == 0 {
		t.Fatal("the bookings have no refunds of both kinds")
	}
	keeps := new(big.Rat).Sub(new(big.Rat).Sub(given, unknown), returned)
	want(t, rows[len(rows)-1][:5], []string{"All months", thousands(given.FloatString(2)),
		thousands(returned.FloatString(2)), thousands(keeps.FloatString(2)), thousands(unknown.FloatString(2))})
}

// checkTotals adds up what the address of the first part answers, if these are its rows: nobody has to know which
// states stand.
func checkTotals(t *testing.T, page string, rows []map[string]any) {
	t.Helper()
	if _, totals := rows[0]["Km"]; !totals || rows[0]["State"] == nil {
		return
	}
	kg, km := 0.0, 0.0
	for _, r := range rows {
		mass, _ := r["Co2Kg"].(float64)
		way, _ := r["Km"].(float64)
		kg, km = kg+mass, km+way
	}
	for _, says := range []string{fmt.Sprintf("%.2f", kg/1000) + " t</strong>",
		strings.TrimSuffix(thousands(fmt.Sprintf("%.0f", km)), ".") + " km</strong>"} {
		if !strings.Contains(page, "<strong>"+says) {
			t.Errorf("the address adds up to %s, which the page does not say", says)
		}
	}
}

// want compares the cells of a row.
func want(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("a row is %q; want %q", got, want)
	}
}

// tile holds that a tile of the page has a figure, which is a link, and returns where that leads.
func tile(t *testing.T, page apptest.Answer, title, figure string) string {
	t.Helper()
	found := regexp.MustCompile(`<dt>` + title + `</dt><dd><a href="([^"]+)"><strong>([^<]+)</strong>`).
		FindStringSubmatch(page.Body)
	if found == nil || figure != "" && found[2] != figure {
		t.Fatalf("%s is %q; want %s", title, found, figure)
	}
	return html.UnescapeString(found[1])
}

var (
	rowTag  = regexp.MustCompile(`(?s)<tr[ >].*?</tr>`)
	cellTag = regexp.MustCompile(`(?s)<t[hd][ >].*?</t[hd]>`)
	anyTag  = regexp.MustCompile(`(?s)<[^>]*>`)
)

// table returns the rows of a part's table, without its head.
func table(page, id string) (rows [][]string) {
	_, part, _ := strings.Cut(page, `<section class="panel" id="`+id+`"`)
	part, _, _ = strings.Cut(part, "</section>")
	_, part, _ = strings.Cut(part, "<tbody>")
	for _, tr := range rowTag.FindAllString(part, -1) {
		var row []string
		for _, cell := range cellTag.FindAllString(tr, -1) {
			text := html.UnescapeString(anyTag.ReplaceAllString(cell, ""))
			row = append(row, strings.Join(strings.Fields(text), " "))
		}
		rows = append(rows, row)
	}
	return rows
}

// anything asks for bookings.
func anything(t *testing.T) query.Request {
	t.Helper()
	read := apptest.Must(odata.Parse(query.Schema, "/FlightBookingDetailed", "", odata.Options{Now: apptest.Today}))(t)
	req := apptest.Must(query.For(read))(t)
	return req
}

// readUntil reads a page up to a text.
func readUntil(t *testing.T, r *bufio.Reader, text string) {
	t.Helper()
	var read strings.Builder
	for !strings.HasSuffix(read.String(), text) {
		b, err := r.ReadByte()
		if err != nil {
			t.Fatalf("the page ends (%v) before %q", err, text)
		}
		read.WriteByte(b)
	}
}
