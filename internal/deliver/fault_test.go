package deliver_test

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/endpoint"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// A pausing sender blocks before its first push until its queue is lost, like a replica that the operating system has
// stopped.
type pausing struct {
	transport.Sender
	past atomic.Bool   // it has blocked once
	held chan struct{} // closed when it blocks
	over chan error    // what became of that push
}

// kinds are those of outlets, with a sender that pauses.
func (p *pausing) kinds() []transport.Kind {
	kind := endpoint.Outlet
	kind.Send = func(settings json.RawMessage, o transport.Options) (s transport.Sender, err error) {
		p.Sender, err = endpoint.Outlet.Send(settings, o)
		return p, err
	}
	return []transport.Kind{kind}
}

func (p *pausing) Send(ctx context.Context, d transport.Outgoing) (transport.Answer, error) {
	if !p.past.CompareAndSwap(false, true) {
		return p.Sender.Send(ctx, d)
	}
	close(p.held)
	for transport.Held(ctx)() {
		<-time.After(10 * time.Millisecond)
	}
	answer, err := p.Sender.Send(ctx, d)
	p.over <- err
	return answer, err
}

func TestPausedReplica(t *testing.T) {
	// When the lease of a paused replica has expired, another delivers its queue. When the paused one goes on it sends
	// nothing of it, not even the push that it was about to send.
	t.Parallel() // it waits until the replica knows
	c := newCustomer(t)
	url := storetest.PostgresURL(t)
	r := newPipeline(t, openDB(t, url), c.URL)
	slow := &pausing{held: make(chan struct{}), over: make(chan error, 1)}
	stop := r.runWith(t, slow.kinds(), loopback)
	r.book(t, "PAUSED")
	<-slow.held
	operator := rawDB(t, url)
	leased := func() (until int64) {
		calltest.Done(t, operator.QueryRowContext(t.Context(), `SELECT lease FROM lane`).Scan(&until))
		return until
	}
	began := leased()
	until(t, "the lease is renewed while the push lasts", func() bool { return leased() > began })
	execute(t, operator, expire)
	other := *r
	other.db = openDB(t, url)
	other.run(t, loopback)
	r.move(t, "PAUSED", gangway.Issue)
	r.wantStatuses(t, "PAUSED", "done", "done")
	if err := <-slow.over; err == nil {
		t.Error("the push that was about to leave was sent; want it held back")
	}
	stop()
	got := c.wait(t, 2)
	if len(got) != 2 || got[0].State != "confirmed" || got[1].State != "issued" {
		t.Fatalf("%d pushes arrived; want confirmed and issued", len(got))
	}
	if list := r.wantStatuses(t, "PAUSED", "done", "done"); list[0].Attempts != 1 {
		t.Fatalf("%d attempts are recorded; want the one that was made", list[0].Attempts)
	}
}

// expire has the leases of all queues expire.
const expire = `UPDATE lane SET lease = 1 WHERE lease > 0`

func execute(t *testing.T, operator *sql.DB, statement string) {
	t.Helper()
	calltest.Must(operator.ExecContext(t.Context(), statement))(t)
}

// rawDB opens the database at url directly, as its operator would.
func rawDB(t *testing.T, url string) *sql.DB {
	t.Helper()
	driver, name := "pgx", url
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		driver, name = "sqlite", path
	}
	db := calltest.Must(sql.Open(driver, name))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

