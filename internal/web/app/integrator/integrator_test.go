package integrator_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
	"gangway/internal/web/api"
	"gangway/internal/web/app/apptest"
)

// A desk is a site beside the interface of the same program, with a key for either environment.
type desk struct {
	*apptest.Site
	api       *httptest.Server
	live, dev string
}

func newDesk(t *testing.T, db *store.DB) *desk {
	t.Helper()
	db.SealWith(storetest.Sealer(t))
	d := &desk{Site: apptest.NewSiteOn(t, db)}
	d.api = httptest.NewServer(api.New(api.Config{DB: d.DB, Now: d.Now, Log: slog.New(slog.DiscardHandler),
		Requests: d.Requests}))
	t.Cleanup(d.api.Close)
	d.live, d.dev = d.key(t, d.Production, "key_live"), d.key(t, d.Development, "key_test")
	return d
}

func (d *desk) key(t *testing.T, a gangway.Account, id string) string {
	t.Helper()
	plain, hash, shown := access.NewKey(a.Environment)
	apptest.Done(t, d.DB.In(a.Scope()).CreateCredential(t.Context(), storetest.Operator, store.Credential{
		Kind: store.APIKey, ID: id, Shown: shown, CreatedAt: d.Now()}, hash))
	return plain
}

// ask sends a request with a key, and returns its Request-Id.
func (d *desk) ask(t *testing.T, key, method, path, body string) string {
	t.Helper()
	req := apptest.Must(http.NewRequestWithContext(t.Context(), method, d.api.URL+path, strings.NewReader(body)))(t)
	req.Header.Set("X-Api-Key", key)
	req.Header.Set("Content-Type", "application/json")
	res := apptest.Must(http.DefaultTransport.RoundTrip(req))(t)
	res.Body.Close()
	return res.Header.Get("Request-Id")
}

// refused is an upload of which nothing is stored.
const refused = `[{"id": "` + "\u202e" + `<C-4711", "last_name": "Quux", "first_name": "Ana", "dob": "1990-04-30",
	"nationality": "PH", "gender": "X", "doc_country": "PH", "doc_number": "P1", "doc_expire": "2041-01-01",
	"home_airport": "MNL"}]`

// A refused upload is found on the page by its Request-Id, with what was wrong, by whoever has the key, and by nobody
// else.
func TestKeyShowsItsOwnAccount(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		bad := d.ask(t, d.dev, "POST", "/passenger", refused)
		good := d.ask(t, d.dev, "GET", "/bookings?pull=night-1", "")
		live := d.ask(t, d.live, "GET", "/bookings/modified?from=2036-01-01", "")

		c := d.Client(t)
		c.Get("/integrator/requests").Shows("/integrator", "Check an API key")
		c.Post("/integrator", url.Values{"key": {d.dev}}).Shows("/integrator/requests",
			"This key is for Harbour Crewing, development", "Development: nothing here is real", bad, good,
			"POST /passenger", "GET /bookings?pull=night-1", "The Gender field", d.dev[:12]+"…")
		c.Get("/integrator/requests").Lacks(live, "modified")
		c.Get("/integrator/requests").Lacks(d.dev)
		c.Get("/integrator/requests?show=refused").Lacks("night-1")
		c.Get("/integrator/requests?find="+bad).Shows("/integrator/requests/"+bad, "POST /passenger",
			"400 Bad Request", "[0].Gender", "The Gender field", "They are not kept in this account")
		c.Get("/integrator/requests?find="+strings.ToUpper(bad)).Shows("/integrator/requests/"+bad, "400 Bad Request")
		c.Get("/integrator/requests?find=K7Q2MX").Has("A Request-Id begins with req_")
		c.Get("/integrator/requests?find=msg_4711").Has("deliveries has this webhook-id")
		c.Get("/integrator/requests?find=" + live).Has("No request of the last 30 days is called")
		a := c.Get("/integrator/requests/" + live)
		if a.Lacks("Book a flight"); a.Status != http.StatusNotFound || !strings.Contains(a.Body, "All requests") {
			t.Errorf("the key of development opens a request of production: %d", a.Status)
		}
		for i := range 10 {
			at := d.Now().Add(time.Duration(i) * time.Millisecond)
			d.Requests.Note(d.Development.ID, gangway.LoggedRequest{ID: store.NewRequestID(at), At: at, Method: "GET",
				Path: "/bookings/pulls", Status: 429, Details: gangway.RequestDetails{
					Detail: fmt.Sprintf("more than 600 requests in a minute, which was refused %d times by now", i+1)}})
		}
		counted := store.NewRequestID(d.Now().Add(time.Second / 2))
		c.Get("/integrator/requests?find="+counted).Shows("/integrator/requests/"+counted, counted,
			"refused 10 times by now", "if it was one of them, it is counted")
		at, _ := url.Parse(d.URL)
		copied := d.Client(t)
		copied.HTTP.Jar.SetCookies(at, c.HTTP.Jar.Cookies(at))
		copied.Get("/integrator/requests").Has(bad)
		c.Post("/integrator/leave", nil).Shows("/integrator", "Check an API key")
		c.Get("/integrator/requests").Shows("/integrator", "Check an API key")
		copied.Get("/integrator/requests").Shows("/integrator", "Check an API key")
	})
}

