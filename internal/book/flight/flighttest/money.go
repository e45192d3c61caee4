package flighttest

import (
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// testMoney follows the money of one order through changes to its cancellation. The
// charges add up to its price, a change costs the difference of the prices, and the
// refund and the amount kept add up to what was paid.
func testMoney(t *testing.T, s Stage) {
	t.Run("before tickets a change costs nothing, and afterwards the difference", func(t *testing.T) {
		order := s.hold(t, "r1")
		s.wantWhole(t, order.Price)
		// some suppliers change only ticketed orders
		if offers, err := s.Supplier.FindChanges(t.Context(), order.ID, s.Ask(33).Legs); err == nil {
			for _, o := range offers {
				if s.wantWhole(t, o.Price); !o.Due.IsZero() || !o.Penalty.IsZero() {
					t.Errorf("%s due, %s of it a fee, before anything was paid", o.Due, o.Penalty)
				}
			}
		}
		issued, err := s.Supplier.Issue(t.Context(), order.ID, order.Price.Total)
		if err != nil || issued.Price != order.Price {
			t.Fatalf("Issue = %+v, %v; want %+v", issued.Price, err, order.Price)
		}
		paid := order.Price.Total
		for _, day := range []int{33, 35} {
			order := s.wantStatus(t, order.ID, flight.Ticketed)
			o := s.change(t, order, day)
			if paid = paid.Add(o.Due); s.wantStatus(t, order.ID, flight.Ticketed).Price.Total != paid {
				t.Fatalf("the order's price is %s; %s were paid",
					s.wantStatus(t, order.ID, flight.Ticketed).Price.Total, paid)
			}
		}
		changed := s.wantStatus(t, order.ID, flight.Ticketed)
		s.Forward(changed.VoidUntil.Sub(s.Now()) + time.Minute)
		quote, err := s.Supplier.QuoteCancel(t.Context(), order.ID)
		if err != nil || quote.Unknown || quote.Refund.Add(quote.Kept) != paid || quote.Kept.Minor <
			changed.Price.Fees.Minor || quote.Refund.Minor < 0 {
			t.Fatalf("QuoteCancel = %s back, %s kept, %v; want them to make %s, with the fees of %s kept", quote.Refund,
				quote.Kept, err, paid, changed.Price.Fees)
		}
		gone, err := s.Supplier.Cancel(t.Context(), order.ID, quote.ID)
		if err != nil || gone.Price.Total != paid || gone.Refund == nil || gone.Refund.Amount != quote.Refund {
			t.Fatalf("Cancel = %s, refund %+v, %v; want %s back of %s", gone.Price.Total, gone.Refund, err,
				quote.Refund, paid)
		}
	})
}

// change moves an order to the first flights found for a day, and returns the change offer.
func (s Stage) change(t *testing.T, order flight.Order, day int) flight.ChangeOffer {
	t.Helper()
	offers, err := s.Supplier.FindChanges(t.Context(), order.ID, s.Ask(day).Legs)
	if err != nil || len(offers) == 0 {
		t.Fatalf("FindChanges = %d offers, %v; want some", len(offers), err)
	}
	for _, o := range offers {
		s.wantWhole(t, o.Price)
		fees := gangway.Money{Currency: o.Penalty.Currency}.Add(order.Price.Fees).Add(o.Penalty)
		if o.Due != o.Price.Total.Sub(order.Price.Total) || fees.Minor != o.Price.Fees.Minor || o.Penalty.Minor <
			0 {
			t.Errorf("%s due with a fee of %s for %+v instead of %+v", o.Due, o.Penalty, o.Price, order.Price)
		}
	}
	o := offers[0]
	changed, err := s.Supplier.Change(t.Context(), order.ID, o.ID)
	if err != nil || changed.Price != o.Price {
		t.Fatalf("Change = %+v, %v; want %+v", changed.Price, err, o.Price)
	}
	return o
}

// wantWhole fails unless the parts of a price are in one currency and add up to its total.
func (s Stage) wantWhole(t *testing.T, p gangway.Price) {
	t.Helper()
	if gangway.PriceOf(p.Fare, p.Taxes, p.Fees) != p || p.Fare.Currency != p.Total.Currency || p.Taxes.Currency !=
		p.Total.Currency || !p.Fees.IsZero() && p.Fees.Currency != p.Total.Currency {
		t.Errorf("%s is not fare %s, taxes %s and fees %s", p.Total, p.Fare, p.Taxes, p.Fees)
	}
}
