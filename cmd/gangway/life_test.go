package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/go-json-experiment/json"
)

// A life is a server with one customer, and a traveller who is part of everything.
type life struct {
	t        *testing.T
	in       store.Scoped
	server   *server
	browser  *browser
	by       gangway.User
	id       string // of the customer
	key      string
	report   *url.URL // the report's service root, with user and password
	base     string
	upload   func()
	customer *httptest.Server
}

func newLife(t *testing.T, database string) *life {
	t.Helper()
	db := openStore(t, database)
	at, h := serverOf(t, serverParts{db: db, now: time.Now})
	made := sure(createCustomer(t.Context(), storetest.Operator, db, "Halcyon Tankers", time.Now()))(t)
	w := &life{t: t, in: db.In(made.prod.Scope()), server: h, id: made.Customer, key: made.Production.APIKey,
		base: at.base.String(), browser: newBrowser(t, at.app.String()), report: at.reporting.JoinPath("v2/odata/")}
	w.report.User = url.UserPassword(made.Production.ReportUser, made.Production.ReportPassword)
	w.upload = func() { w.post("/passenger", "", nobodyElse()) }
	// The customer's system echoes each push.
	w.customer = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		io.Copy(rw, r.Body)
	}))
	t.Cleanup(w.customer.Close)
	pushTo(t, w.in, w.customer.URL, time.Now())
	w.by = hire(t, db, made.Customer, ines, gangway.Admin)
	must(t, w.browser.signIn(w.by.Email, tideTables))
	return w
}

func (w *life) post(path, once string, records ...any) {
	w.t.Helper()
	doc := sure(json.Marshal(records, json.Deterministic(true)))(w.t)
	req := sure(http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.base+path, bytes.NewReader(doc)))(w.t)
	req.Header.Set("X-Api-Key", w.key)
	req.Header.Set("Content-Type", "application/json")
	if once != "" {
		req.Header.Set("Idempotency-Key", once)
	}
	res := sure(http.DefaultClient.Do(req))(w.t)
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
			"id": "E-4711", "lastName": "Żółkiewska-Quuxley", "firstName": "Bartłomieja", "dob": "1979-10-27",
			"nationality": "PL", "gender": "F",
			"docCountry": "PL", "docNumber": "ZQ773190X", "docExpireDate": "2035-01-01", "homeAirport": "WAW",
		},
		"flight":  map[string]any{"origin": "WAW", "destination": "SIN", "date": date},
		"details": map[string]any{"remarks": "Ms Quuxley was born on 27/10/1979"},
	}
	w.post("/travelers-requests", "Quuxley-once", request)
	w.post("/travelers-requests", "Quuxley-once", request)
	member := nobodyElse()
	delete(member, "shoe_size")
	member["arrive"] = map[string]any{"port": "SIN", "date": date}
	member["metadata"] = map[string]any{"as on paper": "QUUXLEY BARTLOMIEJA 27OCT79"}
	member["custom_fields"] = map[string]any{"Signs as": "B. Quuxley"}
	crew := func(id string, members ...any) map[string]any {
		return map[string]any{"vessel": "Halcyon Dawn", "flag": "PA", "change_date": date, "travel_request_id": id,
			"onsigners": members}
	}
	other := map[string]any{"id": "H-1", "last_name": "Sailor", "first_name": "Robin", "dob": "1990-04-30",
		"nationality": "PH", "gender": "M", "doc_country": "PH", "doc_number": "P0000001A", "doc_expire": "2035-01-01",
		"home_airport": "MNL"}
	w.post("/travel-requests", "", crew("CC-1", member, other))
	w.post("/travel-requests", "", crew("CC-2", member, other))
	w.post("/travel-requests", "", crew("CC-2", other)) // and dropped

	form := url.Values{"vessel": {"Halcyon Dawn"}, "flag": {"PA"}, "change_airport": {"SIN"}}
	for name, value := range map[string]string{
		"last_name": "Żółkiewska-Quuxley", "first_name": "Bartłomieja", "dob": "1979-10-27", "doc_country": "PL",
		"doc_number": "ZQ773190X", "id": "E-4711", "arrive": date, "home_airport": "WAW",
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
	must(t, did(w.server.desk.Issue(t.Context(), w.in, w.by, b.ID, b.Price.Total)))
	w.change(b)
	w.invoice(b)
	if p, err := w.browser.open("/bookings.csv"); err != nil || !strings.Contains(p.html, "Quuxley") {
		t.Fatalf("the file of bookings is %.300s, %v", p.html, err)
	}
	eventually(t, "every action is pushed", func() bool {
		list, err := w.in.DeliveryStatuses(t.Context(), b.ID)
		return err == nil && len(list) == w.booking().Version && list[len(list)-1].State == "done" &&
			strings.Contains(list[0].Last.Answer, "Quuxley")
	})
}

