package book_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// atDesk cancels a booking's order at the supplier's own desk, without our knowing.
func (c *counter) atDesk(t *testing.T, b gangway.Booking) flight.Order {
	t.Helper()
	quote := must(c.supplier.QuoteCancel(t.Context(), b.Order))(t)
	order := must(c.supplier.Cancel(t.Context(), b.Order, quote.ID))(t)
	return order
}

// now returns a booking as it stands.
func (c *counter) now(t *testing.T, id string) gangway.Booking {
	t.Helper()
	b := must(c.in.Booking(t.Context(), id))(t)
	return b
}

// lookedAgain has the automated user look at a booking as after a webhook.
func (c *counter) lookedAgain(t *testing.T, b gangway.Booking) {
	t.Helper()
	done(t, c.LookAtOrder(t.Context(), c.in, b.Supplier, b.Order))
	c.tick(t)
}

// wantFree fails if an intent is open on the booking.
func (c *counter) wantFree(t *testing.T, id string) {
	t.Helper()
	if i, open, err := c.in.OpenIntent(t.Context(), id); err != nil || open {
		t.Fatalf("the intent to %s is open, %v; want none", i.Kind, err)
	}
}

func TestReconcile(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("cancelling what was ticketed without our knowing brings the money back", func(t *testing.T) {
			c := open(t, db, plain)
			b := c.booked(t, marine)
			order, err := c.supplier.Issue(t.Context(), b.Order, b.Price.Total)
			if err != nil {
				t.Fatal(err)
			}
			c.clock.to(order.VoidUntil.Add(time.Hour))
			quote, err := c.QuoteCancel(t.Context(), c.in, b.ID)
			if err != nil || quote.Refund.IsZero() {
				t.Fatalf("QuoteCancel = %+v, %v; want money back", quote, err)
			}
			gone, err := c.Cancel(t.Context(), c.in, c.booker, b.ID, quote.ID)
			if err != nil || gone.State != gangway.RefundPending || gone.Refund == nil || gone.Refund.Amount !=
				quote.Refund {
				t.Fatalf("Cancel = %s, refund %+v, %v; want %s on its way", gone.State, gone.Refund, err, quote.Refund)
			}
			c.wantFree(t, b.ID)
			c.clock.forward(40 * 24 * time.Hour)
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "refund_pending"+ana, "cancelled"+system)
		})
		t.Run("what the supplier's desk cancels after ticketing is noticed, told and needs a person",
			func(t *testing.T) {
				c := open(t, db, plain)
				b := c.issued(t)
				c.clock.to(b.VoidUntil.Add(time.Hour))
				c.atDesk(t, b)
				c.clock.forward(6 * time.Hour)
				c.tick(t)
				c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana, "refund_pending"+system)
				if got := c.now(t, b.ID); !got.Attention.Open() || got.UnhandledAttention() == "" || got.CancelledBy !=
					gangway.System {
					t.Fatalf("attention %+v, cancelled by %q; want a person to be told", got.Attention, got.CancelledBy)
				}
				c.clock.forward(40 * 24 * time.Hour)
				c.tick(t)
				c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana, "refund_pending"+system, "cancelled"+system)
			})
		t.Run("what the desk cancels while a change waits is over, refund and all", func(t *testing.T) {
			c := open(t, db, plain)
			b := c.issued(t)
			c.clock.to(b.VoidUntil.Add(time.Hour))
			offers := must(c.FindChanges(t.Context(), c.in, b.ID,
				[]gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-03"}}))(t)
			must(c.AskChange(t.Context(), c.in, c.booker, b.ID, offers[0].ID))(t)
			c.atDesk(t, b)
			c.lookedAgain(t, b)
			if got := c.now(t, b.ID); got.State != gangway.RefundPending || got.Change != nil {
				t.Fatalf("the booking is %s with change %+v", got.State, got.Change)
			}
		})
		t.Run("tickets issued at the desk while approval is waited for are found, and need a person",
			func(t *testing.T) {
				c := open(t, db, plain)
				storetest.Settings(t, c.in,
					gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
				b := c.booked(t, marine)
				must(c.supplier.Issue(t.Context(), b.Order, b.Price.Total))(t)
				c.lookedAgain(t, b)
				c.wantLog(t, b.ID, "approval_required"+ana, "issued"+system)
				if got := c.now(t, b.ID); !got.Attention.Open() || len(got.Tickets) == 0 {
					t.Fatalf("attention %+v, tickets %q", got.Attention, got.Tickets)
				}
			})
		t.Run("a booking that is over is looked at once when its supplier speaks of it", func(t *testing.T) {
			c := open(t, db, plain)
			b := c.booked(t, marine)
			quote := must(c.QuoteCancel(t.Context(), c.in, b.ID))(t)
			must(c.Cancel(t.Context(), c.in, c.booker, b.ID, quote.ID))(t)
			c.lookedAgain(t, b)
			if got := c.now(t, b.ID); !got.CheckAt.IsZero() {
				t.Fatalf("it is looked at again at %s; want never", got.CheckAt)
			}
		})
		t.Run("every look writes when the next one is", func(t *testing.T) {
			c := open(t, db, plain)
			b := c.issued(t)
			at := c.clock.Now()
			c.lookedAgain(t, b)
			if next := c.now(t, b.ID).CheckAt; next.Sub(at) != 6*time.Hour {
				t.Fatalf("the next look is %s later; want six hours", next.Sub(at))
			}
		})
		t.Run("a notice never brings back the state before tickets that were issued meanwhile", func(t *testing.T) {
			c := open(t, db, plain)
			b, _ := c.disturbed(t, instead)
			// As if it had been confirmed when it was read and issued while the supplier was asked.
			late := &lateNews{Supplier: c.supplier}
			c.supplier = late
			late.before = func() {
				if _, err := c.in.UpdateBooking(t.Context(), b.ID, "",
					func(b *gangway.Booking) (gangway.Action, error) {
						b.Version++
						return gangway.Action{Seq: b.Version, Name: b.State, At: c.clock.Now(), By: gangway.System}, nil
					}); err != nil {
					t.Error(err)
				}
			}
			c.lookedAgain(t, b)
			got := c.now(t, b.ID)
			if got.State != gangway.ChangePending || got.Change.Was != gangway.Issued || late.asked < 2 {
				t.Fatalf("the booking is %s, was %+v after %d looks; want the notice taken over anew", got.State,
					got.Change, late.asked)
			}
		})
		t.Run("a supplier that knows no such order needs a person, once", func(t *testing.T) {
			c := open(t, db, func(s flight.Supplier) flight.Supplier { return &forgetful{Supplier: s} })
			b := c.issued(t)
			c.supplier.(*forgetful).forgot = true
			c.lookedAgain(t, b)
			got := c.now(t, b.ID)
			if !got.Attention.Open() || got.State != gangway.Issued || !got.CheckAt.After(c.clock.Now()) {
				t.Fatalf("the booking is %s, attention %+v, next look %s", got.State, got.Attention, got.CheckAt)
			}
			must(c.Handled(t.Context(), c.in, c.booker, b.ID))(t)
			c.lookedAgain(t, b)
			if c.now(t, b.ID).Attention.Open() {
				t.Fatal("what a person has seen to came back")
			}
		})
		t.Run("what was to be issued automatically and has become dearer needs a person, and is not bought",
			func(t *testing.T) {
				c := open(t, db, func(s flight.Supplier) flight.Supplier { return &dearer{Supplier: s} })
				b := c.booked(t, marine)
				c.supplier.(*dearer).by = 1500
				c.clock.to(b.IssueAt().Add(time.Second))
				c.tick(t)
				c.wantLog(t, b.ID, "confirmed"+ana)
				now := c.now(t, b.ID)
				if !now.Attention.Open() || !strings.Contains(now.Attention.Why, "has risen from") {
					t.Fatalf("attention %+v; want a person to decide", now.Attention)
				}
				must(c.Handled(t.Context(), c.in, c.booker, b.ID))(t)
				c.lookedAgain(t, b)
				if c.now(t, b.ID).Attention.Open() {
					t.Fatal("what a person has seen to came back")
				}
			})
		t.Run("a change that is charged in another currency needs a person", func(t *testing.T) {
			c := open(t, db, func(s flight.Supplier) flight.Supplier { return &foreign{s} })
			b := c.issued(t)
			offers, err := c.FindChanges(t.Context(), c.in, b.ID,
				[]gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-03"}})
			if err != nil {
				t.Fatal(err)
			}
			must(c.AskChange(t.Context(), c.in, c.booker, b.ID, offers[0].ID))(t)
			done, err := c.ConfirmChange(t.Context(), c.in, c.booker, b.ID, c.chosen(t, b.ID))
			if err != nil || done.Price.Total != b.Price.Total || !done.Attention.Open() || done.UnhandledAttention() ==
				"" {
				t.Fatalf("ConfirmChange = %s, attention %+v, %v; want its own price and a person", done.Price.Total,
					done.Attention, err)
			}
		})
		t.Run("a panic is caught, and the booking is looked at later", func(t *testing.T) {
			c := open(t, db, func(s flight.Supplier) flight.Supplier { return &forgetful{Supplier: s} })
			b := c.issued(t)
			c.supplier.(*forgetful).broken = true
			c.lookedAgain(t, b)
			if got := c.now(t, b.ID); !got.CheckAt.After(c.clock.Now()) {
				t.Fatalf("the next look is at %s", got.CheckAt)
			}
		})
		t.Run("a panic leaves the intent to follow-up", func(t *testing.T) {
			c := open(t, db, func(s flight.Supplier) flight.Supplier { return &forgetful{Supplier: s} })
			b := c.booked(t, marine)
			c.supplier.(*forgetful).breakIssue = true
			func() {
				defer func() { _ = recover() }() // as the gate does for a request
				_, _ = c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total)
			}()
			c.clock.forward(time.Minute)
			c.tick(t)
			c.wantFree(t, b.ID)
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana)
		})
	})
}

