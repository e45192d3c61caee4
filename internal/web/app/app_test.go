package app_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway"
	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/manual"
	"gangway/internal/book/flight/sim"
	"gangway/internal/book/plan"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/access"
	"gangway/internal/web/app"
)

// today is the day on which all tests happen. It is far ahead, so that clients
// with a clock of their own do not take our cookies for expired.
var today = time.Date(2036, 11, 20, 9, 0, 0, 0, time.UTC)

const password = "grey heron on a pole"

// A site is the application served to real clients, with one customer and a
// user for each role: booker@, approver@ and admin@example.com.
type site struct {
	url         string
	db          *store.DB
	desk        *book.Desk
	sells       *sim.Network
	gate        gate         // where the test says how far the airlines may go; nil: as far as they like
	disruptions atomic.Int64 // the seed of what airlines change by themselves
	real        atomic.Bool  // what the network sells passes for real
	passed      atomic.Int64 // how much time has passed since today began for the test; the network has a clock of its own
	production  gangway.Account
	development gangway.Account
}

func newSite(t *testing.T) *site {
	t.Helper()
	sells, err := network()
	if err != nil {
		t.Fatal(err)
	}
	return newSiteOf(t, sells, nil)
}

// newSiteOf is a site that sells a network of its own, through a gate if there is one.
func newSiteOf(t *testing.T, sells *sim.Network, through gate) *site {
	t.Helper()
	db := storetest.New(t)
	s := &site{db: db, sells: sells, gate: through}
	now := s.now
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	server := httptest.NewUnstartedServer(nil)
	s.url = "http://" + server.Listener.Addr().String()
	s.desk = book.New(book.Config{DB: db, Now: now, Log: log, Suppliers: func(_ context.Context, in store.Scoped, name string) (flight.Supplier, error) {
		if name == flight.Elsewhere {
			return manual.New(in.Ledger(), nil, now), nil
		}
		sold := sells.For(in.Ledger(), s.disruptions.Load())
		if s.gate != nil {
			return gated{sold, sold.(flight.Scout), s.gate}, nil
		}
		if s.real.Load() {
			return realSeller{sold}, nil
		}
		return sold, nil
	}})
	h, err := app.New(app.Config{
		DB: db, Now: now, Log: log, BaseURL: s.url + "/api", AppURL: s.url, Desk: s.desk,
		Batches: plan.New(plan.Config{DB: db, Desk: s.desk, Now: now, Log: log}),
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = web.FindClient([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, h)
	server.Start()
	t.Cleanup(server.Close)
	if s.production, s.development, err = db.CreateCustomer(t.Context(), storetest.Operator, "Harbour Crewing", today); err != nil {
		t.Fatal(err)
	}
	for _, role := range []gangway.Role{gangway.Booker, gangway.Approver, gangway.Admin} {
		u := gangway.User{ID: "u_" + string(role), Customer: s.production.Customer.ID, Email: string(role) + "@example.com", Name: "Ingrid Holm", Role: role}
		if err := db.CreateUser(t.Context(), storetest.Operator, u, access.HashPassword(password), today); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *site) now() time.Time { return today.Add(time.Duration(s.passed.Load())) }

// A realSeller is the network as if its flights were real.
type realSeller struct{ flight.Supplier }

func (realSeller) Name() string    { return "airlines" }
func (realSeller) Simulated() bool { return false }

// Search finds flights that another airline operates.
func (s realSeller) Search(ctx context.Context, ask flight.Ask, found func([]flight.Offer)) error {
	return s.Supplier.Search(ctx, ask, func(offers []flight.Offer) {
		for _, o := range offers {
			for i := range o.Itinerary.Segments {
				o.Itinerary.Segments[i].Operator = "WF"
			}
		}
		found(offers)
	})
}

// network is the simulated network, as all sites of the tests sell it.
var network = sync.OnceValues(func() (*sim.Network, error) {
	return sim.New(sim.Config{Now: func() time.Time { return today }})
})

// A client is a browser without JavaScript.
type client struct {
	t    *testing.T
	site *site
	http *http.Client
	from string // address that it comes from; empty: the test's own
}

func (s *site) client(t *testing.T) *client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &client{t: t, site: s, http: &http.Client{Jar: jar}}
}

// in is the client within a subtest.
func (c *client) in(t *testing.T) *client { return &client{t, c.site, c.http, c.from} }

// signedIn is a client in which the user of the role has signed in.
func (s *site) signedIn(t *testing.T, role gangway.Role) *client {
	t.Helper()
	c := s.client(t)
	a := c.post("/sign-in", url.Values{"email": {string(role) + "@example.com"}, "password": {password}})
	if a.path != "/" || a.status != http.StatusOK {
		t.Fatalf("sign-in of the %s led to %s with %d; want the first page", role, a.path, a.status)
	}
	return c
}

// An answer is the page that a request ended at.
type answer struct {
	t      *testing.T
	path   string // where redirects led to, with its query
	status int
	head   http.Header
	body   string
}

func (c *client) get(path string) answer {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.site.url+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.do(req)
}

func (c *client) post(path string, form url.Values) answer {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.site.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return c.do(req)
}

func (c *client) do(req *http.Request) answer {
	c.t.Helper()
	if c.from != "" {
		req.Header.Set("X-Forwarded-For", c.from)
	}
	res, err := c.http.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer{c.t, res.Request.URL.RequestURI(), res.StatusCode, res.Header, string(body)}
}

// shows fails the test unless the page is the one at path, fine, and has all texts.
func (a answer) shows(path string, texts ...string) {
	a.t.Helper()
	if a.path != path || a.status != http.StatusOK {
		a.t.Fatalf("the answer is %s with %d; want %s with 200\n%s", a.path, a.status, path, a.body)
	}
	a.has(texts...)
}

// has fails the test unless the page has all texts.
func (a answer) has(texts ...string) {
	a.t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.body, text) {
			a.t.Fatalf("the page %s does not have %q:\n%s", a.path, text, a.body)
		}
	}
}

// lacks fails the test if the page has any of the texts.
func (a answer) lacks(texts ...string) {
	a.t.Helper()
	for _, text := range texts {
		if strings.Contains(a.body, text) {
			a.t.Fatalf("the page %s has %q, and should not", a.path, text)
		}
	}
}

func production(s *site) store.Scoped { return s.db.In(s.production.Scope()) }
