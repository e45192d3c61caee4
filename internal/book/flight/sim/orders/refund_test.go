package orders_test

import (
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// Who does not show up loses everything, even the taxes. TestNoCentIsLost holds what is refunded otherwise.
func TestNoShow(t *testing.T) {
	for _, name := range []string{"Light", "Classic"} {
		c := open(t)
		order := c.ticket(t, "r1", c.offer(t, toWork, brand(name)))
		c.now = order.Itinerary.Segments[len(order.Itinerary.Segments)-1].Departure.Add(time.Second)
		q := c.quote(t, order)
		gone := must(c.Cancel(t.Context(), order.ID, q.ID))(t)
		if !q.Refund.IsZero() || q.Kept != order.Price.Total || q.Void || q.Rule == "" || gone.Refund != nil ||
			gone.Status != flight.Withdrawn {
			t.Errorf("%s: cancelled on %+v of %+v: %s, refund %+v", name, q, order.Price, gone.Status, gone.Refund)
		}
	}
}

func TestVoid(t *testing.T) {
	c := open(t)
	order := c.ticket(t, "r1", c.offer(t, toWork, brand("Light")))
	// 09:00 in UTC is 17:00 in Manila.
	if want := time.Date(2026, 11, 2, 15, 59, 0, 0, time.UTC); !order.VoidUntil.Equal(want) {
		t.Fatalf("void until %s; want 23:59 in Manila, %s", order.VoidUntil, want)
	}
	c.now = order.VoidUntil.Add(-10 * time.Minute)
	q := c.quote(t, order)
	if !q.Void || !q.Expires.Equal(order.VoidUntil) {
		t.Fatalf("quote %+v; want a void until %s", q, order.VoidUntil)
	}
	c.now = order.VoidUntil
	refused(t, gangway.Conflict)(c.Cancel(t.Context(), order.ID, q.ID))
	if q := c.quote(t, order); q.Void || q.Refund.Minor <= 0 || q.Refund.Minor >= order.Price.Taxes.Minor {
		t.Fatalf("quote %+v; want no void any more, and at most the taxes refunded", q)
	}
}
