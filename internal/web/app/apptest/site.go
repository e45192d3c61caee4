// Package apptest serves the whole application to the tests of its rooms, and
// goes through it as people do: with a client that has no script, or a browser.
package apptest

import (
	"context"
	"crypto/x509"
	"fmt"
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

	"gangway/internal/accept/poll"
	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/manual"
	"gangway/internal/book/flight/sim"
	"gangway/internal/book/plan"
	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
	"gangway/internal/transport/mail"
	"gangway/internal/transport/transporttest"
	"gangway/internal/web"
	"gangway/internal/web/app"
)

// Today is the day on which all tests happen. It is far in the future, so that clients with a clock
// of their own do not consider our cookies expired.
var Today = time.Date(2036, 11, 20, 9, 0, 0, 0, time.UTC)

// Password is everybody's, and PasswordHash what is stored for it. A hash says itself what checking it
// costs, and this one's costs next to nothing: with the program's own, tests did little else.
const (
	Password     = "grey heron on a pole"
	PasswordHash = "$argon2id$v=19$m=8,t=1,p=1$c2FsdCBvZiBubyBzZWNyZQ$LXmq/e7MA/yQdMpiCV5vriDFg1IU3ARRxNLGD7oZmNY"
)

// A Site is the application served to real clients, with one customer and a
// user for each role: booker@, approver@ and admin@example.com.
type Site struct {
	URL      string
	DB       *store.DB
	Desk     *book.Desk
	App      *app.App
	Batches  *plan.Batches
	Mailer   transport.Mailer
	Poller   *poll.Poller
	Requests *web.RequestLog // for an interface beside it to note what it is asked
	sells    *sim.Network
	Gate     Gate  // lets the airlines answer only when the test says so; nil: at once
	of       *Site // another process on the database of which this is a replica; nil: none
	// goes between the airlines and this process; nil: nothing does. It is set before anything is sold.
	Line        func(flight.Supplier) flight.Supplier
	stopped     atomic.Pointer[time.Time]
	disruptions atomic.Int64 // the seed of the changes that airlines make
	Real        atomic.Bool  // what the network sells counts as real
	// the time that has passed since Today; the network has its own clock
	Passed      atomic.Int64
	Patience    atomic.Int64 // how long pages wait for customers' systems; minutes, unless one is to be given up
	Production  gangway.Account
	Development gangway.Account
}

// NewSite starts a site that sells the simulated network.
func NewSite(t *testing.T) *Site {
	t.Helper()
	return NewSiteOn(t, storetest.New(t))
}

// NewGatedSite starts a site that sells the simulated network through its Gate, which nobody may pass yet.
func NewGatedSite(t *testing.T) *Site {
	t.Helper()
	return newSite(t, storetest.New(t), airlines(t), NewGate(), Patience)
}

// NewSiteOf starts a site that sells the given network.
func NewSiteOf(t *testing.T, sells *sim.Network) *Site {
	t.Helper()
	return newSite(t, storetest.New(t), sells, nil, Patience)
}

// NewClockedSite starts a site on which time can pass, for its airlines as well.
func NewClockedSite(t *testing.T) *Site {
	t.Helper()
	return NewClockedSiteOn(t, storetest.New(t))
}

// NewClockedSiteOn starts a site on which time can pass and keeps its data in db.
func NewClockedSiteOn(t *testing.T, db *store.DB) *Site {
	t.Helper()
	var s *Site
	sells, err := sim.New(sim.Config{Now: func() time.Time {
		if s == nil {
			return Today
		}
		return s.Now()
	}})
	Done(t, err)
	s = newSite(t, db, sells, nil, Patience)
	return s
}

// NewSiteOn starts a site that sells the simulated network and keeps its data in db.
func NewSiteOn(t *testing.T, db *store.DB) *Site {
	t.Helper()
	return newSite(t, db, airlines(t), nil, Patience)
}

// NewHastySite starts a site whose pages are shown before any customer's system has answered.
func NewHastySite(t *testing.T) *Site {
	t.Helper()
	return newSite(t, storetest.New(t), airlines(t), nil, 1)
}

// NewMailingSite starts a site that sends mails by a server.
func NewMailingSite(t *testing.T) (*Site, *transporttest.SMTPServer) {
	t.Helper()
	return NewMailingSiteOn(t, storetest.New(t))
}

