package flighttest

import (
	"slices"
	"sync"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// testHold holds that a reference is used once, and for the price agreed to.
func testHold(t *testing.T, s Stage) {
	o := s.offer(t)
	t.Run("a held order has a locator, deadlines and no tickets", func(t *testing.T) {
		order := must(s.Hold(t.Context(), s.holdAsk(o, "r1")))(t)
		if order.Status != flight.Held || len(order.PNRs) == 0 || order.Reference != "r1" ||
			len(order.Tickets) != 0 {
			t.Fatalf("Hold = %+v; want it held", order)
		}
		if !order.TicketBy.After(s.Now()) || order.TicketBy.After(order.HoldUntil) || order.Price.Total !=
			o.Price.Total {
			t.Fatalf("ticket by %s, hold until %s, price %s; want both in the future, in that order, and %s",
				order.TicketBy, order.HoldUntil, order.Price.Total, o.Price.Total)
		}
	})
	t.Run("concurrent holds under one reference make one order", func(t *testing.T) {
		ids := make([]string, 6)
		var wait sync.WaitGroup
		for i := range ids {
			wait.Go(func() {
				order, err := s.Hold(t.Context(), s.holdAsk(o, "r2"))
				if err != nil {
					t.Errorf("Hold: %v", err)
				}
				ids[i] = order.ID
			})
		}
		wait.Wait()
		slices.Sort(ids)
		if n := len(slices.Compact(ids)); n != 1 {
			t.Fatalf("%d orders under one reference", n)
		}
	})
	t.Run("an order is found by its reference, and one looked for in vain is never held", func(t *testing.T) {
		if order := must(s.Find(t.Context(), "r1"))(t); order.Status != flight.Held || order.Reference != "r1" {
			t.Fatalf("Find = %+v", order)
		}
		refused(t, gangway.NotFound)(s.Find(t.Context(), "never-used"))
		refused(t, gangway.Conflict)(s.Hold(t.Context(), s.holdAsk(o, "never-used")))
		refused(t, gangway.NotFound)(s.Find(t.Context(), "never-used"))
		refused(t, gangway.NotFound)(s.Order(t.Context(), "no-such-order"))
	})
	t.Run("a hold at a price that is not the offer's is refused", func(t *testing.T) {
		ask := s.holdAsk(o, "r3")
		ask.Price.Minor--
		refused(t, gangway.Conflict)(s.Hold(t.Context(), ask))
		refused(t, gangway.NotFound)(s.Find(t.Context(), "r3"))
	})
}

// testLapse holds that an order whose hold has ended cannot be issued.
func testLapse(t *testing.T, s Stage) {
	order := s.hold(t, "r1")
	s.Forward(order.HoldUntil.Sub(s.Now()) + time.Second)
	s.wantStatus(t, order.ID, flight.Lapsed)
	refused(t, gangway.Conflict)(s.Issue(t.Context(), order.ID, order.Price.Total))
	s.wantStatus(t, order.ID, flight.Lapsed)
}

// testGuarantee holds that a guaranteed price stays, and that a price that moves after
// that is the one to be paid.
func testGuarantee(t *testing.T, s Stage) {
	order := s.hold(t, "r1")
	if order.PriceUntil.IsZero() {
		t.Skip("prices are guaranteed for as long as seats are held")
	}
	if order.PriceUntil.After(order.TicketBy) {
		t.Fatalf("the price is guaranteed until %s, after the ticketing deadline, %s", order.PriceUntil, order.TicketBy)
	}
	s.Forward(order.PriceUntil.Sub(s.Now()) - time.Second)
	if o := s.wantStatus(t, order.ID, flight.Held); o.Price != order.Price {
		t.Fatalf("the price became %s while %s was guaranteed", o.Price.Total, order.Price.Total)
	}
	s.Forward(2 * time.Second)
	if !s.Now().Before(order.TicketBy) {
		return
	}
	later := s.wantStatus(t, order.ID, flight.Held)
	if p := later.Price; p.Fare.Add(p.Taxes) != p.Total || p.Total.Currency != order.Price.Total.Currency {
		t.Errorf("price %s is not fare %s and taxes %s, or in another currency than %s", p.Total, p.Fare, p.Taxes,
			order.Price.Total)
	}
	if later.Price.Total != order.Price.Total {
		refused(t, gangway.Conflict)(s.Issue(t.Context(), order.ID, order.Price.Total))
	}
	s.issue(t, later)
}