func openDB(t *testing.T, url string) *store.DB {
	t.Helper()
	db := calltest.Must(store.Open(t.Context(), url))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

func TestReplicas(t *testing.T) {
	c := newCustomer(t)
	url := storetest.PostgresURL(t)
	var r *pipeline
	for range 2 {
		db := openDB(t, url)
		if r == nil {
			r = newPipeline(t, db, c.URL)
		}
		replica := *r
		replica.db = db
		replica.run(t, loopback)
	}
	for i := range 20 {
		id := fmt.Sprintf("C%05d", i)
		r.book(t, id)
		r.move(t, id, gangway.Issue)
	}
	for i := range 20 {
		r.wantStatuses(t, fmt.Sprintf("C%05d", i), "done", "done")
	}
	seen, last := map[string]int{}, map[string]string{}
	for _, p := range c.wait(t, 40) {
		seen[p.ID]++
		if p.State == "issued" && last[p.Ref] != "confirmed" {
			t.Errorf("%s: issued came after %q", p.Ref, last[p.Ref])
		}
		last[p.Ref] = p.State
	}
	if len(seen) != 40 || len(c.wait(t, 40)) != 40 {
		t.Fatalf("%d pushes of %d actions; want 40 of 40", len(c.wait(t, 40)), len(seen))
	}
}

func TestLostQueue(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openDB(t, url)
		r := newPipeline(t, db, "http://customer.example/")
		r.book(t, "LOSTAA")
		now := r.clock.Now()
		first, d := storetest.TakeDelivery(t, db, now)
		// No clock of a replica's own makes it anybody's, even if it is an hour ahead.
		if again, err := openDB(t, url).TakeQueues(t.Context(), now.Add(time.Hour), 10, 10, nil); err != nil ||
			len(again) != 0 {
			t.Fatalf("a queue was taken again while somebody has it: %v, %v", again, err)
		}
		execute(t, rawDB(t, url), expire)
		second, _ := storetest.TakeDelivery(t, db, now)
		attempt := store.Attempt{At: now, Status: 200}
		for name, o := range map[string]*store.Outcome{
			"delivered": {},
			"failed":    {Failure: &store.DeliveryFailure{Next: now.Add(time.Hour), Off: "gone"}},
			"renewed":   {Keep: true},
		} {
			o.Queue, o.At = first, now
			if !o.Keep {
				o.Results = []store.Result{{Delivery: d, State: "done", Attempt: &attempt}}
			}
			if db.Settle(t.Context(), o); !errors.Is(o.Err, store.ErrQueueLost) || first.Held() {
				t.Errorf("%s in another worker's queue = %v, held %v; want it lost", name, o.Err, first.Held())
			}
		}
		if err := storetest.SettleTry(t, db, second, d, "done", attempt, nil); err != nil {
			t.Errorf("delivered by its holder: %v", err)
		}
		if list, err := r.in.DeliveryStatuses(t.Context(), "LOSTAA"); err != nil || list[0].State != "done" ||
			list[0].Attempts != 1 || r.stored(t).Off {
			t.Errorf("the delivery is %+v, %v; want it done, in one attempt, and the outlet on", list, err)
		}
	})
}