// NewMailingSiteOn starts a site that sends mails by a server and keeps its data in db.
func NewMailingSiteOn(t *testing.T, db *store.DB) (*Site, *transporttest.SMTPServer) {
	t.Helper()
	office := transporttest.ServeSMTP(t, true)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(office.CA))
	mailer, err := mail.NewMailer(mail.MailerConfig{Password: office.Password, From: "gangway@gangway.example",
		Roots: roots, URL: fmt.Sprintf("smtps://%s@127.0.0.1:%d", office.User, office.Port)})
	Done(t, err)
	return newSite(t, db, airlines(t), nil, Patience, mailer), office
}

func newSite(t *testing.T, db *store.DB, sells *sim.Network, through Gate, ask time.Duration,
	mailers ...transport.Mailer) *Site {
	t.Helper()
	s := &Site{DB: db, sells: sells, Gate: through}
	s.serve(t, ask, mailers...)
	var err error
	if s.Production, s.Development, err = db.CreateCustomer(t.Context(), storetest.Operator, "Harbour Crewing",
		Today); err != nil {
		t.Fatal(err)
	}
	for _, role := range []gangway.Role{gangway.Booker, gangway.Approver, gangway.Admin} {
		u := gangway.User{ID: "u_" + string(role), Customer: s.Production.Customer.ID, Email: string(role) +
			"@example.com", Name: "Ingrid Holm", Role: role}
		Done(t, db.CreateUser(t.Context(), storetest.Operator, u, PasswordHash, Today))
	}
	return s
}

// Replica starts another process on the database of s, at the same time of day.
func (s *Site) Replica(t *testing.T) *Site {
	t.Helper()
	r := &Site{DB: s.DB, sells: s.sells, of: s, Production: s.Production, Development: s.Development}
	r.serve(t, Patience)
	return r
}

