package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gangway"
	"gangway/internal/deliver"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/go-json-experiment/json"
)

// nobodyElse is a traveller whose values nobody else has, as a record's members.
func nobodyElse() map[string]any {
	return map[string]any{
		"id": "E-4711", "last_name": "Żółkiewska-Quux", "first_name": "Bartłomieja", "dob": "1979-10-27", "nationality": "PL", "gender": "F",
		"doc_country": "PL", "doc_number": "ZQ773190X", "doc_expire": "2035-01-01", "home_airport": "WAW", "email": "quux@example.org", "phone": "+48225550147",
		"shoe_size": "of Bartłomieja, born 27/10/1979",
	}
}

// traces are the bytes that must not be left: the passport, the birth date as
// it was sent and as somebody wrote it, and the name as sent, as searched for
// and as printed on the ticket.
var traces = []string{
	"ZQ773190X", "zq773190x", "1979-10-27", "27/10/1979", "27OCT79", "Żółkiewska", "zolkiewska", "ZOLKIEWSKA", "Quux", "quux", "QUUX",
	"Bartłomieja", "bartlomieja", "BARTLOMIEJA", "BARTŁOMIEJA", `Bart\u0142omieja`, "225550147",
}

// TestNothingIsLeft erases a traveller who went through everything, beside a
// server that goes on, and looks at every byte.
func TestNothingIsLeft(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, database string) {
		w := newLife(t, database)
		w.live()
		w.trace()
		before := dump(t, database)
		for _, word := range []string{"ZQ773190X", "1979-10-27", "27/10/1979", "27OCT79", "Żółkiewska", "zolkiewska", "Bartłomieja"} {
			if !bytes.Contains(before, []byte(word)) {
				t.Errorf("%q was nowhere before: the test looks at nothing", word)
			}
		}
		b := w.booking()
		who := []string{"traveller", "erase", "--database", database, "--customer", w.id, "--environment", "production", "--id", "E-4711"}
		refused(t, b.Locator, who...)
		w.cancel()
		_, first, err := call(http.MethodGet, w.base+"/bookings?pull=first", w.key, nil)
		if err != nil || !bytes.Contains(first, []byte("Bartłomieja")) {
			t.Fatalf("the first pull is %s, %v; want one with the traveller", first, err)
		}
		b = w.booking()

		got := answer[erasedTraveller](t, who...)
		if got.Travellers != 1 || got.Requests != 1 || got.CrewChanges != 2 || got.Searches != 2 || got.Bookings != 1 || got.Actions != b.Version || got.HandOffs != 1 || len(got.Alike) > 0 {
			t.Errorf("erased: %+v; want all that there was", got)
		}
		nothingLeft(t, database)

		// The figures stay, and the same pull gives the same actions without the person.
		now := w.booking()
		if now.State != b.State || now.Price != b.Price || now.Locator != b.Locator || now.Purpose.Vessel != b.Purpose.Vessel || len(now.Itinerary.Segments) != len(b.Itinerary.Segments) || !now.Passenger.Erased() {
			t.Errorf("the booking is %+v; want its figures as they were", now)
		}
		_, again, err := call(http.MethodGet, w.base+"/bookings?pull=first", w.key, nil)
		if err != nil || bytes.Count(again, []byte(`"timestamp"`)) != bytes.Count(first, []byte(`"timestamp"`)) || !bytes.Contains(again, []byte(`"passenger":{"last_name":"ERASED","first_name":"TRAVELLER","id":""}`)) {
			t.Errorf("the pull repeats as %s, %v; want the same actions of an erased traveller", again, err)
		}
		// Whoever is sent again is somebody new.
		w.upload()
		if found, err := w.in.SuggestTravellers(t.Context(), "zolkiewska", nil, 10); err != nil || len(found) != 1 {
			t.Errorf("sent again, the traveller is found %d times, %v; want once", len(found), err)
		}
		if w.booking().Passenger.ID != "" {
			t.Error("who is sent again has the bookings of who was erased")
		}
		refused(t, "no such traveller", "traveller", "erase", "--database", database, "--customer", w.id, "--environment", "development", "--id", "E-4711")
		answer[erasedTraveller](t, "traveller", "erase", "--database", database, "--customer", w.id, "--environment", "production", "--doc-country", "pl", "--doc-number", "zq773190x")
	})
}

