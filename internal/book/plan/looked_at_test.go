package plan_test

import (
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestLookingWhileItWaits checks what happens to a search that waits for its turn
// while people keep looking at it.
func TestLookingWhileItWaits(t *testing.T) {
	// begin returns the sessions of an account whose turns are all taken until its
	// airlines answer, which they do when answer is called, and a second search.
	begin := func(t *testing.T, db *store.DB) (p *port, searches *plan.Sessions, busy *counter, one *plan.Session,
		answer func()) {
		p = newPort(t, db, 150)
		busy = newCounter(p.sells)
		busy.gate.Lock()
		searches, _ = p.replica(db, 0, busy.all)
		one = searches.Of(p.in, p.search, false)
		<-busy.began
		p.search.ID = book.NewID()
		return p, searches, busy, one, busy.gate.Unlock
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("opened again and again, it is searched once", func(t *testing.T) {
			p, searches, busy, one, answer := begin(t, db)
			next := searches.Of(p.in, p.search, false)
			for range 5 {
				if searches.Of(p.in, p.search, true) != next {
					t.Error("another search begins behind the waiting one")
				}
			}
			answer()
			whole(t, one)
			whole(t, next)
			if n := busy.asked.Load(); n != 2*150 {
				t.Errorf("flights were searched %d times; want %d", n, 2*150)
			}
		})
		t.Run("it waits as long as somebody is looking", func(t *testing.T) {
			p, searches, _, one, answer := begin(t, db)
			next := searches.Of(p.in, p.search, false)
			leave := next.Watch()
			defer leave()
			p.ahead.Add(int64(15 * time.Minute))
			other := newPort(t, db, 1)
			searches.Of(other.in, other.search, false)
			if searches.Of(p.in, p.search, false) != next {
				t.Error("somebody looks at it, and another search begins behind it")
			}
			answer()
			whole(t, one)
			said(t, whole(t, next))
		})
	})
}