// serve starts the process.
func (s *Site) serve(t *testing.T, ask time.Duration, mailers ...transport.Mailer) {
	t.Helper()
	db, sells, now := s.DB, s.sells, s.Now
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	server := httptest.NewUnstartedServer(nil)
	s.URL = "http://" + server.Listener.Addr().String()
	s.Patience.Store(int64(Patience))
	s.Poller = s.poller()
	s.Desk = book.New(book.Config{DB: db, Now: now, Log: log, Asker: s.Poller, Suppliers: func(_ context.Context,
		in store.Scoped, name string) (flight.Supplier, error) {
		if name == flight.Elsewhere {
			return manual.New(in.Ledger(), nil, now), nil
		}
		if s.Line != nil {
			sold := sells.For(in.Ledger(), s.seed())
			return lined{s.Line(sold), sold.(flight.Scout)}, nil
		}
		if in.Scope().Account == s.Development.ID && s.Gate == nil && !s.Real.Load() {
			return sells.Sandbox(in.Ledger(), s.seed(), in.Scope().Ahead), nil
		}
		sold := sells.For(in.Ledger(), s.seed())
		if s.Gate != nil {
			return gated{sold, sold.(flight.Scout), s.Gate}, nil
		}
		if s.Real.Load() {
			return realSeller{sold}, nil
		}
		return sold, nil
	}})
	s.Requests = web.NewRequestLog(db, log, now)
	var mailer transport.Mailer
	for _, mailer = range mailers {
	}
	s.Batches = plan.New(plan.Config{DB: db, Desk: s.Desk, Now: now, Log: log})
	h, err := app.New(app.Config{
		Mailer: mailer, DB: db, Now: now, Log: log, BaseURL: s.URL + "/api", AppURL: s.URL, Desk: s.Desk,
		ReportingURL: s.URL + "/reporting",
		Outlets:      deliver.Setter{Kinds: kinds.Outlets, Options: transport.Options{Allow: Private}, Now: now},
		AskPatience:  ask,
		Mails:        true,
		Requests:     s.Requests,
		Poller:       s.Poller, Batches: s.Batches,
	})
	Done(t, err)
	s.App, s.Mailer = h, mailer
	server.Config.Handler = web.FindClient([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, h)
	server.Start()
	t.Cleanup(func() { closeSite(server) })
}

// A lined supplier is behind a line, on which timetables are no orders.
type lined struct {
	flight.Supplier
	flight.Scout
}

// closeSite closes a server although browsers still hold streams of its pages, which they would open again.
func closeSite(server *httptest.Server) {
	server.Listener.Close()
	server.CloseClientConnections()
	server.Close()
}

// Now is the time at the site.
func (s *Site) Now() time.Time {
	if at := s.stopped.Load(); at != nil {
		return *at
	}
	if s.of != nil {
		return s.of.Now()
	}
	return Today.Add(time.Duration(s.Passed.Load()))
}

// Stop stops the clock of a process that is to die: for the others what it renews then ends as if it were dead.
func (s *Site) Stop() {
	at := s.Now()
	s.stopped.Store(&at)
}

// Disturb has airlines change flights by a seed from now on.
func (s *Site) Disturb(seed int64) { s.disruptions.Store(seed) }

// seed is that by which airlines change flights.
func (s *Site) seed() int64 {
	if s.of != nil {
		return s.of.seed()
	}
	return s.disruptions.Load()
}

// A realSeller is the network with flights that count as real.
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

// airlines returns the simulated network that all test sites share.
func airlines(t *testing.T) *sim.Network {
	t.Helper()
	sells := Must(simulated())(t)
	return sells
}

var simulated = sync.OnceValues(func() (*sim.Network, error) {
	return sim.New(sim.Config{Now: func() time.Time { return Today }})
})

// A Client is a browser without JavaScript.
type Client struct {
	t    *testing.T
	Site *Site
	HTTP *http.Client
	From string // the network address it comes from; empty: the test's own
}

// Client is a client in which nobody has signed in.
func (s *Site) Client(t *testing.T) *Client {
	jar := Must(cookiejar.New(nil))(t)
	return &Client{t: t, Site: s, HTTP: &http.Client{Jar: jar}}
}

// In is the client within a subtest.
func (c *Client) In(t *testing.T) *Client { return &Client{t, c.Site, c.HTTP, c.From} }

// SignedIn is a client in which the user of the role has signed in.
func (s *Site) SignedIn(t *testing.T, role gangway.Role) *Client {
	t.Helper()
	c := s.Client(t)
	a := c.Post("/sign-in", url.Values{"email": {string(role) + "@example.com"}, "password": {Password}})
	if a.Path != "/" || a.Status != http.StatusOK {
		t.Fatalf("sign-in of the %s led to %s with %d; want the first page", role, a.Path, a.Status)
	}
	return c
}

// An Answer is the page that a request led to.
type Answer struct {
	t      *testing.T
	client *Client
	Path   string // where redirects led to, with its query
	Status int
	Head   http.Header
	Body   string
}

// Get opens a page.
func (c *Client) Get(path string) Answer {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.Site.URL+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.Do(req)
}

// Post sends a form.
func (c *Client) Post(path string, form url.Values) Answer {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.Site.URL+path,
		strings.NewReader(form.Encode()))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return c.Do(req)
}

// Do sends a request and follows redirects.
func (c *Client) Do(req *http.Request) Answer {
	c.t.Helper()
	if c.From != "" {
		req.Header.Set("X-Forwarded-For", c.From)
	}
	res, err := c.HTTP.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return Answer{c.t, c, res.Request.URL.RequestURI(), res.StatusCode, res.Header, string(body)}
}

// Shows fails the test unless the page is the one at path, with status 200 and all texts.
func (a Answer) Shows(path string, texts ...string) Answer {
	a.t.Helper()
	if a.Path != path || a.Status != http.StatusOK {
		a.t.Fatalf("the answer is %s with %d; want %s with 200\n%s", a.Path, a.Status, path, a.Body)
	}
	return a.Has(texts...)
}

// Has fails the test unless the page has all texts.
func (a Answer) Has(texts ...string) Answer {
	a.t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.Body, text) {
			a.t.Fatalf("the page %s does not have %q:\n%s", a.Path, text, a.Body)
		}
	}
	return a
}

// Lacks fails the test if the page has any of the texts.
func (a Answer) Lacks(texts ...string) Answer {
	a.t.Helper()
	for _, text := range texts {
		if strings.Contains(a.Body, text) {
			a.t.Fatalf("the page %s has %q, and should not", a.Path, text)
		}
	}
	return a
}

// Production is the production account of the site's customer.
func Production(s *Site) store.Scoped { return s.DB.In(s.Production.Scope()) }