// book books the first member of a search at a fare without a bag, which has the least to settle later.
func (w *life) book(search string) {
	w.t.Helper()
	p, err := w.browser.open(search + "?wait=1&bags=0&member=0")
	must(w.t, err)
	to, fields, ok := p.form("/book")
	if !ok {
		w.t.Fatalf("there is nothing to book: %d %.500s", p.status, p.html)
	}
	fields.Set("frequent_flyer", "LO 8001773190")
	if p, err = w.browser.send(to, fields); err != nil || p.status != http.StatusOK {
		w.t.Fatalf("booking is answered %d, %v", p.status, err)
	}
	eventually(w.t, "the booking is there", func() bool {
		list, _, err := w.in.Bookings(w.t.Context(), store.BookingQuery{})
		return err == nil && len(list) == 1
	})
}

// invoice enters invoice numbers that contain personal data.
func (w *life) invoice(b gangway.Booking) {
	w.t.Helper()
	must(w.t, did(w.server.desk.AddInvoices(w.t.Context(), w.in, w.by, b.ID,
		"INV-2026-00417, INV Quuxley ZQ773190X, ZOLKIEWSKA/BARTLOMIEJA, 418 b. 27/10/1979, 419-27OCT79")))
	must(w.t, did(w.server.desk.RemoveInvoice(w.t.Context(), w.in, w.by, b.ID, "418 b. 27/10/1979")))
}

// change changes the booking if its fare allows it; otherwise it only asks for a change and abandons it.
func (w *life) change(b gangway.Booking) {
	w.t.Helper()
	if b.ChangeForbidden() {
		return
	}
	leg := gangway.Leg{Origin: "WAW", Destination: "SIN", Date: gangway.DateOf(b.Itinerary.Departure()).AddDays(-1)}
	offers, err := w.server.desk.FindChanges(w.t.Context(), w.in, b.ID, []gangway.Leg{leg})
	if err != nil || len(offers) == 0 {
		w.t.Fatalf("FindChanges = %d, %v", len(offers), err)
	}
	must(w.t, did(w.server.desk.AskChange(w.t.Context(), w.in, w.by, b.ID, offers[0].ID)))
	must(w.t, did(w.server.desk.ConfirmChange(w.t.Context(), w.in, w.by, b.ID, offers[0].ID)))
}

// trace lets the background task write all traces, as it does within seconds beside "gangway serve".
func (w *life) trace() {
	w.t.Helper()
	finish(w.t, w.server.db.Trace)
	must(w.t, w.server.requests.Settle(w.t.Context()))
}

func (w *life) cancel() {
	w.t.Helper()
	b := w.booking()
	q := sure(w.server.desk.QuoteCancel(w.t.Context(), w.in, b.ID))(w.t)
	must(w.t, did(w.server.desk.Cancel(w.t.Context(), w.in, w.by, b.ID, q.ID)))
}

func (w *life) booking() gangway.Booking {
	w.t.Helper()
	list, _, err := w.in.Bookings(w.t.Context(), store.BookingQuery{})
	if err != nil || len(list) != 1 {
		w.t.Fatal(fmt.Errorf("there are %d bookings, %w; want one", len(list), err))
	}
	return list[0]
}
