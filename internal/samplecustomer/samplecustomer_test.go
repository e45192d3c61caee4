package samplecustomer_test

import (
	"bufio"
	"context"
	"fmt"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/samplecustomer"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
	"gangway/internal/web/access"
	"gangway/internal/web/api"
	"gangway/internal/wire"
)

// A pair is the sample customer's system, and the Gangway that it talks to.
type pair struct {
	in      store.Scoped
	system  *httptest.Server
	started time.Time

	loses atomic.Bool // answers to pulls get lost
	mu    sync.Mutex
	asked []string // the names of pulls, one for each time they were asked for
}

// line is the connection between the customer and Gangway: it notes pulls, and loses
// their answers while loses is set.
func (p *pair) line(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bookings" {
			p.mu.Lock()
			p.asked = append(p.asked, r.URL.Query().Get("pull"))
			p.mu.Unlock()
			if p.loses.Load() {
				next.ServeHTTP(httptest.NewRecorder(), r)
				panic(http.ErrAbortHandler)
			}
		}
		next.ServeHTTP(w, r)
	})
}

func (p *pair) pulls() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

// newPair starts both and waits until crew and plans have reached Gangway.
func newPair(t *testing.T) *pair {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	db := storetest.New(t)
	p := &pair{in: db.In(storetest.Account(t, db).Scope()), started: time.Now()}
	plain, hash, shown := access.NewKey(gangway.Development)
	if err := p.in.CreateCredential(ctx, storetest.Operator, store.Credential{Kind: store.APIKey, ID: "key_1",
		Shown: shown, CreatedAt: p.started}, hash); err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	surface := httptest.NewServer(p.line(api.New(api.Config{DB: db, Now: time.Now, Log: quiet})))
	t.Cleanup(surface.Close)

	p.system = httptest.NewUnstartedServer(nil)
	p.system.Start()
	outlet, err := p.in.SetOutlet(ctx, storetest.Operator, gangway.DefaultOutlet, storetest.PushTo(p.system.URL+
		"/api/sync_flights"), []string{deliver.NewSecret()}, p.started)
	calltest.Done(t, err)
	system := samplecustomer.New(samplecustomer.Config{BaseURL: surface.URL, AppURL: "http://gangway.example",
		APIKey: plain, Secret: outlet.Secrets[0], Log: quiet})
	p.system.Config.Handler = system

	ended := make(chan struct{}, 2)
	go func() { system.Run(ctx); ended <- struct{}{} }()
	deliverer := deliver.New(deliver.Config{DB: db, Kinds: kinds.Outlets,
		Options: transport.Options{
			Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, Now: time.Now, Log: quiet})
	go func() { deliverer.Run(ctx); ended <- struct{}{} }()
	t.Cleanup(func() {
		cancel()
		<-ended
		<-ended
		p.system.Close()
	})
	p.wantShown(t, `11</b> crew changes <small>11 new`)
	return p
}

func (p *pair) page(t *testing.T) string {
	t.Helper()
	res := calltest.Must(http.Get(p.system.URL))(t)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("the page answers %d, %v", res.StatusCode, err)
	}
	return string(body)
}

// wantShown waits until the page contains text, and returns the page. The page's events
// say when it has changed.
func (p *pair) wantShown(t *testing.T, text string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // the machine may be busy
	defer cancel()
	req := calltest.Must(http.NewRequestWithContext(ctx, "GET", p.system.URL+"/events", nil))(t)
	res := calltest.Must(http.DefaultClient.Do(req))(t)
	defer res.Body.Close()
	for events := bufio.NewScanner(res.Body); events.Scan(); {
		if page := p.page(t); strings.Contains(page, text) {
			return page
		}
	}
	t.Fatalf("the page never shows %q:\n%s", text, p.page(t))
	return ""
}

func (p *pair) press(t *testing.T, path string, form url.Values) {
	t.Helper()
	res := calltest.Must(http.PostForm(p.system.URL+path, form))(t)
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("the button %s answers %d", path, res.StatusCode)
	}
}

// book makes a booking at Gangway, as a booker would.
func (p *pair) book(t *testing.T, id string) {
	t.Helper()
	now := time.Now()
	b := gangway.Booking{
		ID: id, Locator: id, CreatedAt: now, CreatedBy: "ana@corvina.example",
		Passenger: gangway.Traveller{LastName: "Santos", FirstName: "Ana"},
	}
	b.Price = gangway.Price{Total: gangway.Money{Minor: 48250, Currency: "USD"}}
	storetest.Book(t, p.in, b)
}

