package book_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A slowHold answers a hold only when it is allowed to.
type slowHold struct {
	flight.Supplier
	asked, let chan struct{}
}

func (h *slowHold) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	h.asked <- struct{}{}
	<-h.let
	return h.Supplier.Hold(ctx, ask)
}

// TestRepeatedForm checks that a form sent again while its booking is being made
// is answered with that booking, whatever has happened meanwhile.
func TestRepeatedForm(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		slow := &slowHold{asked: make(chan struct{}, 10), let: make(chan struct{})}
		c := open(t, db, func(s flight.Supplier) flight.Supplier { slow.Supplier = s; return slow })
		s := c.search(t, 1)
		ask := c.ask(s, c.offer(t, s, marine))
		locators, errs := make([]string, 7), make([]error, 7)
		var wait sync.WaitGroup
		send := func(i int) {
			wait.Go(func() {
				again := ask
				if i == 6 {
					again.Price.Minor++ // the price has moved since
				}
				var b gangway.Booking
				b, errs[i] = c.Book(t.Context(), c.in, c.booker, again)
				locators[i] = b.Locator
			})
		}
		send(0)
		<-slow.asked
		for i := 1; i < len(errs); i++ {
			send(i)
		}
		close(slow.let)
		wait.Wait()
		for i, err := range errs {
			if err != nil || locators[i] != locators[0] || locators[i] == "" {
				t.Errorf("form %d is answered %q, %v; want the booking %s", i, locators[i], err, locators[0])
			}
		}
		if len(slow.asked) != 0 {
			t.Errorf("the airline was asked %d more times; want one hold only", len(slow.asked))
		}
	})
}

// An unheard airline never answers, not even when it is asked about an order.
type unheard struct{ flight.Supplier }

func (unheard) Hold(context.Context, flight.HoldAsk) (flight.Order, error) {
	return flight.Order{}, gangway.Errorf(gangway.Unavailable, "the line is dead")
}

func (unheard) Find(context.Context, string) (flight.Order, error) {
	return flight.Order{}, gangway.Errorf(gangway.Unavailable, "the line is dead")
}

// TestRepeatedFormOfWhatIsPutOff checks that a form sent again does not wait for the
// next time the airline is asked, which is minutes away by then.
func TestRepeatedFormOfWhatIsPutOff(t *testing.T) {
	c := open(t, storetest.New(t), func(s flight.Supplier) flight.Supplier { return unheard{s} })
	s := c.search(t, 1)
	ask := c.ask(s, c.offer(t, s, marine))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for range 3 {
		if _, err := c.Book(ctx, c.in, c.booker, ask); gangway.KindOf(err) != gangway.Unavailable || ctx.Err() != nil {
			t.Fatalf("Book = %v, and whoever asked has given up: %v; want to be told that the airline has not answered",
				err, ctx.Err())
		}
		c.clock.forward(30 * time.Minute)
		done(t, c.Tick(t.Context()))
	}
}
