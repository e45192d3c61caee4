package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
)

// TestReplicas runs two replicas on one PostgreSQL database and has people,
// programs and the clock ask both of them for the same things at the same time.
func TestReplicas(t *testing.T) {
	database := storetest.PostgresURL(t)
	var ahead atomic.Int64 // how far the replicas' clock is ahead
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	customer := newReceiver(t, func() {})
	one, db := replica(t, database, now)
	two, _ := replica(t, database, now)

	made, err := createCustomer(t.Context(), db, "Halcyon Tankers", now())
	if err != nil {
		t.Fatal(err)
	}
	in, key := db.In(made.prod.Scope()), made.Production.APIKey
	if _, err := in.SetOutlet(t.Context(), customer.URL, []string{"whsec_" + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}, now()); err != nil {
		t.Fatal(err)
	}
	u := gangway.User{ID: store.NewID("usr"), Customer: made.Customer, Email: "ines.paredes@halcyon.example", Name: "Ines Paredes", Role: gangway.Booker}
	if err := db.CreateUser(t.Context(), u, access.HashPassword("tide tables at six"), now()); err != nil {
		t.Fatal(err)
	}
	browsers := []*browser{newBrowser(t, one.app.String()), newBrowser(t, two.app.String())}
	for _, b := range browsers {
		if err := b.signIn(u.Email, "tide tables at six"); err != nil {
			t.Fatal(err)
		}
	}

	const crew = 12
	if _, _, err := call(http.MethodPost, one.base.String()+"/travel-requests", key, []any{crewOf(crew, now())}); err != nil {
		t.Fatal(err)
	}
	found, err := browsers[1].send("/crew-changes/search", url.Values{"key": {"id:CC-1"}, "airport": {"SIN"}})
	if err != nil || found.status != http.StatusOK {
		t.Fatalf("what one replica took in, the other searched with %d, %v; want 200", found.status, err)
	}

	// Everybody is booked by the same form, sent to both replicas at once, while
	// both are pulled from.
	pulling, stop := context.WithCancel(t.Context())
	defer stop()
	pulls := pullBoth(pulling, t, key, one, two)
	var bookers sync.WaitGroup
	for m := range crew {
		p, err := browsers[m%2].open(fmt.Sprintf("%s?wait=1&member=%d", found.path, m))
		if err != nil {
			t.Fatal(err)
		}
		to, fields, ok := p.form("/book")
		if !ok {
			t.Fatalf("member %d has no form to be booked with: %d %.500s", m, p.status, p.html)
		}
		for _, b := range browsers {
			bookers.Go(func() {
				if _, err := b.send(to, fields); err != nil {
					t.Error(err)
				}
			})
		}
	}
	bookers.Wait()

	all := func() []gangway.Booking {
		t.Helper()
		list, _, err := in.Bookings(t.Context(), store.BookingQuery{Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	t.Run("the same form books once", func(t *testing.T) {
		eventually(t, 30*time.Second, "everybody is booked", func() bool { return len(all()) >= crew })
		var who []string
		for _, b := range all() {
			who = append(who, b.Passenger.ID)
		}
		slices.Sort(who)
		if len(slices.Compact(slices.Clone(who))) != crew || len(who) != crew {
			t.Fatalf("booked: %v; want each of %d once", who, crew)
		}
	})
	pushed := func(b gangway.Booking) (actions []gangway.State, again int) { return customer.received(t, b.ID) }
	delivered := func(each int) {
		t.Helper()
		eventually(t, 30*time.Second, fmt.Sprintf("%d actions of each booking are delivered", each), func() bool {
			return !slices.ContainsFunc(all(), func(b gangway.Booking) bool {
				got, _ := pushed(b)
				return len(got) < each
			})
		})
	}
	delivered(1)

	t.Run("what the clock asks for is done once", func(t *testing.T) {
		// As late as the last booking is to be issued by itself: by then those with
		// less time have been issued too, or their seats are gone.
		var last time.Time
		for _, b := range all() {
			if at := b.IssueAt(); at.After(last) {
				last = at
			}
		}
		ahead.Store(int64(time.Until(last) + time.Second))
		delivered(2)
		issued := 0
		for _, b := range all() {
			history, err := in.History(t.Context(), b.ID)
			if err != nil {
				t.Fatal(err)
			}
			if len(history) != 2 || history[0].Name != gangway.Confirmed || history[1].By != gangway.System || history[1].Name != b.State {
				t.Errorf("booking %s: %+v; want it booked by a person and then issued or ended by the system, once", b.Locator, history)
			}
			if b.State == gangway.Issued {
				issued++
			}
		}
		if issued == 0 {
			t.Error("nothing was issued by the system")
		}
	})
	t.Run("each action is pushed once, in order", func(t *testing.T) {
		for _, b := range all() {
			got, again := pushed(b)
			if want := []gangway.State{gangway.Confirmed, b.State}; again > 0 || !slices.Equal(got, want) {
				t.Errorf("booking %s: pushed %v, %d of them again; want %v once", b.Locator, got, again, want)
			}
		}
	})
	t.Run("each action is pulled once", func(t *testing.T) {
		eventually(t, 30*time.Second, "every action is pulled", func() bool { return pulls.count() >= 2*crew })
		stop()
		for _, b := range all() {
			if got, want := pulls.of(b.ID), []gangway.State{gangway.Confirmed, b.State}; !slices.Equal(got, want) {
				t.Errorf("booking %s: pulled %v; want %v", b.Locator, got, want)
			}
		}
	})
	t.Run("either replica repeats a pull of the other", func(t *testing.T) {
		for id, want := range pulls.content {
			for _, at := range []addresses{one, two} {
				_, got, err := call(http.MethodGet, at.base.String()+"/bookings?pull="+id, key, nil)
				if err != nil || string(got) != want {
					t.Fatalf("pull %s repeated by %s: %.200s, %v; want %.200s", id, at.base, got, err, want)
				}
			}
		}
	})
}

// replica runs one replica until the end of the test.
func replica(t *testing.T, database string, now func() time.Time) (addresses, *store.DB) {
	t.Helper()
	db, err := store.Open(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	l, err := listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at, err := addressesAt(l.Addr().String(), "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	h, err := build(parts{db: db, at: at, allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, delay: 10 * time.Millisecond, now: now, log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	served := make(chan error, 1)
	go func() { served <- h.serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
		db.Close()
	})
	return at, db
}

// pulls are what a customer's program got by pulling.
type pulls struct {
	mu      sync.Mutex
	actions map[string][]gangway.State // by booking
	content map[string]string          // by Pull-Id
	got     int
}

// pullBoth pulls from both replicas at the same time, over and over, until ctx ends.
func pullBoth(ctx context.Context, t *testing.T, key string, at ...addresses) *pulls {
	p := &pulls{actions: map[string][]gangway.State{}, content: map[string]string{}}
	var pullers sync.WaitGroup
	for _, a := range at {
		pullers.Go(func() {
			tick := time.NewTicker(20 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
				res, doc, err := call(http.MethodGet, a.base.String()+"/bookings", key, nil)
				if err != nil {
					t.Error(err)
					return
				}
				if string(doc) != "[]" {
					p.add(t, res.Header.Get("Pull-Id"), doc)
				}
			}
		})
	}
	t.Cleanup(pullers.Wait)
	return p
}

func (p *pulls) add(t *testing.T, id string, doc []byte) {
	list, err := readBookings(doc)
	if err != nil {
		t.Error(err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.content[id] = string(doc)
	for _, b := range list {
		p.actions[b.ID] = append(p.actions[b.ID], b.actions()...)
		p.got += len(b.Actions)
	}
}

func (p *pulls) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.got
}

func (p *pulls) of(booking string) []gangway.State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.actions[booking]
}