func TestOutage(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("after an outage everything arrives with the first success", func(t *testing.T) {
			c := newCustomer(t)
			c.answers(func(int, received) (int, map[string]string) { return http.StatusBadGateway, nil })
			r := newPipeline(t, db, c.URL)
			stop := r.run(t, loopback)
			for i := range 6 {
				r.book(t, fmt.Sprintf("OUT%03d", i))
				r.attempts(t, fmt.Sprintf("OUT%03d", i), 1)
			}
			// Hours pass, in which each delivery's waits get longer.
			for n := 2; n <= 5; n++ {
				r.clock.forward(30 * time.Minute)
				for i := range 6 {
					r.attempts(t, fmt.Sprintf("OUT%03d", i), n)
				}
			}
			if o, err := r.in.Outlets(t.Context()); err != nil ||
				!o[0].FailingSince.Equal(time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)) {
				t.Errorf("failing since %v, %v; want the first failure", o[0].FailingSince, err)
			}
			last, err := r.in.LastFailure(t.Context(), r.outlet.ID)
			if err != nil || last.Status != http.StatusBadGateway || !last.At.Equal(r.clock.Now()) {
				t.Errorf("the last failure is %+v, %v; want the one at %v", last, err, r.clock.Now())
			}
			stop()
			// It takes one, is overrun by the others, and takes a new one: those do not wait as long as before.
			var mu sync.Mutex
			refused := map[string]bool{"OUTNEW": true}
			c.answers(func(_ int, p received) (int, map[string]string) {
				mu.Lock()
				defer mu.Unlock()
				if len(refused) == 1 || refused[p.Ref] {
					refused["the first"], refused[p.Ref] = true, true
					return http.StatusOK, nil
				}
				refused[p.Ref] = true
				return http.StatusServiceUnavailable, nil
			})
			r.clock.forward(61 * time.Second) // the probe is due every minute
			r.run(t, loopback)
			for i := range 6 {
				r.attempts(t, fmt.Sprintf("OUT%03d", i), 6)
			}
			r.book(t, "OUTNEW")
			r.wantStatuses(t, "OUTNEW", "done")
			r.clock.forward(75 * time.Second)
			for i := range 6 {
				r.wantStatuses(t, fmt.Sprintf("OUT%03d", i), "done")
			}
			if o, err := r.in.Outlets(t.Context()); err != nil || !o[0].FailingSince.IsZero() {
				t.Errorf("failing since %v, %v; want the outlet to have recovered", o[0].FailingSince, err)
			}
			if last, err := r.in.LastFailure(t.Context(), r.outlet.ID); err != nil || !last.At.IsZero() {
				t.Errorf("the last failure is %+v, %v; want none, as all is well", last, err)
			}
		})
		t.Run("a refused record is retried after ten accepted ones, but not with each ten", func(t *testing.T) {
			c := newCustomer(t)
			c.answers(func(_ int, p received) (int, map[string]string) {
				if p.Ref == "POISON" {
					return http.StatusBadRequest, nil
				}
				return http.StatusOK, nil
			})
			r := newPipeline(t, db, c.URL)
			r.run(t, loopback)
			r.book(t, "POISON")
			r.attempts(t, "POISON", 1)
			for i := range 20 {
				r.book(t, fmt.Sprintf("FINE%02d", i))
				r.wantStatuses(t, fmt.Sprintf("FINE%02d", i), "done")
			}
			r.attempts(t, "POISON", 2)
			if list := r.wantStatuses(t, "POISON", "due"); list[0].Attempts != 2 {
				t.Fatalf("%d attempts while no time passed; want one more after ten were accepted", list[0].Attempts)
			}
			if b, err := r.in.OutletBacklog(t.Context(), r.outlet.ID); err != nil || b.Refused != 1 || b.Waiting != 1 {
				t.Errorf("at the outlet is %+v, %v; want one refused", b, err)
			}
			list, err := r.in.RefusedDeliveries(t.Context(), r.outlet.ID, 2)
			if err != nil || len(list) != 1 || list[0].Status != 400 || list[0].Locator != "POISON" ||
				list[0].Seq != 1 {
				t.Errorf("refused are %+v, %v; want the one that waits", list, err)
			}
			r.clock.forward(time.Minute)
			r.attempts(t, "POISON", 3)
			if o, err := r.in.Outlets(t.Context()); err != nil || !o[0].FailingSince.IsZero() {
				t.Errorf("failing since %v, %v once it is refused again; want the outlet well, as it accepts others",
					o[0].FailingSince, err)
			}
		})
		t.Run("what is broken off as the program stops says nothing of the customer's system", func(t *testing.T) {
			c := newCustomer(t)
			came, slow := make(chan bool, 1), make(chan bool)
			c.answers(func(int, received) (int, map[string]string) {
				came <- true
				<-slow
				return http.StatusOK, nil
			})
			r := newPipeline(t, db, c.URL)
			r.grace = time.Millisecond
			stop := r.run(t, loopback)
			r.book(t, "SLOW01")
			<-came
			stop()
			if last := r.attempts(t, "SLOW01", 1); !strings.Contains(last.Answer, "since this server was stopped") {
				t.Errorf("its try says %q; want that it was broken off", last.Answer)
			}
			if o, err := r.in.Outlets(t.Context()); err != nil || !o[0].FailingSince.IsZero() {
				t.Errorf("failing since %v, %v; want the outlet well", o[0].FailingSince, err)
			}
			close(slow)
			r.run(t, loopback)
			r.wantStatuses(t, "SLOW01", "done")
			if got := c.wait(t, 2); got[0].ID != got[1].ID {
				t.Errorf("it came as %s and as %s; want the same", got[0].ID, got[1].ID)
			}
		})
		t.Run("Retry-After holds back the deliveries of all bookings", func(t *testing.T) {
			c := newCustomer(t)
			c.answers(func(int, received) (int, map[string]string) {
				return http.StatusTooManyRequests, map[string]string{"Retry-After": "600"}
			})
			r := newPipeline(t, db, c.URL)
			stop := r.run(t, loopback)
			r.book(t, "QUIETA")
			r.attempts(t, "QUIETA", 1)
			r.book(t, "QUIETB")
			r.clock.forward(599 * time.Second)
			stop()
			r.run(t, loopback)()
			if n := len(c.wait(t, 1)); n != 1 {
				t.Fatalf("%d pushes before Retry-After was over; want 1", n)
			}
			if o, err := r.in.Outlets(t.Context()); err != nil || o[0].Waits(r.clock.Now()).Until.IsZero() {
				t.Errorf("outlet = %+v, %v; want it to say until when it waits", o[0], err)
			}
			r.clock.forward(2 * time.Second)
			stop = r.run(t, loopback)
			c.wait(t, 2)
			r.attempts(t, "QUIETA", 2) // it asks for time again
			stop()                     // and nothing is on its way that does so later
			c.answers(nil)
			if err := r.in.ResumeOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
				r.clock.Now()); err != nil {
				t.Fatal(err)
			}
			r.run(t, loopback)
			r.wantStatuses(t, "QUIETA", "done")
			r.wantStatuses(t, "QUIETB", "done")
		})
	})
}

