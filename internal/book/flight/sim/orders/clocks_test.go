package orders_test

import (
	"testing"
	"time"

	"gangway/internal/gangway"
)

// midnight is the end of the first day in Manila, where journeys begin.
var midnight = time.Date(2026, 11, 2, 16, 0, 0, 0, time.UTC)

// A price is guaranteed to the last minute of its day in Manila, or for as long as the seats are held if that is
// shorter. flighttest holds what comes after it.
func TestPriceUntil(t *testing.T) {
	const in30days = gangway.Date("2026-12-02")
	end := midnight.Add(-time.Minute)
	for _, tt := range []struct {
		brand string
		at    time.Time
		leave gangway.Date
		until time.Time // zero: the ticketing deadline
	}{
		{"Classic", midnight.Add(-7 * time.Hour), in30days, end},
		{"Flex", midnight.Add(-7 * time.Hour), in30days, end},
		{"Flex", midnight.Add(-30 * time.Second), in30days, end.Add(24 * time.Hour)},
		{"Light", midnight.Add(-10 * time.Minute), in30days, time.Time{}},
		{"Marine", midnight.Add(-7 * time.Hour), "2026-11-03", time.Time{}},
	} {
		c := open(t)
		c.now = tt.at
		order := c.hold(t, "r1", c.offer(t, between("MNL", "AMS", tt.leave), brand(tt.brand)))
		if tt.until.IsZero() {
			tt.until = order.TicketBy
		}
		if !order.PriceUntil.Equal(tt.until) || order.TicketBy.Before(tt.until) {
			t.Errorf("%s held at %s: price until %s, ticket by %s; want the price until %s", tt.brand, tt.at,
				order.PriceUntil, order.TicketBy, tt.until)
		}
	}
}
