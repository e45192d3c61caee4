//go:build linux

package main

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
)

// While the database is stopped, every address tells callers to try again. Afterwards everything continues: pending
// pushes are sent, the form that was refused books, and nothing is left running.
func TestDoorsDuringAnOutage(t *testing.T) {
	c := startCluster(t, shortFolder(t))
	newHarbour(t, c.url()).endure(t, fault{begin: c.stop, heal: c.start})
}

// The same applies while the database hangs.
func TestTrialDoorsWhileTheDatabaseHangs(t *testing.T) {
	need.Trial(t)
	c := startCluster(t, shortFolder(t))
	newHarbour(t, c.url()).endure(t, fault{begin: func() { c.signal(syscall.SIGSTOP) },
		heal: func() { c.signal(syscall.SIGCONT) }})
}

// An outageSite is a server in this process, a customer of it, and forms to book with.
type outageSite struct {
	*replicaPair
	said  *transcript
	forms []bookForm
}

func newHarbour(t *testing.T, database string) *outageSite {
	t.Helper()
	h := &outageSite{said: &transcript{}}
	h.replicaPair = &replicaPair{t: t, database: database, customer: newReceiver(t, func() {})}
	log := slog.New(slog.NewTextHandler(h.said, nil))
	db := sure(store.OpenWith(t.Context(), database, store.Options{Log: log, Serve: true}))(t)
	t.Cleanup(func() { db.Close() })
	at, _ := serverOf(t, serverParts{db: db, delay: 10 * time.Millisecond, now: h.now, log: log})
	h.at = []addresses{at, at}
	h.browsers = []*browser{newBrowser(t, at.app.String()), newBrowser(t, at.app.String())}
	h.settleIn(db)
	h.forms = h.findFlights(2)
	return h
}

// An answeredAddress is a request to one address.
type answeredAddress struct {
	name   string
	page   bool // for people
	ask    func() (*http.Response, error)
	status int
}

func (h *outageSite) answeredAddresses(form bookForm) []answeredAddress {
	app, base, client := h.at[0].app.String(), h.at[0].base.String(), h.browsers[0].client
	get := func(path string) func() (*http.Response, error) {
		return func() (*http.Response, error) { return client.Get(app + path) }
	}
	post := func(path string, fields url.Values) func() (*http.Response, error) {
		return func() (*http.Response, error) { return client.PostForm(app+path, fields) }
	}
	program := func(method, path, body string) func() (*http.Response, error) {
		return func() (*http.Response, error) {
			req, err := http.NewRequest(method, base+path, strings.NewReader(body))
			if err != nil {
				return nil, err
			}
			req.Header.Set("X-Api-Key", h.key)
			req.Header.Set("Content-Type", "application/json")
			return client.Do(req)
		}
	}
	search, _ := strings.CutSuffix(form.to, "/book")
	anybody := &http.Client{Timeout: hang}
	return []answeredAddress{
		{"the first page", true, get("/"), 503},
		{"the list of bookings", true, get("/bookings"), 503},
		{"its CSV", true, get("/bookings.csv"), 503},
		{"a search", true, get(search), 503},
		{"its stream", true, get(search + "/stream"), 503},
		{"suggestions", true, get("/suggest/travellers?q=sail"), 503},
		{"a hold", true, post(form.to, form.fields), 503},
		{"signing in", true, func() (*http.Response, error) {
			return anybody.PostForm(app+"/sign-in", url.Values{"email": {ines}, "password": {tideTables}})
		}, 503},
		{"the sign-in page", false, func() (*http.Response, error) { return anybody.Get(app + "/sign-in") }, 200},
		{"a hand-off", true, func() (*http.Response, error) {
			return anybody.PostForm(app+"/integrations/search", url.Values{
				"vessel": {"Halcyon Dawn"}, "flag": {"PA"}, "change_airport": {"SIN"},
				"onsigners[0][last_name]": {"O'Brien"}, "onsigners[0][first_name]": {"Mary-Jane"},
				"onsigners[0][dob]":         {"1985-03-12"},
				"onsigners[0][nationality]": {"IE"}, "onsigners[0][gender]": {"F"}, "onsigners[0][doc_country]": {"IE"},
				"onsigners[0][doc_number]": {"PB1234567"},
				"onsigners[0][doc_expire]": {"2040-01-30"}, "onsigners[0][home_airport]": {"DUB"},
				"onsigners[0][arrive]": {"2036-12-03"},
			})
		}, 503},
		{"a supplier's hook", false, program(http.MethodPost, "/suppliers/duffel/"+h.in.Scope().Account,
			`{"type":"order.updated"}`), 503},
		{"a pull", false, program(http.MethodGet, "/bookings?pull=monday", ""), 503},
		{"a list", false, program(http.MethodGet, "/bookings/modified?from=2026-01-01T00:00:00Z", ""), 503},
		{"an upload", false, program(http.MethodPost, "/passenger",
			`[{"id":"X-1","last_name":"Okonjo","first_name":"Ada","dob":"1990-04-30","nationality":"NG","gender":"F","doc_country":"NG","doc_number":"A1234567","doc_expire":"2036-01-01","home_airport":"LOS"}]`), 503},
		{"health", false, func() (*http.Response, error) { return anybody.Get(app + "/healthz") }, 200},
	}
}