// TestPanics checks that an answer of a supplier that causes a panic stops nobody else.
func TestPanics(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := open(t, db, plain)
		s := c.search(t, 3)
		ask := c.ask(s, c.offer(t, s, marine))
		c.supplier = &breaking{Supplier: c.supplier, at: ask.ID}
		t.Run("booking", func(t *testing.T) {
			func() {
				defer func() { _ = recover() }() // as the gate does for a request
				_, _ = c.Book(t.Context(), c.in, c.booker, ask)
			}()
			c.clock.forward(time.Minute)
			c.tick(t)
			c.wantLog(t, ask.ID, "confirmed"+ana)
		})
		t.Run("looking for flights", func(t *testing.T) {
			done := 0
			err := c.Search(t.Context(), c.in, s, func(f book.FoundOffers) {
				if f.Done && f.Err != nil {
					done++
				}
			})
			if err != nil || done != 3 {
				t.Fatalf("Search = %v, %d members told why; want all three", err, done)
			}
		})
	})
}

// breaking is a supplier whose answers break their reader: to a hold under one
// reference, and to every search.
type breaking struct {
	flight.Supplier
	at string
}

func (b *breaking) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	order, err := b.Supplier.Hold(ctx, ask)
	if ask.Reference == b.at {
		panic("a reader of the supplier's answers is wrong")
	}
	return order, err
}

