package book_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A notice never brings back the state before tickets that were issued while the supplier was asked.
func TestLateNotice(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := open(t, db)
		done(t, disturbed(instead)(t, c, gangway.Booking{}))
		asked := 0
		c.line.Through = func(_, _ string, call func() (flight.Order, error)) (flight.Order, error) {
			order, err := call()
			if asked++; asked == 1 { // as if it had been confirmed when it was read
				must(c.in.UpdateBooking(t.Context(), c.story, "", func(b *gangway.Booking) (gangway.Action, error) {
					b.Version++
					return gangway.Action{Seq: b.Version, Name: b.State, At: c.clock.Now(), By: gangway.System}, nil
				}))(t)
			}
			return order, err
		}
		done(t, look(t, c, c.now(t, c.story)))
		if b := c.now(t, c.story); b.State != gangway.ChangePending || b.Change.Was != gangway.Issued || asked < 2 {
			t.Fatalf("the booking is %s, was %+v after %d looks; want the notice taken over again", b.State, b.Change,
				asked)
		}
	})
}

// A search that panics for one traveller is told as an error, and stops nobody else.
func TestSearchPanics(t *testing.T) {
	c := open(t, storetest.New(t))
	s := c.search(t, 3)
	c.supplier = breaking{c.supplier}
	told := 0
	done(t, c.Search(t.Context(), c.in, s, func(f book.FoundOffers) {
		if f.Done && f.Err != nil {
			told++
		}
	}))
	if told != 3 {
		t.Fatalf("%d members told why; want all three", told)
	}
}

// breaking is a supplier whose answer to every search breaks its reader.
type breaking struct{ flight.Supplier }

func (breaking) Search(context.Context, flight.Ask, func([]flight.Offer)) error {
	panic("a reader of the supplier's answers is wrong")
}

// TestBulkhead checks that a supplier that hangs for one account delays no other.
func TestBulkhead(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		slow, quick := open(t, db), open(t, db)
		var ids []string
		for range 10 {
			ids = append(ids, slow.issued(t).ID)
		}
		b := quick.issued(t)
		asked, let, answered := make(chan struct{}, 100), make(chan struct{}), make(chan struct{}, 100)
		slow.line.Through = func(_, _ string, call func() (flight.Order, error)) (flight.Order, error) {
			asked <- struct{}{}
			<-let
			return call()
		}
		quick.line.Through = func(_, _ string, call func() (flight.Order, error)) (flight.Order, error) {
			answered <- struct{}{}
			return call()
		}
		desk := book.New(book.Config{
			DB: db, Now: slow.clock.Now, Log: slog.New(slog.DiscardHandler),
			Suppliers: func(_ context.Context, in store.Scoped, _ string) (flight.Supplier, error) {
				if in.Scope() == slow.in.Scope() {
					return slow.line, nil
				}
				return quick.line, nil
			},
		})
		for _, id := range ids {
			done(t, slow.in.LookNow(t.Context(), id, slow.clock.Now()))
		}
		ctx, end := context.WithCancel(t.Context())
		var run sync.WaitGroup
		run.Go(func() { desk.Run(ctx) })
		for range 4 {
			<-asked
		}
		done(t, quick.in.LookNow(t.Context(), b.ID, slow.clock.Now()))
		<-answered // while the others hang
		if len(asked) != 0 {
			t.Errorf("%d more pieces were begun at the supplier that hangs; want four at a time", len(asked))
		}
		close(let)
		for range 6 {
			<-asked
		}
		end()
		run.Wait()
	})
}

// TestOrderOutcomes checks that the table has every state and status, and that
// what it lets happen may happen.
func TestOrderOutcomes(t *testing.T) {
	statuses := []flight.Status{flight.Held, flight.Ticketed, flight.Lapsed, flight.Withdrawn, flight.Refused}
	for _, state := range gangway.States {
		for _, status := range statuses {
			event, refund, known := book.OrderOutcome(state, status)
			if !known {
				t.Errorf("nothing is said of a booking that is %s and whose order is %s", state, status)
			}
			for _, e := range []gangway.Event{event, refund} {
				if e != "" && !(gangway.Booking{State: state}).Can(e) {
					t.Errorf("%s × %s lets %q happen, which may not", state, status, e)
				}
			}
		}
	}
}
