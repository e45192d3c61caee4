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
		if offers, err := s.FindChanges(t.Context(), order.ID, s.Ask(33).Legs); err == nil {
			for _, o := range offers {
				if s.wantWhole(t, o.Price); !o.Due.IsZero() || !o.Penalty.IsZero() {
					t.Errorf("%s due, %s of it a fee, before anything was paid", o.Due, o.Penalty)
				}
			}
		}
		issued := s.issue(t, order)
		if issued.Price != order.Price {
			t.Fatalf("Issue = %+v; want %+v", issued.Price, order.Price)
		}
		paid := order.Price.Total
		for _, day := range []int{33, 35} {
			paid = paid.Add(s.change(t, s.wantStatus(t, order.ID, flight.Ticketed), day).Due)
			if price := s.wantStatus(t, order.ID, flight.Ticketed).Price.Total; price != paid {
				t.Fatalf("the order's price is %s; %s were paid", price, paid)
			}
		}
		changed := s.wantStatus(t, order.ID, flight.Ticketed)
		s.Forward(changed.VoidUntil.Sub(s.Now()) + time.Minute)
		quote, _ := s.cancel(t, changed)
		if quote.Unknown || quote.Refund.Add(quote.Kept) != paid || quote.Kept.Minor < changed.Price.Fees.Minor ||
			quote.Refund.Minor < 0 {
			t.Fatalf("QuoteCancel = %s back, %s kept; want them to make %s, with the fees of %s kept", quote.Refund,
				quote.Kept, paid, changed.Price.Fees)
		}
	})
}

// change moves an order to the first flights found for a day, and returns the change offer.
func (s Stage) change(t *testing.T, order flight.Order, day int) flight.ChangeOffer {
	t.Helper()
	offers := s.changes(t, order, day)
	for _, o := range offers {
		s.wantWhole(t, o.Price)
		fees := gangway.Money{Currency: o.Penalty.Currency}.Add(order.Price.Fees).Add(o.Penalty)
		if o.Due != o.Price.Total.Sub(order.Price.Total) || fees.Minor != o.Price.Fees.Minor || o.Penalty.Minor <
			0 {
			t.Errorf("%s due with a fee of %s for %+v instead of %+v", o.Due, o.Penalty, o.Price, order.Price)
		}
	}
	o := offers[0]
	if changed := must(s.Change(t.Context(), order.ID, o.ID))(t); changed.Price != o.Price {
		t.Fatalf("Change = %+v; want %+v", changed.Price, o.Price)
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
