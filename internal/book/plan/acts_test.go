package plan_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/flighttest"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// hold holds seats for everybody of the port, and returns the bookings.
func (p *port) hold(t *testing.T) (list []gangway.Booking) {
	t.Helper()
	_, desk := p.process(p.sells)
	for _, ask := range p.asks(t) {
		list = append(list, must(desk.Book(t.Context(), p.in, p.booker, ask))(t))
	}
	return list
}

// quotes asks for an act on bookings, on the terms of now.
func (p *port) quotes(t *testing.T, act book.Act, list []gangway.Booking) []book.ActAsk {
	t.Helper()
	_, desk := p.process(p.sells)
	asks := make([]book.ActAsk, len(list))
	done(t, desk.QuoteActs(t.Context(), p.in, p.booker, act, list, func(i int, q book.ActQuote, err error) {
		done(t, err)
		asks[i] = book.ActAsk{Booking: list[i].ID, Terms: q.ActTerms}
	}))
	return asks
}

// act has a process do something to bookings.
func (p *port) act(t *testing.T, bs *plan.Batches, act book.Act, asks []book.ActAsk) (id string) {
	t.Helper()
	id = book.NewID()
	done(t, bs.Act(t.Context(), p.in, p.booker, id, act, asks))
	return id
}

// through returns the port's supplier, whose calls of that name go through do.
func (p *port) through(name string, do func(n int64, call func() (flight.Order, error)) (flight.Order,
	error)) flight.Supplier {
	line := flighttest.NewFaulty(p.sells)
	var asked atomic.Int64
	line.Through = func(called, _ string, call func() (flight.Order, error)) (flight.Order, error) {
		if called != name {
			return call()
		}
		return do(asked.Add(1), call)
	}
	return line
}

// wantOnce fails unless so many of the bookings are issued, each by the booker and paid once.
func (p *port) wantOnce(t *testing.T, list []gangway.Booking, issued int) {
	t.Helper()
	n := 0
	for _, b := range list {
		b = must(p.in.Booking(t.Context(), b.ID))(t)
		history := must(p.in.History(t.Context(), b.ID))(t)
		switch {
		case b.State != gangway.Issued:
		case b.PaidSoFar() != b.Price.Total || len(history) != 2 || history[1].By != p.booker.Email:
			t.Errorf("%s was paid for with %s: %+v", b.Locator, b.PaidSoFar(), history)
		default:
			n++
		}
	}
	if n != issued {
		t.Errorf("%d are issued; want %d", n, issued)
	}
}

// done is how many items of a batch were done.
func (p *port) done(t *testing.T, bs *plan.Batches, id string) (n int) {
	t.Helper()
	for _, item := range must(bs.Batch(t.Context(), p.in, id))(t).Items {
		if item.State == store.ItemDone {
			n++
		}
	}
	return n
}

// TestActs holds what is promised of what is done to many bookings at once.
func TestActs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("money or a rule that differs from what was shown is left, and a batch begun twice begins once",
			func(t *testing.T) {
				p := newPort(t, db, 5)
				list := p.hold(t)
				bs, _ := p.process(p.sells)
				asks := p.quotes(t, book.ActIssue, list)
				asks[1].Terms.Amount.Minor--
				asks[3].Terms.Fare.NoShow = "another rule"
				id := p.act(t, bs, book.ActIssue, append(asks, asks[0]))
				done(t, bs.Act(t.Context(), p.in, p.booker, id, book.ActIssue, asks))
				b := p.wantSettled(t, bs, id, 5, "done", "refused", "done", "refused", "done")
				if b.Act != book.ActIssue || b.Items[2].Booking != list[2].ID || b.Items[2].Terms != asks[2].Terms ||
					!strings.Contains(b.Items[1].Why, asks[2].Terms.Amount.Currency) {
					t.Errorf("%+v; want what was asked for, and both prices", b)
				}
				p.wantOnce(t, list, 3)
			})
		t.Run("seats that are held are released, tickets are not", func(t *testing.T) {
			p := newPort(t, db, 2)
			list := p.hold(t)
			bs, desk := p.process(p.sells)
			asks := p.quotes(t, book.ActRelease, list)
			must(desk.Issue(t.Context(), p.in, p.booker, list[1].ID, list[1].Price.Total))(t)
			p.wantSettled(t, bs, p.act(t, bs, book.ActRelease, asks), 2, "done", "refused")
			p.wantOnce(t, list, 1)
		})
		t.Run("of two people who do the same at once, each booking is acted on once", func(t *testing.T) {
			p := newPort(t, db, 6)
			list := p.hold(t)
			mine, _ := p.process(p.sells)
			theirs, _ := p.process(p.sells)
			asks := p.quotes(t, book.ActIssue, list)
			one, other := p.act(t, mine, book.ActIssue, asks), p.act(t, theirs, book.ActIssue, asks)
			p.settled(t, mine, one, 6)
			p.settled(t, theirs, other, 6)
			if n := p.done(t, mine, one) + p.done(t, theirs, other); n != 6 {
				t.Errorf("%d were done by one or the other; want 6", n)
			}
			p.wantOnce(t, list, 6)
		})
		t.Run("another process continues, and pays nothing twice", func(t *testing.T) {
			for name, received := range map[string]bool{"the airline received it": true, "it was lost": false} {
				t.Run(name, func(t *testing.T) {
					p := newPort(t, db, 6)
					list := p.hold(t)
					hung, ends := make(chan struct{}, 6), make(chan struct{})
					defer close(ends)
					stopped := func() time.Time { return began } // what it still renews has ended for the others
					dead, _ := p.processAt(stopped, p.through("issue", func(n int64,
						issue func() (flight.Order, error)) (order flight.Order, err error) {
						if received || n == 1 {
							order, err = issue()
						}
						if n > 1 {
							hung <- struct{}{}
							<-ends
							return flight.Order{}, gangway.Errorf(gangway.Unavailable, "nobody listens any more")
						}
						return order, err
					}))
					id := p.act(t, dead, book.ActIssue, p.quotes(t, book.ActIssue, list))
					p.settled(t, dead, id, 1)
					for range 4 {
						<-hung
					}
					bs, desk := p.process(p.sells)
					for p.done(t, bs, id) < 6 && t.Context().Err() == nil {
						p.ahead.Add(int64(20 * time.Second)) // its leases end
						done(t, desk.Tick(t.Context()))
						done(t, bs.TakeUp(t.Context()))
						p.settled(t, bs, id, 6)
					}
					p.wantOnce(t, list, 6)
				})
			}
		})
		t.Run("nothing is begun for somebody who may no longer book", func(t *testing.T) {
			p := newPort(t, db, 1)
			asks := p.quotes(t, book.ActIssue, p.hold(t))
			disable := func(u *gangway.User, _ []gangway.User) error { u.Disabled = true; return nil }
			must(db.UpdateUser(t.Context(), storetest.Operator, p.booker.Customer, p.booker.Email,
				gangway.UserDisabled, began, disable))(t)
			bs, _ := p.process(p.sells)
			b := p.wantSettled(t, bs, p.act(t, bs, book.ActIssue, asks), 1, "refused")
			if !b.Items[0].Unbegun || strings.Contains(b.Items[0].Why, "Book all") {
				t.Errorf("it says %q", b.Items[0].Why)
			}
		})
	})
}
