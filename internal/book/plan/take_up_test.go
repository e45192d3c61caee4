package plan_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func TestTakeUp(t *testing.T) {
	// left returns a batch whose process died in the middle, with one item booked.
	left := func(t *testing.T, db *store.DB) (p *port, id string, over func()) {
		p = newPort(t, db, 5)
		asks := p.asks(t)
		hangs := &hanging{Supplier: p.sells, after: 1, hung: make(chan struct{}, len(asks)), over: make(chan struct{})}
		stopped := func() time.Time { return began } // what it still renews has ended for the others
		dead, _ := p.processAt(stopped, hangs)
		id = book.NewID()
		done(t, dead.Book(t.Context(), p.in, p.booker, id, p.search, asks))
		p.settled(t, dead, id, 1)
		for range 4 {
			<-hangs.hung
		}
		over = sync.OnceFunc(func() { close(hangs.over) })
		t.Cleanup(over)
		return p, id, over
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("another process continues, and does nothing twice", func(t *testing.T) {
			p, id, _ := left(t, db)
			bs, desk := p.process(p.sells)
			done(t, bs.TakeUp(t.Context()))
			b, err := bs.Batch(t.Context(), p.in, id)
			if err != nil || b.Settled() != 1 {
				t.Fatalf("while its process works on it: %v, %v; want it left alone", states(b), err)
			}
			p.ahead.Add(int64(20 * time.Second)) // its leases end
			done(t, bs.TakeUp(t.Context()))
			b = p.settled(t, bs, id, 5)
			p.ahead.Add(int64(20 * time.Second))
			done(t, desk.Tick(t.Context()))
			if b, err = bs.Batch(t.Context(), p.in, id); err != nil {
				t.Fatal(err)
			}
			// The airline received the request before the process died.
			for _, item := range b.Items {
				if item.Made == nil {
					t.Errorf("member %d is %s, %q; want a booking", item.Member, item.State, item.Why)
				}
			}
			if n := p.booked(t); n != 5 {
				t.Errorf("%d were booked; want each of 5 once", n)
			}
		})
		t.Run("a batch that was interrupted too long ago is not continued", func(t *testing.T) {
			p := newPort(t, db, 2)
			asks := p.asks(t)
			dead, _ := p.process(p.sells)
			gone, end := context.WithCancel(t.Context())
			end()
			dead.Run(gone) // it has stopped working
			id := book.NewID()
			done(t, dead.Book(t.Context(), p.in, p.booker, id, p.search, asks))
			p.ahead.Add(int64(2 * time.Hour))
			bs, _ := p.process(p.sells)
			done(t, bs.TakeUp(t.Context()))
			if b := p.settled(t, bs, id, 2); !slices.Equal(states(b), []store.ItemState{"refused", "refused"}) ||
				p.booked(t) != 0 {
				t.Errorf("the batch is %v with %d booked; want nothing begun", states(b), p.booked(t))
			}
		})
		t.Run("a batch of somebody who may no longer book is not continued", func(t *testing.T) {
			p := newPort(t, db, 2)
			asks := p.asks(t)
			disable := func(u *gangway.User, _ []gangway.User) error { u.Disabled = true; return nil }
			must(db.UpdateUser(t.Context(), storetest.Operator, p.booker.Customer, p.booker.Email,
				gangway.UserDisabled, began, disable))(t)
			bs, _ := p.process(p.sells)
			id := book.NewID()
			done(t, bs.Book(t.Context(), p.in, p.booker, id, p.search, asks))
			b := p.settled(t, bs, id, 2)
			if !slices.Equal(states(b), []store.ItemState{"refused", "refused"}) || p.booked(t) != 0 {
				t.Errorf("the batch is %v with %d booked; want nothing begun", states(b), p.booked(t))
			}
			if why := "Ana Lindqvist, who pressed “Book all”, may not book any more, so it was not begun: “Book all” " +
				"once more books it"; b.Items[0].Why != why || !b.Items[0].Unbegun {
				t.Errorf("it says %q; want %q", b.Items[0].Why, why)
			}
		})
		t.Run("it is removed with its customer, and nobody takes it over", func(t *testing.T) {
			p, id, over := left(t, db)
			must(db.RemoveCustomer(t.Context(), storetest.Operator, p.booker.Customer, p.now()))(t)
			over()
			p.ahead.Add(int64(time.Minute))
			bs, _ := p.process(p.sells)
			done(t, bs.TakeUp(t.Context()))
			if b, err := bs.Batch(t.Context(), p.in, id); gangway.KindOf(err) != gangway.NotFound {
				t.Errorf("Batch = %+v, %v; want NotFound", b, err)
			}
		})
	})
}

// hanging is a supplier that holds seats but, after some holds, answers only at the
// very end: as if the process that asked had died.
type hanging struct {
	flight.Supplier
	after int64
	asked atomic.Int64
	hung  chan struct{}
	over  chan struct{}
}

func (h *hanging) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	order, err := h.Supplier.Hold(ctx, ask)
	if h.asked.Add(1) > h.after {
		h.hung <- struct{}{}
		<-h.over
		return flight.Order{}, gangway.Errorf(gangway.Unavailable, "nobody listens any more")
	}
	return order, err
}
