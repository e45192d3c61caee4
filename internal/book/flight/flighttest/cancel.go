package flighttest

import (
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// testCancel holds that a hold costs nothing, that tickets can be voided for a while, and
// that a quote from before the tickets is refused.
func testCancel(t *testing.T, s Stage) {
	t.Run("releasing a hold costs nothing", func(t *testing.T) {
		order := s.hold(t, "r1")
		quote, _ := s.cancel(t, order)
		if !quote.Refund.IsZero() || !quote.Kept.IsZero() {
			t.Fatalf("QuoteCancel = %+v; want no refund, and nothing kept", quote)
		}
		refused(t, gangway.Conflict)(s.Cancel(t.Context(), order.ID, quote.ID))
		refused(t, gangway.Conflict)(s.Issue(t.Context(), order.ID, order.Price.Total))
	})
	t.Run("tickets can be voided for a while", func(t *testing.T) {
		order := s.ticket(t, "r2")
		quote, gone := s.cancel(t, order)
		if !quote.Void || quote.Kept.Minor != 0 || quote.Refund != order.Price.Total {
			t.Fatalf("QuoteCancel = %+v; want a void that keeps nothing", quote)
		}
		for _, o := range []flight.Order{gone, s.wantStatus(t, order.ID, flight.Withdrawn)} {
			if o.Refund == nil || !o.Refund.Void || o.Refund.Awaited() || o.Price != order.Price {
				t.Errorf("refund %+v of %s; want all of it already, %s", o.Refund, o.Price.Total, order.Price.Total)
			}
		}
	})
	t.Run("a quote from before the tickets is refused", func(t *testing.T) {
		order := s.hold(t, "r3")
		quote := must(s.QuoteCancel(t.Context(), order.ID))(t)
		s.issue(t, order)
		refused(t, gangway.Conflict)(s.Cancel(t.Context(), order.ID, quote.ID))
		s.wantStatus(t, order.ID, flight.Ticketed)
	})
}

// testRefund holds that the refund is what was quoted, and is settled within 60 days.
func testRefund(t *testing.T, s Stage) {
	order := s.ticket(t, "r1")
	s.Forward(order.VoidUntil.Sub(s.Now()) + time.Minute)
	quote, gone := s.cancel(t, order)
	if quote.Void || quote.Refund.Minor <= 0 || quote.Refund.Add(quote.Kept) != order.Price.Total ||
		!gone.Refund.SettledAt.IsZero() {
		t.Fatalf("refund %+v of %+v; want it on its way, and Refund and Kept to add up to %s", gone.Refund, quote,
			order.Price.Total)
	}
	for range 60 * 24 {
		if o := s.wantStatus(t, order.ID, flight.Withdrawn); !o.Refund.SettledAt.IsZero() {
			return
		}
		s.Forward(time.Hour)
	}
	t.Fatal("the refund was not settled within 60 days")
}