func TestRotation(t *testing.T) {
	c := newCustomer(t)
	r := newPipeline(t, storetest.New(t), c.URL)
	old, fresh := r.outlet.Secrets[0], deliver.NewSecret()
	if err := r.in.SetOutletSecrets(t.Context(), storetest.Operator, r.outlet.ID, []string{fresh, old},
		r.clock.Now()); err != nil {
		t.Fatal(err)
	}
	r.book(t, "ROTATE")
	r.run(t, loopback)
	p := c.wait(t, 1)[0]
	for _, secret := range []string{old, fresh} {
		hook := calltest.Must(standardwebhooks.NewWebhook(secret))(t)
		if err := hook.VerifyIgnoringTimestamp(p.Body, p.Header); err != nil {
			t.Errorf("a customer with one of the two secrets: %v", err)
		}
	}
	stranger, _ := standardwebhooks.NewWebhook(deliver.NewSecret())
	if err := stranger.VerifyIgnoringTimestamp(p.Body, p.Header); err == nil {
		t.Error("a third secret verifies the push as well")
	}
	if err := r.in.SetOutletSecrets(t.Context(), storetest.Operator, r.outlet.ID, []string{"mislaid"},
		r.clock.Now()); err != nil {
		t.Fatal(err)
	}
	r.book(t, "UNSIGN")
	last := r.attempts(t, "UNSIGN", 1)
	words := deliver.FailureWords(last, r.outlet)
	if !last.NeverLeft() || !strings.Contains(words, "a signing secret of the outlet cannot be used: make a new one") ||
		strings.Contains(words, "msg_") || strings.Contains(words, "out_") || strings.Contains(words, "mislaid") {
		t.Errorf("without a secret that can be used it is said: %q; want what is wrong and what to do", words)
	}
}

// runWith starts a deliverer with kinds of transport of the test's own.
func (r *pipeline) runWith(t *testing.T, kinds []transport.Kind, allow []netip.Prefix) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	d := deliver.New(deliver.Config{DB: r.db, Kinds: kinds, Options: transport.Options{Allow: allow}, Now: r.clock.Now,
		Log: slog.New(cmp.Or[slog.Handler](r.log, slog.DiscardHandler)), Workers: r.workers})
	if r.grace > 0 {
		d.SetGrace(r.grace)
	}
	go func() {
		defer close(done)
		d.Run(ctx)
	}()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	t.Cleanup(stop)
	return stop
}