// TestNothingIsKept holds that --keep leaves no more of a traveller than an
// erasure that was asked for.
func TestNothingIsKept(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, database string) {
		w := newLife(t, database)
		w.live()
		w.cancel()
		w.trace()
		answer[policy](t, "account", "policy", "--database", database, "--customer", w.id, "--environment", "production", "--keep", "24mo")
		later := func() time.Time { return time.Now().AddDate(3, 0, 0) }
		_, h := houseOf(t, parts{db: w.house.db, now: later})
		if err := h.desk.EraseOld(t.Context()); err != nil {
			t.Fatal(err)
		}
		if b := w.booking(); !b.Passenger.Erased() {
			t.Errorf("the booking is of %+v; want nobody", b.Passenger)
		}
		nothingLeft(t, database)
	})
}

// dump is what of a database can be read: for SQLite every byte of its files.
func dump(t *testing.T, database string) []byte {
	t.Helper()
	if path, ok := strings.CutPrefix(database, "sqlite:"); ok {
		var all []byte
		for _, suffix := range []string{"", "-wal", "-journal"} {
			part, err := os.ReadFile(path + suffix)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			all = append(all, part...)
		}
		return all
	}
	out, err := exec.Command("pg_dump", "--inserts", database).Output()
	if err != nil {
		t.Fatalf("pg_dump: %v", err)
	}
	return out
}

// A life is a server with one customer, and a traveller who goes through everything.
type life struct {
	t        *testing.T
	in       store.Scoped
	house    *house
	browser  *browser
	by       gangway.User
	id       string // of the customer
	key      string
	base     string
	upload   func()
	customer *httptest.Server
}

