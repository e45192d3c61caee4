package plan_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/jackc/pgx/v5"
)

// A counter is a supplier that counts how often it is asked for flights, and does not
// answer while its gate is locked.
type counter struct {
	flight.Supplier
	asked atomic.Int64
	began chan struct{} // holds a value once it was asked
	gate  sync.RWMutex
}

func newCounter(sells flight.Supplier) *counter {
	return &counter{Supplier: sells, began: make(chan struct{}, 1)}
}

func (c *counter) Search(ctx context.Context, ask flight.Ask, found func([]flight.Offer)) error {
	c.asked.Add(1)
	select {
	case c.began <- struct{}{}:
	default:
	}
	c.gate.RLock()
	defer c.gate.RUnlock()
	return c.Supplier.Search(ctx, ask, found)
}

// replica is a separate process on a database, whose clock is ahead of the others' and which is sold flights by the
// counter of an account.
func (p *port) replica(db *store.DB, ahead time.Duration, sells func(store.Scoped) *counter) (*plan.Sessions,
	store.Scoped) {
	now, log := func() time.Time { return p.now().Add(ahead) }, slog.New(slog.DiscardHandler)
	desk := book.New(book.Config{DB: db, Now: now, Log: log, Suppliers: func(_ context.Context, in store.Scoped,
		_ string) (flight.Supplier, error) {
		return sells(in), nil
	}})
	return plan.NewSessions(db, desk, now, log), db.In(p.in.Scope())
}

func openAt(t *testing.T, url string) *store.DB {
	t.Helper()
	db := must(store.Open(t.Context(), url))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// all sells to every account.
func (c *counter) all(store.Scoped) *counter { return c }

// whole waits for the end of a session and returns everything that was found.
func whole(t *testing.T, s *plan.Session) plan.SessionState {
	t.Helper()
	s.Wait(t.Context(), plan.Patience)
	st := s.Look()
	if !st.Over {
		t.Fatalf("the search is not over: %d of %d", st.Done, len(st.Members))
	}
	return st
}

// something waits until a session has a result that is not a flight.
func something(s *plan.Session) {
	st := s.Look()
	for st.LongestName == 0 && st.Reach == nil {
		<-st.More // of this look: what has come since is not missed
		st = s.Look()
	}
}

// said returns what people see of a session.
func said(t *testing.T, st plan.SessionState) string {
	t.Helper()
	for _, m := range st.Members {
		if m.Err != nil || len(m.Offers) == 0 {
			t.Fatalf("a traveller has %d offers, %v; want some", len(m.Offers), m.Err)
		}
	}
	text := must(json.Marshal(map[string]any{"members": st.Members, "reach": st.Reach, "days": st.Days,
		"longest": st.LongestName, "done": st.Done}))(t)
	return string(text)
}

// TestSearchesAreShared checks that replicas search for the flights of a search once,
// and that everybody sees what was found.
func TestSearchesAreShared(t *testing.T) {
	const crew = 3
	begin := func(t *testing.T) (p *port, c *counter, here, there *store.DB) {
		url := storetest.PostgresURL(t)
		here, there = openAt(t, url), openAt(t, url)
		p = newPort(t, here, crew)
		return p, newCounter(p.sells), here, there
	}
	t.Run("what one replica has found is seen at the other", func(t *testing.T) {
		p, c, here, there := begin(t)
		first, in := p.replica(here, 0, c.all)
		second, beside := p.replica(there, 0, c.all)
		one := said(t, whole(t, first.Of(in, p.search, false)))
		if two := said(t, whole(t, second.Of(beside, p.search, false))); two != one {
			t.Errorf("the other replica shows\n%s\nand not\n%s", two, one)
		}
		if n := c.asked.Load(); n != crew {
			t.Errorf("flights were searched %d times; want %d", n, crew)
		}
	})
	t.Run("it is seen as it comes", func(t *testing.T) {
		p, c, here, there := begin(t)
		c.gate.Lock() // the airlines do not answer yet
		first, in := p.replica(here, 0, c.all)
		one := first.Of(in, p.search, false)
		<-c.began
		second, beside := p.replica(there, 0, c.all)
		two := second.Of(beside, p.search, false)
		something(two)
		c.gate.Unlock()
		if a, b := said(t, whole(t, one)), said(t, whole(t, two)); a != b {
			t.Errorf("the other replica shows\n%s\nand not\n%s", b, a)
		}
		if n := c.asked.Load(); n != crew {
			t.Errorf("flights were searched %d times; want %d", n, crew)
		}
	})
	t.Run("a repeated search at one is shown at the other", func(t *testing.T) {
		p, c, here, there := begin(t)
		first, in := p.replica(here, 0, c.all)
		second, beside := p.replica(there, 0, c.all)
		old := first.Of(in, p.search, false)
		whole(t, old)
		whole(t, second.Of(beside, p.search, false))
		heard := make(chan string, 1)
		here.Hear("searches", func(key string) { heard <- key })
		whole(t, second.Of(beside, p.search, true))
		<-heard
		if now := first.Of(in, p.search, false); now == old {
			t.Error("the first replica still shows what it had found")
		} else {
			whole(t, now)
		}
		if n := c.asked.Load(); n != 2*crew {
			t.Errorf("flights were searched %d times; want %d", n, 2*crew)
		}
	})
	t.Run("what one has begun and not ended, the other searches", func(t *testing.T) {
		p, c, here, there := begin(t)
		dead := newCounter(p.sells)
		dead.gate.Lock() // it never answers
		defer dead.gate.Unlock()
		first, in := p.replica(here, 0, dead.all)
		first.Of(in, p.search, false)
		<-dead.began
		second, beside := p.replica(there, 20*time.Second, c.all) // the lease has ended by its clock
		said(t, whole(t, second.Of(beside, p.search, false)))
		if n := c.asked.Load(); n != crew {
			t.Errorf("flights were searched %d times; want %d", n, crew)
		}
	})
	t.Run("results that the other cannot read are searched there", func(t *testing.T) {
		url := storetest.PostgresURL(t)
		db := openAt(t, url)
		p := newPort(t, db, crew)
		slow, c := newCounter(p.sells), newCounter(p.sells)
		slow.gate.Lock() // its lease lasts
		first, in := p.replica(db, 0, slow.all)
		one := first.Of(in, p.search, false)
		<-slow.began
		second, beside := p.replica(db, 0, c.all)
		two := second.Of(beside, p.search, false)
		something(two)
		conn := must(pgx.Connect(t.Context(), url))(t)
		defer conn.Close(t.Context())
		must(conn.Exec(t.Context(), `UPDATE search_finding SET doc = 'of a later version'`))(t)
		third, in := p.replica(db, 0, c.all)
		said(t, whole(t, third.Of(in, p.search, false)))
		slow.gate.Unlock()
		said(t, whole(t, one))
		said(t, whole(t, two))
	})
	t.Run("the reason why there may be more is shared, too", func(t *testing.T) {
		p, c, here, there := begin(t)
		p.search.Members[1].Legs = nil // nothing can be looked for
		first, in := p.replica(here, 0, c.all)
		second, beside := p.replica(there, 0, c.all)
		one, two := whole(t, first.Of(in, p.search, false)).Members[1],
			whole(t, second.Of(beside, p.search, false)).Members[1]
		if one.Err == nil || two.Err == nil || one.Err.Error() != two.Err.Error() || gangway.KindOf(one.Err) !=
			gangway.KindOf(two.Err) {
			t.Errorf("one says %v, the other %v", one.Err, two.Err)
		}
	})
}