// The page is closed to whoever has no key, and to a key that was revoked or shown long ago.
func TestKeyIsNeeded(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	id := d.ask(t, d.live, "GET", "/bookings", "")
	unknown, _, _ := access.NewKey(gangway.Production)
	for key, want := range map[string]string{"": "Paste the key", "letmein": "no key of Gangway",
		d.live[:40]: "cut off", unknown: "not known here, or was revoked"} {
		c := d.Client(t)
		a := c.Post("/integrator", url.Values{"key": {key}})
		a.Has(want)
		if key != "" {
			a.Lacks(key)
		}
		a.Is(http.StatusUnprocessableEntity)
		c.Get("/integrator/requests/"+id).Shows("/integrator", "Check an API key")
	}
	list, err := d.DB.Audit(t.Context(), store.AuditQuery{What: gangway.KeyRefused}, 10)
	if err != nil || len(list) != 1 || list[0].After["path"] != "/integrator" {
		t.Errorf("the audit log has %+v, %v; want the key that nobody knows, without it", list, err)
	}

	old, revoked := d.Client(t), d.Client(t)
	for _, c := range []*apptest.Client{old, revoked} {
		c.Post("/integrator", url.Values{"key": {d.live}}).Has(id)
	}
	apptest.Done(t, d.DB.In(d.Production.Scope()).RevokeCredential(t.Context(), storetest.Operator, store.APIKey,
		"key_live", d.Now()))
	revoked.Get("/integrator/requests").Shows("/integrator", "Check an API key")

	d.live = d.key(t, d.Production, "key_second")
	old.Post("/integrator", url.Values{"key": {d.live}}).Has(id)
	d.Passed.Add(int64(time.Hour))
	old.Get("/integrator/requests").Shows("/integrator", "Check an API key")
}

// A network tries few keys in a minute, however many it has.
func TestKeysAreNotGuessed(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	c := d.Client(t)
	for range 20 {
		c.Post("/integrator", url.Values{"key": {"letmein"}})
	}
	if a := c.Post("/integrator", url.Values{"key": {d.live}}); a.Status != http.StatusTooManyRequests ||
		a.Head.Get("Retry-After") == "" {
		t.Errorf("the 21st try is answered with %d; want 429 that says when to try again", a.Status)
	}
}

