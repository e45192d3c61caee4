package book_test

import (
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// disturbed issues a booking and lets its airline change the flights by itself, in
// a way that fits.
func (c *counter) disturbed(t *testing.T, fits func(flight.Notice) bool) (gangway.Booking, flight.Notice) {
	t.Helper()
	b := c.issued(t)
	c.clock.forward(2 * 24 * time.Hour) // the void period is over
	for seed := int64(1); seed < 3000; seed++ {
		changed := c.network.For(c.in.Ledger(), seed)
		order := must(changed.Order(t.Context(), b.Order))(t)
		if order.Notice != nil && fits(*order.Notice) {
			c.supplier = changed
			return b, *order.Notice
		}
	}
	t.Fatal("no seed changes the flights that way")
	return b, flight.Notice{}
}

func instead(n flight.Notice) bool { return !n.Minor && len(n.Itinerary.Segments) > 0 }

// noticed lets the automated user check the booking.
func (c *counter) noticed(t *testing.T) {
	t.Helper()
	c.clock.forward(6 * time.Hour)
	done(t, c.Tick(t.Context()))
}

func TestAirlineChanges(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("a person accepts the airline's other flights at no cost", func(t *testing.T) {
			c := open(t, db, plain)
			b, n := c.disturbed(t, instead)
			c.noticed(t)
			waits, err := c.in.Booking(t.Context(), b.ID)
			if err != nil || waits.State != gangway.ChangePending || !waits.Change.ByAirline || waits.Change.Why !=
				n.Why || !waits.Change.Due.IsZero() {
				t.Fatalf("the booking is %s with change %+v (%v); want it to wait for an answer", waits.State,
					waits.Change, err)
			}
			c.noticed(t) // and it keeps waiting
			done, err := c.ConfirmChange(t.Context(), c.in, c.booker, b.ID, c.chosen(t, b.ID))
			if err != nil || done.State != gangway.Issued || !done.Notice.Answered || done.Price != b.Price {
				t.Fatalf("ConfirmChange = %s, notice %+v, price %s, %v; want it issued for the same price", done.State,
					done.Notice, done.Price.Total, err)
			}
			if !done.Itinerary.Departure().Equal(n.Itinerary.Departure()) {
				t.Errorf("it leaves %s; want %s as offered", done.Itinerary.Departure(), n.Itinerary.Departure())
			}
			c.noticed(t) // the same change is not raised again
			c.wantLog(t, b.ID, "confirmed ana@example.com", "issued ana@example.com", "change_pending system",
				"issued ana@example.com")
		})
		t.Run("after declining the change, cancelling refunds everything", func(t *testing.T) {
			c := open(t, db, plain)
			b, _ := c.disturbed(t, instead)
			c.noticed(t)
			left, err := c.GiveUpChange(t.Context(), c.in, c.booker, b.ID)
			if err != nil || left.State != gangway.Issued || !left.Notice.Declined {
				t.Fatalf("GiveUpChange = %s, notice %+v, %v; want it issued, with the notice declined", left.State,
					left.Notice, err)
			}
			c.noticed(t)
			quote, err := c.QuoteCancel(t.Context(), c.in, b.ID)
			if err != nil || quote.Refund != b.Price.Total {
				t.Fatalf("QuoteCancel = %s back, %v; want all of %s", quote.Refund, err, b.Price.Total)
			}
			gone, err := c.Cancel(t.Context(), c.in, c.booker, b.ID, quote.ID)
			if err != nil || gone.State != gangway.RefundPending {
				t.Fatalf("Cancel = %s, %v", gone.State, err)
			}
			c.wantLog(t, b.ID, "confirmed ana@example.com", "issued ana@example.com", "change_pending system",
				"issued ana@example.com", "refund_pending ana@example.com")
		})
		t.Run("small changes of times are accepted automatically, and the customer is told", func(t *testing.T) {
			c := open(t, db, plain)
			b, n := c.disturbed(t, func(n flight.Notice) bool { return n.Minor })
			c.noticed(t)
			c.wantLog(t, b.ID, "confirmed ana@example.com", "issued ana@example.com", "change_pending system",
				"issued system")
			moved, err := c.in.Booking(t.Context(), b.ID)
			if err != nil || !moved.Itinerary.Arrival().Equal(n.Itinerary.Arrival()) {
				t.Fatalf("it lands %s, %v; want %s", moved.Itinerary.Arrival(), err, n.Itinerary.Arrival())
			}
		})
		t.Run("a booking is checked as soon as the airline reports an event", func(t *testing.T) {
			c := open(t, db, plain)
			b, _ := c.disturbed(t, instead)
			done(t, c.LookAtOrder(t.Context(), c.in, "simulated", b.Order))
			done(t, c.LookAtOrder(t.Context(), c.in, "simulated", "nobody's"))
			done(t, c.Tick(t.Context()))
			if now, err := c.in.Booking(t.Context(), b.ID); err != nil || now.State != gangway.ChangePending {
				t.Fatalf("the booking is %s, %v", now.State, err)
			}
		})
	})
}
