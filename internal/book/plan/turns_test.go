package plan_test

import (
	"testing"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestSearchesTakeTurns checks that one account searches for few people at a time,
// however many searches it starts, and keeps no other account waiting.
func TestSearchesTakeTurns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		p, other := newPort(t, db, 150), newPort(t, db, 2)
		large, small := newCounter(p.sells), newCounter(other.sells)
		large.gate.Lock() // the airlines do not answer yet
		searches, _ := p.replica(db, 0, func(in store.Scoped) *counter {
			if in.Scope() == p.in.Scope() {
				return large
			}
			return small
		})
		one := searches.Of(p.in, p.search, false)
		<-large.began
		next := p.search
		next.ID = "srch_next"
		two := searches.Of(p.in, next, false)

		said(t, whole(t, searches.Of(other.in, other.search, false))) // it does not wait
		if st := two.Look(); st.Over || st.Done > 0 || st.Reach != nil {
			t.Errorf("a second search of 150 has begun beside the first: %d done", st.Done)
		}
		large.gate.Unlock()
		said(t, whole(t, one))
		said(t, whole(t, two))
	})
}