func (b *breaking) Search(context.Context, flight.Ask, func([]flight.Offer)) error {
	panic("a reader of the supplier's answers is wrong")
}

// lateNews is a supplier during whose first answer something happens.
type lateNews struct {
	flight.Supplier
	before func()
	asked  int
}

func (l *lateNews) Order(ctx context.Context, id string) (flight.Order, error) {
	order, err := l.Supplier.Order(ctx, id)
	if l.asked++; l.asked == 1 {
		l.before()
	}
	return order, err
}

// dearer is a supplier whose held orders have risen in price.
type dearer struct {
	flight.Supplier
	by int64
}

func (d *dearer) Order(ctx context.Context, id string) (flight.Order, error) {
	order, err := d.Supplier.Order(ctx, id)
	order.Price.Total.Minor += d.by
	order.Price.Fare.Minor += d.by
	return order, err
}

// foreign is a supplier that charges changes in euros.
type foreign struct{ flight.Supplier }

func (f *foreign) Change(ctx context.Context, id, offer string) (flight.Order, error) {
	order, err := f.Supplier.Change(ctx, id, offer)
	order.Price = gangway.PriceOf(gangway.Money{Minor: 50000, Currency: "EUR"}, gangway.Money{Currency: "EUR"},
		gangway.Money{})
	return order, err
}

