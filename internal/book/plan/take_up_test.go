package plan_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func TestTakeUp(t *testing.T) {
	// left returns a batch whose process died in the middle, with one item booked; the others' holds are made, and
	// answered only when it is over.
	left := func(t *testing.T, db *store.DB) (p *port, id string, over func()) {
		p = newPort(t, db, 5)
		hung, ends := make(chan struct{}, 5), make(chan struct{})
		stopped := func() time.Time { return began } // what it still renews has ended for the others
		dead, _ := p.processAt(stopped, p.holds(func(n int64, _ string,
			hold func() (flight.Order, error)) (flight.Order, error) {
			order, err := hold()
			if n > 1 {
				hung <- struct{}{}
				<-ends
				return flight.Order{}, gangway.Errorf(gangway.Unavailable, "nobody listens any more")
			}
			return order, err
		}))
		id = p.begin(t, dead, p.asks(t))
		p.settled(t, dead, id, 1)
		for range 4 {
			<-hung
		}
		over = sync.OnceFunc(func() { close(ends) })
		t.Cleanup(over)
		return p, id, over
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("another process continues, and does nothing twice", func(t *testing.T) {
			p, id, _ := left(t, db)
			bs, desk := p.process(p.sells)
			done(t, bs.TakeUp(t.Context()))
			if b := must(bs.Batch(t.Context(), p.in, id))(t); b.Settled() != 1 {
				t.Fatalf("while its process works on it %d are settled; want it left alone", b.Settled())
			}
			p.ahead.Add(int64(20 * time.Second)) // its leases end
			done(t, bs.TakeUp(t.Context()))
			p.settled(t, bs, id, 5)
			p.ahead.Add(int64(20 * time.Second))
			done(t, desk.Tick(t.Context()))
			p.wantAllBooked(t, bs, id) // the airline received the request before the process died
		})
		t.Run("a batch that was interrupted too long ago is not continued", func(t *testing.T) {
			p := newPort(t, db, 2)
			dead, _ := p.process(p.sells)
			gone, end := context.WithCancel(t.Context())
			end()
			dead.Run(gone) // it has stopped working
			id := p.begin(t, dead, p.asks(t))
			p.ahead.Add(int64(2 * time.Hour))
			bs, _ := p.process(p.sells)
			done(t, bs.TakeUp(t.Context()))
			p.wantSettled(t, bs, id, 0, "refused", "refused")
		})
		t.Run("a batch of somebody who may no longer book is not continued", func(t *testing.T) {
			p := newPort(t, db, 2)
			asks := p.asks(t)
			disable := func(u *gangway.User, _ []gangway.User) error { u.Disabled = true; return nil }
			must(db.UpdateUser(t.Context(), storetest.Operator, p.booker.Customer, p.booker.Email,
				gangway.UserDisabled, began, disable))(t)
			bs, _ := p.process(p.sells)
			b := p.wantSettled(t, bs, p.begin(t, bs, asks), 0, "refused", "refused")
			if !strings.Contains(b.Items[0].Why, "Ana Lindqvist") || !b.Items[0].Unbegun {
				t.Errorf("it says %q; want who may not book, and that it was not begun", b.Items[0].Why)
			}
		})
		t.Run("it is removed with its customer, and nobody takes it over", func(t *testing.T) {
			p, id, over := left(t, db)
			must(db.RemoveCustomer(t.Context(), storetest.Operator, p.booker.Customer, p.now()))(t)
			over()
			p.ahead.Add(int64(time.Minute))
			bs, _ := p.process(p.sells)
			done(t, bs.TakeUp(t.Context()))
			refused(t, gangway.NotFound)(bs.Batch(t.Context(), p.in, id))
		})
		// A replica whose clock is so far ahead that it takes others for dead takes over their batches.
		t.Run("clocks that are apart book nobody twice", func(t *testing.T) {
			const crew = 3
			p := newPort(t, db, crew)
			asked, answer, held := make(chan struct{}, crew), make(chan struct{}), make(chan string, crew)
			alive, _ := p.process(p.holds(func(_ int64, _ string,
				hold func() (flight.Order, error)) (flight.Order, error) {
				asked <- struct{}{} // the airline receives it only some time after it was sent
				<-answer
				order, err := hold()
				if err == nil {
					held <- order.ID
				}
				return order, err
			}))
			id := p.begin(t, alive, p.asks(t))
			for range crew {
				<-asked
			}
			early, desk := p.processAt(func() time.Time { return p.now().Add(20 * time.Second) }, p.sells)
			for range 2 {
				done(t, early.TakeUp(t.Context()))
				p.settled(t, early, id, crew)
				done(t, desk.Tick(t.Context())) // it asks the airline, which knows nothing about it
			}
			close(answer)
			over, end := context.WithCancel(t.Context())
			end()
			alive.Run(over) // until its requests are answered
			booked := p.wantAllBooked(t, early, id)
			for range len(held) {
				order := must(p.sells.Order(t.Context(), <-held))(t)
				if order.Status == flight.Held && !booked[order.ID] {
					t.Errorf("seats of %s are held for nobody", order.ID)
				}
			}
		})
	})
}

// wantAllBooked fails unless each item of a batch was booked, once, and returns the orders.
func (p *port) wantAllBooked(t *testing.T, bs *plan.Batches, id string) map[string]bool {
	t.Helper()
	b, orders := must(bs.Batch(t.Context(), p.in, id))(t), map[string]bool{}
	for _, item := range b.Items {
		if item.Made == nil {
			t.Fatalf("member %d is %s, %q; want a booking", item.Member, item.State, item.Why)
		}
		orders[item.Made.Order] = true
	}
	if n := p.booked(t); n != len(b.Items) || len(orders) != n {
		t.Errorf("%d were booked with %d orders; want each of %d once", n, len(orders), len(b.Items))
	}
	return orders
}