// However many requests there were, each of the latest is on one page.
func TestRequestsArePaged(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	for i := range 130 {
		at := d.Now().Add(-time.Duration(i) * time.Minute)
		d.Requests.Note(d.Production.ID, gangway.LoggedRequest{ID: store.NewRequestID(at), At: at, Method: "GET",
			Path: "/bookings", Status: 200})
	}
	c := d.Client(t)
	first := c.Post("/integrator", url.Values{"key": {d.live}})
	first.Has("130 requests in the last 30 days", d.Now().UTC().Format("2 Jan 15:04:05"))
	_, after, more := strings.Cut(first.Body, `href="/integrator/requests?after=`)
	id, _, _ := strings.Cut(after, `"`)
	second := c.Get("/integrator/requests?after=" + id)
	rows := func(a apptest.Answer) int { return strings.Count(a.Body, `data-label="Took"`) }
	if !more || rows(first) != 100 || rows(second) != 30 {
		t.Errorf("the pages have %d and %d requests; want 100 and 30", rows(first), rows(second))
	}
	second.Has("Latest")
}

// An admin sees both environments, with the bodies that are kept; that somebody has seen them is in the audit log.
func TestAdminsSeeBothEnvironments(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		storetest.Settings(t, d.DB.In(d.Production.Scope()), gangway.Settings{LogBodies: true})
		dev, live := d.ask(t, d.dev, "GET", "/nothing", ""), d.ask(t, d.live, "POST", "/passenger", refused)
		admin := d.SignedIn(t, gangway.Admin)
		admin.Get("/settings/integrator").Shows("/settings/integrator", "Production", "Development", "GET /nothing",
			"There is nothing at this address.", "POST /passenger", "The Gender field",
			"1 request in the last 30 days, refused", "\uFFFD&lt;C-4711")
		admin.Get("/settings/integrator?show=refused").Has(`aria-current="page">Refused</a>`)
		admin.Get("/settings/integrator?find="+dev).Shows("/settings/integrator/development/"+dev, "404 Not Found")
		one := "/settings/integrator/production/" + live
		admin.Get("/settings/integrator?find="+live).Shows(one, "Show them")
		admin.Get(one).Lacks("Quux")
		admin.Get(one + "?bodies=show").Lacks("Quux") // whatever a link or a prefetch opens
		shown := admin.Post(one, nil)
		shown.Has("Quux", "\uFFFD&lt;C-4711")
		for _, page := range []apptest.Answer{admin.Get("/settings/integrator"), shown} {
			page.Lacks("\u202e") // which turns round the rest of a line
		}
		list, err := d.DB.Audit(t.Context(), store.AuditQuery{What: gangway.RequestShown}, 10)
		if err != nil || len(list) != 1 || list[0].After["request"] != live {
			t.Errorf("the audit log has %+v, %v; want who has seen what was sent", list, err)
		}
		admin.Get("/settings/integrator/development/"+live).Is(http.StatusNotFound, `href="/settings/integrator">Settings › Integrator<`)
	})
}