func newLife(t *testing.T, database string) *life {
	t.Helper()
	db := openStore(t, database)
	at, h := houseOf(t, parts{db: db, now: time.Now})
	made, err := createCustomer(t.Context(), storetest.Operator, db, "Halcyon Tankers", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	w := &life{t: t, in: db.In(made.prod.Scope()), house: h, id: made.Customer, key: made.Production.APIKey, base: at.base.String(), browser: newBrowser(t, at.app.String())}
	w.upload = func() { w.post("/passenger", "", nobodyElse()) }
	// The customer's system answers a push with what was pushed.
	w.customer = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { io.Copy(rw, r.Body) }))
	t.Cleanup(w.customer.Close)
	if _, err := w.in.SetOutlet(t.Context(), storetest.Operator, w.customer.URL, []string{deliver.NewSecret()}, time.Now()); err != nil {
		t.Fatal(err)
	}
	w.by = hire(t, db, made.Customer, ines, gangway.Admin)
	if err := w.browser.signIn(w.by.Email, tideTables); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *life) post(path, once string, records ...any) {
	w.t.Helper()
	doc, err := json.Marshal(records, json.Deterministic(true))
	if err != nil {
		w.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.base+path, bytes.NewReader(doc))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", w.key)
	req.Header.Set("Content-Type", "application/json")
	if once != "" {
		req.Header.Set("Idempotency-Key", once)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	if answer, _ := io.ReadAll(res.Body); res.StatusCode != http.StatusOK {
		w.t.Fatalf("POST %s: %d %s", path, res.StatusCode, answer)
	}
}

// live takes the traveller through everything up to a change.
func (w *life) live() {
	t := w.t
	t.Helper()
	date := time.Now().AddDate(0, 0, 30).Format(time.DateOnly)
	w.upload()
	request := map[string]any{
		"externalInfo": map[string]any{"requestId": "R-1"},
		"traveler": map[string]any{
			"id": "E-4711", "lastName": "Żółkiewska-Quux", "firstName": "Bartłomieja", "dob": "1979-10-27", "nationality": "PL", "gender": "F",
			"docCountry": "PL", "docNumber": "ZQ773190X", "docExpireDate": "2035-01-01", "homeAirport": "WAW",
		},
		"flight":  map[string]any{"origin": "WAW", "destination": "SIN", "date": date},
		"details": map[string]any{"remarks": "Ms Quux was born on 27/10/1979"},
	}
	w.post("/travelers-requests", "once", request)
	w.post("/travelers-requests", "once", request)
	member := nobodyElse()
	delete(member, "shoe_size")
	member["arrive"] = map[string]any{"port": "SIN", "date": date}
	member["metadata"] = map[string]any{"as on paper": "QUUX BARTLOMIEJA 27OCT79"}
	crew := func(id string, members ...any) map[string]any {
		return map[string]any{"vessel": "Halcyon Dawn", "flag": "PA", "change_date": date, "travel_request_id": id, "onsigners": members}
	}
	other := map[string]any{"id": "H-1", "last_name": "Sailor", "first_name": "Robin", "dob": "1990-04-30", "nationality": "PH", "gender": "M", "doc_country": "PH", "doc_number": "P0000001A", "doc_expire": "2035-01-01", "home_airport": "MNL"}
	w.post("/travel-requests", "", crew("CC-1", member, other))
	w.post("/travel-requests", "", crew("CC-2", member, other))
	w.post("/travel-requests", "", crew("CC-2", other)) // and dropped

	form := url.Values{"vessel": {"Halcyon Dawn"}, "flag": {"PA"}, "change_airport": {"SIN"}}
	for name, value := range map[string]string{
		"last_name": "Żółkiewska-Quux", "first_name": "Bartłomieja", "dob": "1979-10-27", "doc_country": "PL", "doc_number": "ZQ773190X", "id": "E-4711", "arrive": date, "home_airport": "WAW",
	} {
		form.Set("onsigners[0]["+name+"]", value)
	}
	if p, err := w.browser.send("/integrations/search", form); err != nil || p.status != http.StatusOK {
		t.Fatalf("the hand-off is answered %d, %v", p.status, err)
	}
	if p, err := newBrowser(t, w.browser.app).send("/integrations/search", form); err != nil || p.status >= 500 {
		t.Fatalf("the hand-off that nobody claims is answered %d, %v", p.status, err)
	}

	found, err := w.browser.send("/crew-changes/search", url.Values{"key": {"id:CC-1"}, "airport": {"SIN"}})
	if err != nil || found.status != http.StatusOK {
		t.Fatalf("the search is answered %d, %v", found.status, err)
	}
	w.book(found.path)
	b := w.booking()
	if _, err := w.house.desk.Issue(t.Context(), w.in, w.by, b.ID, b.Price.Total); err != nil {
		t.Fatal(err)
	}
	w.change(b)
	if p, err := w.browser.open("/bookings.csv"); err != nil || !strings.Contains(p.html, "Quux") {
		t.Fatalf("the file of bookings is %.300s, %v", p.html, err)
	}
	eventually(t, 30*time.Second, "every action is pushed", func() bool {
		list, err := w.in.DeliveryStatuses(t.Context(), b.ID)
		return err == nil && len(list) == w.booking().Version && list[len(list)-1].State == "done" && strings.Contains(list[0].Last.Answer, "Quux")
	})
}

// book books the first member of a search, at fares that may be changed where there are any.
func (w *life) book(search string) {
	w.t.Helper()
	p, err := w.browser.open(search + "?wait=1&member=0")
	if err != nil {
		w.t.Fatal(err)
	}
	to, fields, ok := p.form("/book")
	if !ok {
		w.t.Fatalf("there is nothing to book: %d %.500s", p.status, p.html)
	}
	if p, err = w.browser.send(to, fields); err != nil || p.status != http.StatusOK {
		w.t.Fatalf("booking is answered %d, %v", p.status, err)
	}
	eventually(w.t, 30*time.Second, "the booking is there", func() bool {
		list, _, err := w.in.Bookings(w.t.Context(), store.BookingQuery{})
		return err == nil && len(list) == 1
	})
}

// change has the booking changed where its fare allows it, and asked for once and left where not.
func (w *life) change(b gangway.Booking) {
	w.t.Helper()
	if b.ChangeForbidden() {
		return
	}
	leg := gangway.Leg{Origin: "WAW", Destination: "SIN", Date: gangway.DateOf(b.Itinerary.Departure()).AddDays(-1)}
	offers, err := w.house.desk.FindChanges(w.t.Context(), w.in, b.ID, []gangway.Leg{leg})
	if err != nil || len(offers) == 0 {
		w.t.Fatalf("FindChanges = %d, %v", len(offers), err)
	}
	if _, err := w.house.desk.AskChange(w.t.Context(), w.in, w.by, b.ID, offers[0].ID); err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.house.desk.ConfirmChange(w.t.Context(), w.in, w.by, b.ID, offers[0].ID); err != nil {
		w.t.Fatal(err)
	}
}

// trace has all found by traces, as it is seconds later beside "gangway serve".
func (w *life) trace() {
	w.t.Helper()
	for some := true; some; {
		var err error
		if some, err = w.house.db.Trace(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *life) cancel() {
	w.t.Helper()
	b := w.booking()
	q, err := w.house.desk.QuoteCancel(w.t.Context(), w.in, b.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.house.desk.Cancel(w.t.Context(), w.in, w.by, b.ID, q.ID); err != nil {
		w.t.Fatal(err)
	}
}

func (w *life) booking() gangway.Booking {
	w.t.Helper()
	list, _, err := w.in.Bookings(w.t.Context(), store.BookingQuery{})
	if err != nil || len(list) != 1 {
		w.t.Fatal(fmt.Errorf("there are %d bookings, %w; want one", len(list), err))
	}
	return list[0]
}
