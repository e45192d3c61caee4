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
		quote, err := s.Supplier.QuoteCancel(t.Context(), order.ID)
		if err != nil || !quote.Refund.IsZero() || !quote.Kept.IsZero() || quote.Rule == "" {
			t.Fatalf("QuoteCancel = %+v, %v; want no refund, nothing kept, and the rule in words", quote, err)
		}
		gone, err := s.Supplier.Cancel(t.Context(), order.ID, quote.ID)
		if err != nil || gone.Status != flight.Withdrawn || gone.Refund != nil {
			t.Fatalf("Cancel = %s, refund %+v, %v; want it withdrawn", gone.Status, gone.Refund, err)
		}
		_, err = s.Supplier.Cancel(t.Context(), order.ID, quote.ID)
		wantRefusal(t, "Cancel a second time", err, gangway.Conflict)
		_, err = s.Supplier.Issue(t.Context(), order.ID, order.Price.Total)
		wantRefusal(t, "Issue after cancelling", err, gangway.Conflict)
	})
	t.Run("tickets can be voided for a while", func(t *testing.T) {
		order := s.ticket(t, "r2")
		quote, err := s.Supplier.QuoteCancel(t.Context(), order.ID)
		if err != nil || !quote.Void || quote.Kept.Minor != 0 || quote.Refund != order.Price.Total {
			t.Fatalf("QuoteCancel = %+v, %v; want a void that keeps nothing", quote, err)
		}
		gone, err := s.Supplier.Cancel(t.Context(), order.ID, quote.ID)
		if r := gone.Refund; err != nil || gone.Status != flight.Withdrawn || r == nil || !r.Void ||
			r.Amount != order.Price.Total || r.Awaited() {
			t.Fatalf("Cancel = %s, refund %+v, %v; want it withdrawn, and all of it refunded already",
				gone.Status, gone.Refund, err)
		}
		if o := s.wantStatus(t, order.ID, flight.Withdrawn); o.Refund == nil || o.Refund.Awaited() ||
			o.Price != order.Price {
			t.Errorf("refund %+v of %s; want it settled, of %s", o.Refund, o.Price.Total, order.Price.Total)
		}
	})
	t.Run("a quote from before the tickets is refused", func(t *testing.T) {
		order := s.hold(t, "r3")
		quote, err := s.Supplier.QuoteCancel(t.Context(), order.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Supplier.Issue(t.Context(), order.ID, order.Price.Total); err != nil {
			t.Fatal(err)
		}
		_, err = s.Supplier.Cancel(t.Context(), order.ID, quote.ID)
		wantRefusal(t, "Cancel on a superseded quote", err, gangway.Conflict)
		s.wantStatus(t, order.ID, flight.Ticketed)
	})
}

// testRefund holds that the refund is what was quoted, and is settled within 60 days.
func testRefund(t *testing.T, s Stage) {
	order := s.ticket(t, "r1")
	s.Forward(order.VoidUntil.Sub(s.Now()) + time.Minute)
	quote, err := s.Supplier.QuoteCancel(t.Context(), order.ID)
	if err != nil || quote.Void || quote.Refund.Minor <= 0 || quote.Refund.Add(quote.Kept) != order.Price.Total {
		t.Fatalf("QuoteCancel = %+v, %v; want Refund and Kept to add up to %s", quote, err, order.Price.Total)
	}
	gone, err := s.Supplier.Cancel(t.Context(), order.ID, quote.ID)
	if err != nil || gone.Refund == nil || gone.Refund.Amount != quote.Refund || !gone.Refund.SettledAt.IsZero() {
		t.Fatalf("Cancel = %s, refund %+v, %v; want %s on its way", gone.Status, gone.Refund, err, quote.Refund)
	}
	for range 60 * 24 {
		if o := s.wantStatus(t, order.ID, flight.Withdrawn); !o.Refund.SettledAt.IsZero() {
			return
		}
		s.Forward(time.Hour)
	}
	t.Fatal("the refund was not settled within 60 days")
}