func TestSystem(t *testing.T) {
	p := newPair(t)

	t.Run("its people and plans reach Gangway", func(t *testing.T) {
		today := gangway.DateOf(p.started)
		requests, err := p.in.TravelRequests(t.Context(), "", today, today.AddDays(60), 100)
		if err != nil || len(requests) != 72 {
			t.Fatalf("%d travel requests, %v; want 72", len(requests), err)
		}
		keys, err := p.in.CrewChangeKeys(t.Context(), "", today, today.AddDays(60), 100)
		if err != nil || len(keys) != 11 {
			t.Fatalf("%d crew changes, %v; want 11", len(keys), err)
		}
		var changes []gangway.CrewChange
		for _, key := range keys {
			c := calltest.Must(p.in.CrewChange(t.Context(), key))(t)
			changes = append(changes, c)
		}
		if !slices.ContainsFunc(changes, func(c gangway.CrewChange) bool { return c.Size() == 40 }) {
			t.Error("no crew change has forty people")
		}
		for _, c := range changes {
			if c.Airport() == "" || len(c.OnSigners) == 0 {
				t.Errorf("%s on %s has no airport, or no on-signers", c.Vessel, c.ChangeDate)
			}
		}
		found, err := p.in.SuggestTravellers(t.Context(), "kov", nil, 20)
		if err != nil || len(found) == 0 {
			t.Fatalf("nobody is suggested for kov, %v", err)
		}
	})

	t.Run("each hand-off form is read without a warning", func(t *testing.T) {
		forms := regexp.MustCompile(
			`(?s)<form method="post" action="http://gangway.example/integrations/search".*?</form>`).FindAllString(
			p.page(t), -1)
		if len(forms) != 11 {
			t.Fatalf("%d forms; want one a crew change", len(forms))
		}
		for _, form := range forms {
			values := url.Values{}
			for _, m := range regexp.MustCompile(`name="([^"]*)" value="([^"]*)"`).FindAllStringSubmatch(form, -1) {
				values.Set(html.UnescapeString(m[1]), html.UnescapeString(m[2]))
			}
			h, err := wire.ReadHandoff(values, gangway.TodayAt(time.Now()))
			warnings := slices.Concat(append(append([][]string{h.Warnings}, h.OnSigners...), h.OffSigners...)...)
			if err != nil || h.Change.Size() < 2 || len(warnings) > 0 {
				t.Errorf("%s: %d members, %v, %v", h.Change.Vessel, h.Change.Size(), warnings, err)
			}
		}
	})

	t.Run("each action is shown as it is pushed, newest first", func(t *testing.T) {
		p.book(t, "K7Q2MX")
		p.wantShown(t, "<code>K7Q2MX</code>")
		_, err := p.in.UpdateBooking(t.Context(), "K7Q2MX", "", func(b *gangway.Booking) (gangway.Action, error) {
			b.Tickets = []string{"9991234567890"}
			return b.Move(gangway.Issue, gangway.System, time.Now())
		})
		calltest.Done(t, err)
		page := p.wantShown(t, "ticket <code>9991234567890</code>")
		if i, c := strings.Index(page, `class="state issued"`), strings.Index(page, `class="state confirmed"`); i < 0 ||
			c < i {
			t.Errorf("issued is at %d, confirmed at %d; want the newest first", i, c)
		}
		if !strings.Contains(page, "USD 482.50") || !strings.Contains(page, "Ana Santos") ||
			strings.Contains(page, "out of order") {
			t.Error("price or traveller are missing, or an action came out of order")
		}
	})

	t.Run("an unsigned push is refused", func(t *testing.T) {
		res, err := http.Post(p.system.URL+"/api/sync_flights", "application/json",
			strings.NewReader(`{"actions":[{"action":"issued"}],"locator":"FORGED"}`))
		calltest.Done(t, err)
		res.Body.Close()
		if res.StatusCode != http.StatusUnauthorized || strings.Contains(p.page(t), "FORGED") {
			t.Fatalf("a forged push is answered %d; want 401 and nothing shown", res.StatusCode)
		}
	})

	t.Run("a pull brings what happened, once", func(t *testing.T) {
		p.press(t, "/pull", nil)
		if page := p.page(t); !strings.Contains(page, "2 actions of 1 booking") ||
			!strings.Contains(page, "confirmed, issued") {
			t.Error("the pull shows no booking with two actions")
		}
		p.press(t, "/pull", nil)
		if page := p.page(t); !strings.Contains(page, "Nothing has happened since the last pull.") {
			t.Error("a second pull returned something")
		}
	})

	t.Run("a pull whose answer is lost is asked for again under its name", func(t *testing.T) {
		p.book(t, "PULLAG")
		p.loses.Store(true)
		p.press(t, "/pull", nil)
		if page := p.page(t); !strings.Contains(page, "The pull failed") {
			t.Error("a lost answer is not shown")
		}
		p.loses.Store(false)
		p.press(t, "/pull", nil)
		asked := p.pulls()
		if !strings.Contains(p.page(t), "PULLAG</code></td>") {
			t.Error("the lost answer was not received again")
		}
		if names := slices.Compact(slices.Clone(asked)); len(names) != 3 || len(asked) < 4 {
			t.Errorf("asked for the pulls %q; want three, the last one more than once", asked)
		}
	})

	t.Run("a deleted travel request is gone at Gangway too", func(t *testing.T) {
		id := fmt.Sprintf("TR-%d-001", p.started.Year())
		p.press(t, "/requests/delete", url.Values{"request": {id}})
		if _, err := p.in.TravelRequest(t.Context(), id, ""); gangway.KindOf(err) != gangway.NotFound {
			t.Fatalf("TravelRequest = %v; want NotFound", err)
		}
		if strings.Contains(p.page(t), id+"</code>") {
			t.Error("the page still lists it")
		}
	})

	t.Run("another site cannot press its buttons", func(t *testing.T) {
		req, _ := http.NewRequestWithContext(t.Context(), "POST", p.system.URL+"/pull", nil)
		req.Header.Set("Sec-Fetch-Site", "cross-site")
		res := calltest.Must(http.DefaultClient.Do(req))(t)
		res.Body.Close()
		if res.StatusCode != http.StatusForbidden {
			t.Fatalf("a button pressed from elsewhere answers %d; want 403", res.StatusCode)
		}
	})
}
