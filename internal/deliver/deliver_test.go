package deliver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/calltest"
	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport/kinds"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// A clock is the time of a test; it only moves forward by the test's command.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// received is a push as the customer's system saw it.
type received struct {
	ID     string
	Header http.Header
	Body   []byte
	State  string
	Ref    string // booking
}

// A customer is a system that receives pushes and answers as the test says.
type customer struct {
	*httptest.Server
	mu     sync.Mutex
	got    []received
	answer func(n int, r received) (status int, header map[string]string)
}

func newCustomer(t *testing.T) *customer {
	t.Helper()
	c := &customer{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var b struct{ ID, State string }
		json.Unmarshal(body, &b)
		p := received{ID: r.Header.Get("Webhook-Id"), Header: r.Header.Clone(), Body: body, State: b.State, Ref: b.ID}
		c.mu.Lock()
		c.got = append(c.got, p)
		n, answer := len(c.got), c.answer
		c.mu.Unlock()
		status := http.StatusNoContent
		if answer != nil {
			var header map[string]string
			status, header = answer(n, p)
			for k, v := range header {
				w.Header().Set(k, v)
			}
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *customer) answers(f func(n int, r received) (int, map[string]string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = f
}

// wait waits until n pushes have arrived, and returns them.
func (c *customer) wait(t *testing.T, n int) (got []received) {
	t.Helper()
	until(t, fmt.Sprintf("%d pushes arrive", n), func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		got = slices.Clone(c.got)
		return len(got) >= n
	})
	return got
}

// A pipeline is an account with an outlet to a customer's system.
type pipeline struct {
	db     *store.DB
	in     store.Scoped
	clock  *clock
	outlet gangway.Outlet
	log    slog.Handler  // nil: nobody reads it
	grace  time.Duration // zero: as ever

	workers *mapping.Workers // nil: with the limits of a server
}

func newPipeline(t *testing.T, db *store.DB, url string) *pipeline {
	t.Helper()
	r := &pipeline{db: db, in: db.In(storetest.Account(t, db).Scope()),
		clock: &clock{now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)}}
	var err error
	if r.outlet, err = r.in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet, storetest.PushTo(url),
		[]string{deliver.NewSecret()}, r.clock.Now()); err != nil {
		t.Fatal(err)
	}
	return r
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// run starts a deliverer that may call the given networks, and returns a function that stops it.
func (r *pipeline) run(t *testing.T, allow []netip.Prefix) (stop func()) {
	t.Helper()
	return r.runWith(t, kinds.Outlets, allow)
}

// book makes a booking, whose first action is confirmed.
func (r *pipeline) book(t *testing.T, id string) {
	t.Helper()
	now := r.clock.Now()
	b := gangway.Booking{ID: id, Locator: fmt.Sprintf("%06.6s", id), CreatedAt: now, CreatedBy: "ana@example.com"}
	b.Price = gangway.Price{Total: gangway.Money{Minor: 48200, Currency: "USD"}}
	storetest.Book(t, r.in, b)
}

func (r *pipeline) move(t *testing.T, id string, event gangway.Event) {
	t.Helper()
	_, err := r.in.UpdateBooking(t.Context(), id, "", func(b *gangway.Booking) (gangway.Action, error) {
		return b.Move(event, "ana@example.com", r.clock.Now())
	})
	calltest.Done(t, err)
}

// wantStatuses waits until the booking's deliveries have the given states.
func (r *pipeline) wantStatuses(t *testing.T, id string, want ...string) (list []store.DeliveryStatus) {
	t.Helper()
	until(t, fmt.Sprintf("the deliveries of %s are %v", id, want), func() bool {
		list = r.statuses(t, gangway.Outlet{}, id)
		return slices.EqualFunc(list, want, func(d store.DeliveryStatus, state string) bool { return d.State == state })
	})
	return list
}

func TestPush(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("each action is one push, signed, in order, as the booking was then", func(t *testing.T) {
			c := newCustomer(t)
			r := newPipeline(t, db, c.URL)
			r.book(t, "B00001")
			r.move(t, "B00001", gangway.Issue)
			r.move(t, "B00001", gangway.Cancel)
			r.run(t, loopback)
			got := c.wait(t, 3)
			for i, want := range []string{"confirmed", "issued", "cancelled"} {
				var body struct {
					State   string
					Actions []struct{ Action string }
				}
				if err := json.Unmarshal(got[i].Body, &body); err != nil || body.State != want || len(body.Actions) !=
					1 || body.Actions[0].Action != want {
					t.Errorf("push %d is %s; want state and one action %s", i+1, got[i].Body, want)
				}
				hook := calltest.Must(standardwebhooks.NewWebhook(r.outlet.Secrets[0]))(t)
				if err := hook.VerifyIgnoringTimestamp(got[i].Body, got[i].Header); err != nil {
					t.Errorf("push %d: %v", i+1, err)
				}
			}
			r.wantStatuses(t, "B00001", "done", "done", "done")
		})
		t.Run("a failed push is repeated, byte for byte, before the next action", func(t *testing.T) {
			c := newCustomer(t)
			c.answers(func(n int, _ received) (int, map[string]string) {
				if n <= 3 {
					return http.StatusInternalServerError, nil
				}
				return http.StatusOK, nil
			})
			r := newPipeline(t, db, c.URL)
			r.run(t, loopback)
			r.book(t, "B00002")
			r.move(t, "B00002", gangway.Issue)
			for n := 1; n <= 3; n++ {
				c.wait(t, n)
				r.attempts(t, "B00002", n)
				r.clock.forward(2 * time.Minute)
			}
			got := c.wait(t, 5)
			for i := range 4 {
				if got[i].ID != got[0].ID || !bytes.Equal(got[i].Body, got[0].Body) {
					t.Errorf("try %d is %s with another body or id; want %s again", i+1, got[i].ID, got[0].ID)
				}
			}
			if got[4].State != "issued" || got[4].ID == got[0].ID {
				t.Errorf("then came %s %s; want the next action", got[4].ID, got[4].State)
			}
		})
		t.Run("an outlet that answered 410 is not called again until it is switched on", func(t *testing.T) {
			c := newCustomer(t)
			var underWay sync.WaitGroup
			underWay.Add(3)
			c.answers(func(int, received) (int, map[string]string) {
				underWay.Done()
				underWay.Wait()
				return http.StatusGone, nil
			})
			r := newPipeline(t, db, c.URL)
			var said bytes.Buffer
			r.log = slog.NewTextHandler(&said, nil)
			stop := r.run(t, loopback)
			for _, id := range []string{"B00003", "B00013", "B00023"} {
				r.book(t, id)
			}
			for _, id := range []string{"B00003", "B00013", "B00023"} {
				r.attempts(t, id, 1)
			}
			outlets, err := r.in.Outlets(t.Context())
			if err != nil || !outlets[0].Off || !strings.HasSuffix(outlets[0].OffReason,
				"on Mon 2 Nov 2026 09:00 UTC") {
				t.Fatalf("outlet = %+v, %v; want it off, with a reason", outlets[0], err)
			}
			r.move(t, "B00003", gangway.Issue)
			r.clock.forward(time.Hour)
			stop()
			if n := len(c.wait(t, 3)); n != 3 {
				t.Fatalf("%d pushes to an outlet that is off; want none after those that were under way", n)
			}
			if n := strings.Count(said.String(), "answered 410 and is switched off"); n != 1 {
				t.Errorf("the log says %d times that it is switched off; want once\n%s", n, &said)
			}
			account := calltest.Must(r.in.Account(t.Context()))(t)
			audit, err := db.Audit(t.Context(), store.AuditQuery{Customer: account.Customer.ID,
				What: gangway.OutletOff}, 9)
			if err != nil || len(audit) != 1 {
				t.Errorf("the audit log has %v, %v; want one entry", audit, err)
			}
			c.answers(nil)
			if _, err := r.in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
				storetest.PushTo(c.URL), nil,
				r.clock.Now()); err != nil {
				t.Fatal(err)
			}
			r.run(t, loopback)
			r.wantStatuses(t, "B00003", "done", "done")
		})
		t.Run("after three days a delivery is parked, later ones proceed, and it can be replayed", func(t *testing.T) {
			c := newCustomer(t)
			c.answers(func(int, received) (int, map[string]string) { return http.StatusBadGateway, nil })
			r := newPipeline(t, db, c.URL)
			r.book(t, "B00005")
			stop := r.run(t, loopback)
			r.attempts(t, "B00005", 1)
			r.clock.forward(76*time.Hour + time.Minute)
			r.wantStatuses(t, "B00005", "parked")
			r.move(t, "B00005", gangway.Issue)
			until(t, "the later one is refused as well", func() bool {
				list := r.statuses(t, r.outlet, "B00005")
				return len(list) == 2 && list[1].Attempts == 1
			})
			stop()
			if n, err := r.in.ReplayAll(t.Context(), storetest.Operator, r.outlet.ID, r.clock.Now()); n != 1 ||
				err != nil {
				t.Fatalf("ReplayAll = %d, %v; want 1", n, err)
			}
			if list, err := r.in.RefusedDeliveries(t.Context(), r.outlet.ID, 2); err != nil || len(list) != 0 {
				t.Errorf("refused are %+v, %v; want none, as what goes first was not sent since its replay", list, err)
			}
			c.answers(nil)
			r.run(t, loopback)
			r.wantStatuses(t, "B00005", "done", "done")
			got := c.wait(t, 5)
			if got[1].ID != got[0].ID || got[3].ID == got[0].ID || string(got[3].Body) != string(got[0].Body) {
				t.Errorf("tried %+v, then %+v, and replayed %+v; want the same record, at last under a new id",
					got[0], got[1], got[3])
			}
		})
		t.Run("a private network is not called unless allowed", func(t *testing.T) {
			c := newCustomer(t)
			r := newPipeline(t, db, c.URL)
			r.book(t, "B00006")
			r.run(t, nil)
			if last := r.attempts(t, "B00006", 1); last.Status != 0 || len(c.wait(t, 0)) != 0 {
				t.Fatalf("attempt = %+v; want the address refused before it was called", last)
			}
		})
	})
}

// attempts waits until the booking's first action has been tried n times, and returns the last attempt.
func (r *pipeline) attempts(t *testing.T, id string, n int) (last store.Attempt) {
	t.Helper()
	until(t, fmt.Sprintf("%s is tried %d times", id, n), func() bool {
		list := r.statuses(t, gangway.Outlet{}, id)
		if len(list) == 0 {
			return false
		}
		last = list[0].Last
		return list[0].Attempts >= n
	})
	return last
}

func TestSlowCustomer(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		// A customer who does not answer takes only its own places: the others continue.
		held := make(chan struct{})
		slow := newCustomer(t)
		slow.answers(func(int, received) (int, map[string]string) { <-held; return http.StatusOK, nil })
		quick := newCustomer(t)
		a, b := newPipeline(t, db, slow.URL), newPipeline(t, db, quick.URL)
		b.clock = a.clock
		for i := range 40 {
			a.book(t, fmt.Sprintf("S%05d", i))
		}
		a.run(t, loopback)
		t.Cleanup(func() { close(held) })
		for i := range 40 {
			b.book(t, fmt.Sprintf("Q%05d", i))
		}
		quick.wait(t, 40)
	})
}
