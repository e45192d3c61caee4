package book_test

import (
	"context"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/flighttest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// badLine opens a counter whose connection to the supplier can be made to fail.
func badLine(t *testing.T, db *store.DB) (*counter, *flighttest.Faulty) {
	t.Helper()
	var line *flighttest.Faulty
	c := open(t, db, func(s flight.Supplier) flight.Supplier {
		line = flighttest.NewFaulty(s)
		return line
	})
	return c, line
}

// wantWait fails unless err tells the user to wait.
func wantWait(t *testing.T, what string, err error) {
	t.Helper()
	if gangway.KindOf(err) != gangway.Unavailable {
		t.Fatalf("%s over a bad line = %v; want Unavailable", what, err)
	}
}

// TestLostAnswers checks that nothing is booked, ticketed, cancelled or changed
// twice and nothing is forgotten, wherever the connection to the supplier breaks.
func TestLostAnswers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("a hold whose answer was lost becomes the booking", func(t *testing.T) {
			c, line := badLine(t, db)
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, marine))
			line.Fail("hold", flighttest.LostAfter)
			_, err := c.Book(t.Context(), c.in, c.booker, ask)
			wantWait(t, "Book", err)
			refused(t, gangway.Conflict)(c.Book(t.Context(), c.in, c.booker, c.ask(s, c.offer(t, s, marine))))
			c.tick(t)
			c.wantLog(t, ask.ID, "confirmed"+ana)
			if n := line.Calls("hold"); n != 1 {
				t.Fatalf("the supplier was asked to hold %d times; want once", n)
			}
		})
		t.Run("a hold that never arrived is given up, and can be requested again", func(t *testing.T) {
			c, line := badLine(t, db)
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, marine))
			line.Fail("hold", flighttest.LostBefore)
			_, err := c.Book(t.Context(), c.in, c.booker, ask)
			wantWait(t, "Book", err)
			c.tick(t)
			intent, err := c.in.Intent(t.Context(), ask.ID)
			if err != nil || intent.Open || intent.Outcome == store.Done || intent.Outcome == "" {
				t.Fatalf("intent = %+v, %v; want it closed and a reason", intent, err)
			}
			must(c.Book(t.Context(), c.in, c.booker, c.ask(s, c.offer(t, s, marine))))(t)
		})
		t.Run("an airline that cannot answer yet is asked again until it can", func(t *testing.T) {
			c, line := badLine(t, db)
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, marine))
			line.Fail("hold", flighttest.Slow)
			_, err := c.Book(t.Context(), c.in, c.booker, ask)
			wantWait(t, "Book", err)
			for range 5 {
				c.clock.forward(time.Minute)
				c.tick(t)
			}
			refused(t, gangway.NotFound)(c.in.Booking(t.Context(), ask.ID))
			line.Settle()
			c.clock.forward(10 * time.Minute)
			c.tick(t)
			c.wantLog(t, ask.ID, "confirmed"+ana)
		})
		t.Run("tickets whose answer was lost are found, not bought again", func(t *testing.T) {
			c, line := badLine(t, db)
			b := c.booked(t, marine)
			line.Fail("issue", flighttest.LostAfter)
			_, err := c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total)
			wantWait(t, "Issue", err)
			refused(t, gangway.Conflict)(c.Issue(t.Context(), c.in, c.approver, b.ID, b.Price.Total))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana)
			if n := line.Calls("issue"); n != 1 {
				t.Fatalf("the supplier was asked to issue %d times; want once", n)
			}
		})
		t.Run("if the request for tickets was lost, the booking stays confirmed", func(t *testing.T) {
			c, line := badLine(t, db)
			b := c.booked(t, marine)
			line.Fail("issue", flighttest.LostBefore)
			_, err := c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total)
			wantWait(t, "Issue", err)
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana)
			must(c.Issue(t.Context(), c.in, c.booker, b.ID, b.Price.Total))(t)
		})
		t.Run("a cancellation whose answer was lost is found", func(t *testing.T) {
			c, line := badLine(t, db)
			b := c.issued(t)
			c.clock.to(b.VoidUntil.Add(time.Hour))
			quote, err := c.QuoteCancel(t.Context(), c.in, b.ID)
			if err != nil {
				t.Fatal(err)
			}
			line.Fail("cancel", flighttest.LostAfter)
			_, err = c.Cancel(t.Context(), c.in, c.booker, b.ID, quote.ID)
			wantWait(t, "Cancel", err)
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana, "refund_pending"+ana)
		})
		t.Run("a change whose answer was lost is found", func(t *testing.T) {
			c, line := badLine(t, db)
			b := c.issued(t)
			offers, err := c.FindChanges(t.Context(), c.in, b.ID,
				[]gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: "2026-12-03"}})
			if err != nil || len(offers) == 0 {
				t.Fatalf("FindChanges = %d, %v", len(offers), err)
			}
			must(c.AskChange(t.Context(), c.in, c.booker, b.ID, offers[0].ID))(t)
			line.Fail("change", flighttest.LostAfter)
			_, err = c.ConfirmChange(t.Context(), c.in, c.booker, b.ID, c.chosen(t, b.ID))
			wantWait(t, "ConfirmChange", err)
			refused(t, gangway.Conflict)(c.GiveUpChange(t.Context(), c.in, c.booker, b.ID))
			c.tick(t)
			c.wantLog(t, b.ID, "confirmed"+ana, "issued"+ana, "change_pending"+ana, "issued"+ana)
			if n := line.Calls("change"); n != 1 {
				t.Fatalf("the supplier was asked to change %d times; want once", n)
			}
		})
		t.Run("a process that wakes up after its hold was given up releases the seats", func(t *testing.T) {
			c, line := badLine(t, db)
			s := c.search(t, 1)
			ask := c.ask(s, c.offer(t, s, marine))
			paused := &pausing{Supplier: line.Supplier, pause: func() {
				// The process sleeps here; meanwhile another one finds no order and gives up.
				c.clock.forward(time.Minute)
				c.tick(t)
			}}
			c.supplier = paused
			refused(t, gangway.Conflict)(c.Book(t.Context(), c.in, c.booker, ask))
			order, err := line.Find(t.Context(), ask.ID)
			if err != nil || order.Status != flight.Withdrawn {
				t.Fatalf("the order is %s, %v; want it withdrawn", order.Status, err)
			}
		})
	})
}

// pausing is a real supplier whose answer to a hold is delayed while something
// else happens, and which knows no such order in the meantime.
type pausing struct {
	flight.Supplier
	pause  func()
	paused bool
}

func (p *pausing) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	order, err := p.Supplier.Hold(ctx, ask)
	p.paused = true
	p.pause()
	p.paused = false
	return order, err
}

func (p *pausing) Find(ctx context.Context, reference string) (flight.Order, error) {
	if p.paused {
		return flight.Order{}, gangway.Errorf(gangway.NotFound, "no order yet")
	}
	return p.Supplier.Find(ctx, reference)
}
