package orders_test

import (
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

func TestRefunds(t *testing.T) {
	all := func(o flight.Order) int64 { return o.Price.Total.Minor }
	none := func(flight.Order) int64 { return 0 }
	tests := []struct {
		name   string
		brand  string
		at     func(flight.Order) time.Time
		refund func(flight.Order) int64
	}{
		{"Flex is refunded in full", "Flex", dayBefore, all},
		{"Marine is refunded in full less the fee", "Marine", dayBefore,
			func(o flight.Order) int64 { return o.Price.Total.Minor - o.Terms.CancelFee.Minor }},
		{"Light loses everything by a no-show", "Light", lastLeft, none},
		{"Classic loses everything by a no-show", "Classic", lastLeft, none},
		{"nothing is refunded once the journey is over", "Flex", over, none},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := open(t)
			order := c.ticket(t, "r1", c.offer(t, toWork, brand(tt.brand)))
			c.now = tt.at(order)
			q := c.quote(t, order)
			if q.Refund.Minor != tt.refund(order) || q.Refund.Add(q.Kept) != order.Price.Total || q.Void ||
				q.Rule == "" {
				t.Fatalf("quote %+v of %+v; want %d refunded", q, order.Price, tt.refund(order))
			}
			gone, err := c.Cancel(t.Context(), order.ID, q.ID)
			if err != nil || gone.Status != flight.Withdrawn || (gone.Refund == nil) != q.Refund.IsZero() {
				t.Fatalf("Cancel = %s, refund %+v, %v", gone.Status, gone.Refund, err)
			}
		})
	}
}

func dayBefore(o flight.Order) time.Time { return o.Itinerary.Departure().Add(-24 * time.Hour) }

func over(o flight.Order) time.Time { return o.Itinerary.Arrival() }

func lastLeft(o flight.Order) time.Time {
	return o.Itinerary.Segments[len(o.Itinerary.Segments)-1].Departure.Add(time.Second)
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