// forgetful is a supplier that has lost an order, or breaks.
type forgetful struct {
	flight.Supplier
	forgot, broken, breakIssue bool
}

func (f *forgetful) Order(ctx context.Context, id string) (flight.Order, error) {
	switch {
	case f.broken:
		panic("a reader of the supplier's answers is wrong")
	case f.forgot:
		return flight.Order{}, gangway.Errorf(gangway.NotFound, "no such order")
	}
	return f.Supplier.Order(ctx, id)
}

func (f *forgetful) Issue(ctx context.Context, id string, pay gangway.Money) (flight.Order, error) {
	order, err := f.Supplier.Issue(ctx, id, pay)
	if f.breakIssue {
		panic("a reader of the supplier's answers is wrong")
	}
	return order, err
}

// hanging is a supplier that answers nothing about orders until it is let go.
type hanging struct {
	flight.Supplier
	asked chan struct{}
	let   chan struct{}
}

func (h *hanging) Order(ctx context.Context, id string) (flight.Order, error) {
	h.asked <- struct{}{}
	select {
	case <-h.let:
	case <-ctx.Done():
		return flight.Order{}, ctx.Err()
	}
	return h.Supplier.Order(ctx, id)
}

// TestBulkhead checks that a supplier that hangs for one account delays no other.
func TestBulkhead(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		slow := open(t, db, plain)
		var ids []string
		for range 10 {
			ids = append(ids, slow.issued(t).ID)
		}
		quick := open(t, db, plain)
		b := quick.issued(t)
		hung := &hanging{Supplier: slow.supplier, asked: make(chan struct{}, 100), let: make(chan struct{})}
		answered := &hanging{Supplier: quick.supplier, asked: make(chan struct{}, 100), let: make(chan struct{})}
		close(answered.let)
		desk := book.New(book.Config{
			DB: db, Now: slow.clock.Now, Log: slog.New(slog.DiscardHandler),
			Suppliers: func(_ context.Context, in store.Scoped, _ string) (flight.Supplier, error) {
				if in.Scope() == slow.in.Scope() {
					return hung, nil
				}
				return answered, nil
			},
		})
		for _, id := range ids {
			done(t, slow.in.LookNow(t.Context(), id, slow.clock.Now()))
		}
		ctx, end := context.WithCancel(t.Context())
		var run sync.WaitGroup
		run.Go(func() { desk.Run(ctx) })
		for range 4 {
			<-hung.asked
		}
		done(t, quick.in.LookNow(t.Context(), b.ID, slow.clock.Now()))
		<-answered.asked // while the others hang
		if len(hung.asked) != 0 {
			t.Errorf("%d more pieces were begun at the supplier that hangs; want four at a time", len(hung.asked))
		}
		close(hung.let)
		for range 6 {
			<-hung.asked
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
