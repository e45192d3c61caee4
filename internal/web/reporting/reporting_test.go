package reporting_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/access"
	"gangway/internal/web/reporting"
)

// now is the time of all tests.
var now = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

// A service is the report of an account, served as the program serves it.
type service struct {
	*httptest.Server
	handler  http.Handler // what the server passes requests to
	db       *store.DB
	in       store.Scoped
	account  gangway.Account
	name     string
	password string
	clock    atomic.Int64 // how much time has passed
}

// newService returns the service of a new account with n bookings.
func newService(t testing.TB, db *store.DB, n int, limits reporting.Limits) *service {
	t.Helper()
	s := &service{db: db, account: storetest.Account(t, db)}
	s.in = db.In(s.account.Scope())
	s.name, s.password = s.login(t, s.account)
	under := http.NewServeMux()
	s.Server = httptest.NewServer(under)
	t.Cleanup(s.Close)
	s.handler = reporting.New(reporting.Config{
		DB: db, Now: func() time.Time { return now.Add(time.Duration(s.clock.Load())) },
		Log: slog.New(slog.DiscardHandler), URL: s.URL + "/reporting",
		Limits: limits, Budget: web.NewBudget(128<<20, web.Patience),
	})
	under.Handle("/reporting/", http.StripPrefix("/reporting", s.handler))
	for i := range n {
		s.book(t, i)
	}
	return s
}

// login returns a new login for an account's report.
func (s *service) login(t testing.TB, a gangway.Account) (name, password string) {
	t.Helper()
	name, password = store.NewID("report"), access.NewPassword()
	err := s.db.In(a.Scope()).CreateCredential(t.Context(), storetest.Operator,
		store.Credential{Kind: store.ReportLogin, ID: name, CreatedAt: now}, access.HashKey(password))
	must(t, err)
	return name, password
}

var surnames = []string{"SANTOS", "O'BRIEN", "Müller", "Dela Cruz", "Åkesson"}

// book makes the booking of a number: B000, B001 and so on, an hour apart. Every third is for Aurora, and
// every fourth awaits approval.
func (s *service) book(t testing.TB, i int, edit ...func(*gangway.Booking)) gangway.Booking {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Hour)
	id := fmt.Sprintf("B%03d", i)
	b := gangway.Booking{
		ID: id, Locator: fmt.Sprintf("%.6s", id+"AAAAAA"), CreatedAt: at, CreatedBy: "ana@halcyon.example",
		CreatedByName: "Ana Reyes",
		Passenger:     gangway.Traveller{LastName: surnames[i%len(surnames)], FirstName: "Jörg"},
		Purpose:       gangway.Purpose{Vessel: []string{"Aurora", "Boreas", "Nordlys"}[i%3], Search: "s1"},
	}
	b.Price.Total = gangway.Money{Minor: int64(10000 + 25*i), Currency: "EUR"}
	b.Itinerary = gangway.Itinerary{Segments: []gangway.Segment{{Origin: "MNL", Destination: "AMS", Carrier: "KL",
		FlightNumber: "804", Departure: at.AddDate(0, 1, 0), Arrival: at.AddDate(0, 1, 1)}}}
	for _, change := range edit {
		change(&b)
	}
	return storetest.Book(t, s.in, b)
}

// An answer is what came of a request.
type answer struct {
	status int
	header http.Header
	body   string
}

// get asks for a resource of the service, behind its root; header has names and values by turns.
func (s *service) get(t *testing.T, resource string, header ...string) answer {
	t.Helper()
	return s.ask(t, http.MethodGet, s.root()+resource, "", header...)
}

func (s *service) root() string { return s.URL + "/reporting/v2/odata/" }

// ask sends a request with the login of the service.
func (s *service) ask(t *testing.T, method, url, body string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, strings.ReplaceAll(url, " ", "%20"),
		strings.NewReader(body))
	must(t, err)
	req.SetBasicAuth(s.name, s.password)
	for i := 0; i < len(header); i += 2 {
		if header[i+1] == "" {
			req.Header.Del(header[i])
			continue
		}
		req.Header[header[i]] = append(req.Header[header[i]], header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	must(t, err)
	defer res.Body.Close()
	var from io.Reader = res.Body
	if res.Header.Get("Content-Encoding") == "gzip" {
		from, err = gzip.NewReader(res.Body)
		must(t, err)
	}
	text, err := io.ReadAll(from)
	must(t, err)
	return answer{res.StatusCode, res.Header, string(text)}
}

// A page is a page of rows.
type page struct {
	Context string           `json:"@odata.context"`
	Count   *int             `json:"@odata.count"`
	Value   []map[string]any `json:"value"`
	Next    string           `json:"@odata.nextLink"`
	Delta   string           `json:"@odata.deltaLink"`
}

// page reads an answer as a page.
func (a answer) page(t *testing.T) page {
	t.Helper()
	var p page
	if err := json.Unmarshal([]byte(a.body), &p); err != nil || a.status != 200 {
		t.Fatalf("%d, %v: %s", a.status, err, a.body)
	}
	return p
}

// ids are the bookings of a page.
func (p page) ids() (list []string) {
	for _, row := range p.Value {
		list = append(list, fmt.Sprint(row["BookingId"]))
	}
	return list
}

// fault reads an answer as an error: its code and message.
func (a answer) fault(t *testing.T) (code, message, target string) {
	t.Helper()
	var f struct {
		Error struct{ Code, Message, Target string }
	}
	if err := json.Unmarshal([]byte(a.body), &f); err != nil || f.Error.Code == "" {
		t.Fatalf("%d is no error of OData (%v): %s", a.status, err, a.body)
	}
	return f.Error.Code, f.Error.Message, f.Error.Target
}

// each runs a test with a service of n bookings on both databases.
func each(t *testing.T, n int, limits reporting.Limits, test func(t *testing.T, s *service)) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) { test(t, newService(t, db, n, limits)) })
}
