package book_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/manual"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestEnteredLives lives the lives of bookings that were made elsewhere: people enter them, with tickets or
// without, and what becomes of them, in any order. After each step the report agrees with the actions.
func TestEnteredLives(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		world := newWorld(t, func(testing.TB) *store.DB { return db })
		seen := &moves{seen: map[string]int{}}
		for seed := uint64(1); seed <= uint64(lives)/10 && !t.Failed(); seed++ {
			world.clock.to(began)
			l := &life{t: t, r: rand.New(rand.NewPCG(seed, 8)), w: world, members: 3,
				entered: map[string]bookkeeping{}}
			l.settle()
			l.behind = manual.New(l.in.Ledger(), nil, l.clock.Now)
			l.do("enter", l.enter)
			for range 12 {
				event := pick(l.r, l.enter, l.enterTickets, l.enterChange, l.cancel, l.enterRefund, l.noShow,
					l.invoices, l.change, l.rebuild, l.time)
				l.do("enter something", event)
				l.checkReport()
			}
			l.checkColumns()
			for _, b := range l.all() {
				history := must(l.in.History(t.Context(), b.ID))(t)
				seen.count(history)
			}
			if t.Failed() {
				t.Logf("life %d went: %v", seed, l.log)
			}
		}
		if len(seen.seen) < 7 && lives >= 300 {
			t.Errorf("the moves made are %v: that proves little", seen.seen)
		}
	})
}

// entry is what somebody was sold elsewhere.
func (l *life) entry() flight.Entry {
	leaves := l.clock.Now().AddDate(0, 0, 3+l.r.IntN(20)).Truncate(time.Minute)
	e := byPhone(leaves.In(airport("MNL").Location())) // as Singapore has it too
	e.Tickets = []string{fmt.Sprintf("618%010d", l.r.Int64N(1e10))}
	e.Price.Fare.Minor += l.r.Int64N(50000)
	e.Price = gangway.PriceOf(e.Price.Fare, e.Price.Taxes, gangway.Money{})
	return e
}

func (l *life) enter() error {
	e := l.entry()
	if l.r.IntN(2) == 0 {
		e.Tickets = nil
	}
	return second(l.Enter(l.t.Context(), l.in, l.booker, book.EntryAsk{ID: book.NewID(), Passenger: maria,
		Vessel: "Nordlys", Flag: "NO", Side: gangway.OffSigner, Entry: e, Others: l.others()}))
}

func (l *life) enterTickets() error {
	return second(l.EnterTickets(l.t.Context(), l.in, l.approver, l.one().ID, l.entry().Tickets))
}

func (l *life) enterChange() error {
	e := l.entry()
	e.Due = gangway.Money{Minor: l.r.Int64N(9000), Currency: "USD"}
	return second(l.EnterChange(l.t.Context(), l.in, l.approver, l.one().ID, e))
}

func (l *life) enterRefund() error {
	return second(l.EnterRefund(l.t.Context(), l.in, l.booker, l.one().ID, usd(l.r.Int64N(60000))))
}