// The outlets' deliveries are there too, with how the customer's system answered, for its own account alone.
func TestDeliveriesAreShown(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		var well atomic.Bool
		system := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if !well.Load() {
				http.Error(w, "the crewing system is being updated", http.StatusInternalServerError)
			}
		}))
		defer system.Close()
		in := apptest.Production(d.Site)
		apptest.Must(in.SetOutlet(t.Context(), storetest.Operator, "erp", storetest.PushTo(system.URL+"/bookings"),
			[]string{deliver.NewSecret()}, d.Now()))(t)
		admin, c, other := d.SignedIn(t, gangway.Admin), d.Client(t), d.Client(t)
		c.Post("/integrator", url.Values{"key": {d.live}})
		other.Post("/integrator", url.Values{"key": {d.dev}})
		const at = "/integrator/requests?show=deliveries"
		c.Get(at).Has("Nothing was to be delivered yet")
		b := apptest.Must(in.Booking(t.Context(), strings.TrimPrefix(admin.Booked(""), "/bookings/")))(t)
		c.Get(at).Shows(at, b.Locator, "confirmed", "waiting", "msg_", "erp")
		until(t, d.Site, 0, func(d store.LatestDelivery) bool { return d.Attempts > 0 })
		c.Get(at).Shows(at, "tried again", "500 the crewing system is being updated",
			"· 1 delivery, waiting. Times are UTC.")
		c.Get(at+"&find="+strings.ToLower(b.Locator)+"&state=waiting").Has(b.Locator, "msg_")
		c.Get("/integrator/requests?state=parked&find=erp").Has("No such deliveries")
		for wrong, want := range map[string]string{"&state=bogus": "State must be one of waiting, parked, delivered",
			"x": "Show must be refused or deliveries"} {
			c.Get(at+wrong).Is(http.StatusBadRequest).Has(want, "All deliveries")
		}
		list, err := in.LatestDeliveries(t.Context(), store.DeliveryQuery{Booking: b.ID}, 2)
		if err != nil || len(list) != 1 {
			t.Fatalf("%d deliveries, %v; want one", len(list), err)
		}
		c.Get("/integrator/requests?find="+list[0].ID).Has(b.Locator, "What was tried", "500 Internal Server Error",
			"the crewing system is being updated")
		other.Get("/integrator/requests?find=" + list[0].ID).Has("deliveries has this webhook-id")
		other.Get(at + "&find=" + b.Locator).Is(http.StatusNotFound)
		found := admin.Get("/settings/integrator?find=" + list[0].ID)
		found.Has("/settings/outlets/erp/deliveries/"+b.ID+"/1", "What was tried",
			`<input id="find" name="find" type="search" value=""`) // the search for bookings above the page
		other.Get(at).Lacks(b.Locator)
		admin.Get("/settings/outlets").Has("/settings/outlets/erp/deliveries/"+b.ID+"/1", b.Locator,
			"It answered 500 Internal Server Error.", "the crewing system is being updated")
		admin.Get("/settings/integrator?show=deliveries").Shows("/settings/integrator?show=deliveries",
			b.Locator, "tried again")

		// What is delivered again is found by the webhook-id that its receiver saw.
		well.Store(true)
		apptest.Done(t, in.ResumeOutlet(t.Context(), apptest.Maya, "erp", d.Now()))
		until(t, d.Site, time.Hour, func(d store.LatestDelivery) bool { return d.State == "done" })
		admin.Get("/settings/integrator?find=" + list[0].ID).Lacks("replayed since")
		apptest.Done(t, in.Replay(t.Context(), apptest.Maya, list[0].Outlet, b.ID, 1, "", d.Now()))
		now := apptest.Must(in.LatestDeliveries(t.Context(), store.DeliveryQuery{Booking: b.ID}, 1))(t)
		c.Get(at).
			Has("waiting", "It was accepted before, as "+list[0].ID, `data-label="Tries" class="number">0<`).
			Lacks("500 the crewing", ">200 ")
		for _, page := range []apptest.Answer{c.Get("/integrator/requests?find=" + list[0].ID),
			admin.Get("/settings/integrator?find=" + list[0].ID)} {
			page.Has("It was replayed since, and has another webhook-id", now[0].ID, "Each try names the webhook-id")
			if !regexp.MustCompile(`(id|code)">` + list[0].ID + `<`).MatchString(page.Body) {
				t.Errorf("no try names %s", list[0].ID)
			}
		}
	})
}

// until delivers what waits, some time later, until the only delivery has come so far.
func until(t *testing.T, s *apptest.Site, later time.Duration, far func(store.LatestDelivery) bool) {
	t.Helper()
	s.Deliver(t, s.Now().Add(later), apptest.Private, func(in store.Scoped) bool {
		list := apptest.Must(in.LatestDeliveries(t.Context(), store.DeliveryQuery{}, 1))(t)
		return len(list) == 1 && far(list[0])
	})
}