// endure sends all requests while a fault lasts, and continues after it.
func (h *outageSite) endure(t *testing.T, f fault) {
	book := func(form bookForm) (page, error) { return h.browsers[0].send(form.to, form.fields) }
	first, second := h.forms[0], h.forms[1]
	h.customer.refusing.Store(true)
	refused := h.customer.refused.Load()
	if p, err := book(first); err != nil || p.status != 200 {
		t.Fatalf("a booking before the outage: %d, %v", p.status, err)
	}
	eventually(t, "a push is outstanding", func() bool { return h.customer.refused.Load() > refused })
	before := h.quiet()

	f.begin()
	var visits sync.WaitGroup
	for _, d := range h.answeredAddresses(second) {
		visits.Go(func() { d.visit(t) })
	}
	visits.Wait()
	eventually(t, "it is not ready", func() bool { return h.ready() == 503 })
	f.heal()

	h.customer.refusing.Store(false)
	eventually(t, "it is ready", func() bool { return h.ready() == 200 })
	eventually(t, "the form that was refused books", func() bool {
		p, err := book(second)
		return err == nil && p.status == 200 && strings.HasPrefix(p.path, "/bookings/")
	})
	h.ahead.Add(int64(2 * time.Minute)) // the next attempt of the refused push is due
	h.delivered(1)
	for _, b := range h.bookings() {
		if got, _ := h.customer.received(t, b.ID); !slices.Equal(got, []gangway.State{gangway.Confirmed}) {
			t.Errorf("booking %s: pushed %v; want it confirmed, once", b.Locator, got)
		}
	}
	eventually(t, fmt.Sprintf("no more than %d goroutines are left", before), func() bool {
		return h.quiet() <= before
	})
	t.Logf("%d goroutines before, %d after", before, h.quiet())
	if said := h.said.String(); strings.Contains(said, "superfluous") || strings.Contains(said, "panic") {
		t.Errorf("answers were begun twice, or something broke:\n%s", said)
	}
}

func (h *outageSite) ready() int {
	res, err := http.Get(h.at[0].app.String() + "/readyz")
	if err != nil {
		return 0
	}
	res.Body.Close()
	return res.StatusCode
}

// quiet counts goroutines without those of idle connections to the server.
func (h *outageSite) quiet() int {
	for _, b := range h.browsers {
		b.client.CloseIdleConnections()
	}
	http.DefaultClient.CloseIdleConnections()
	return runtime.NumGoroutine()
}

// visit sends the request and checks its answer.
func (d answeredAddress) visit(t *testing.T) {
	began := time.Now()
	res, err := d.ask()
	if err != nil {
		t.Errorf("%s: no answer: %v", d.name, err)
		return
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Errorf("%s: %v", d.name, err)
	}
	kind, again := res.Header.Get("Content-Type"), res.Header.Get("Retry-After")
	if res.StatusCode != d.status || d.status == 503 && again == "" {
		t.Errorf("%s = %d, Retry-After %q; want %d with one\n%.500s", d.name, res.StatusCode, again, d.status, body)
	}
	if d.page && (!strings.HasPrefix(kind, "text/html") || !strings.Contains(string(body), "Back in a moment")) {
		t.Errorf("%s is answered %s; want the page that says what is wrong\n%.500s", d.name, kind, body)
	}
	t.Logf("%s | %d, Retry-After %q, %s, after %s", d.name, res.StatusCode, again, kind,
		time.Since(began).Round(time.Millisecond))
}
