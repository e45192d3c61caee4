package orders_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// midnight is the end of the first day in Manila, where journeys begin.
var midnight = time.Date(2026, 11, 2, 16, 0, 0, 0, time.UTC)

// heldAlone holds an offer of a brand whose price does not change by its own seat, so that its later
// price is what its flights then cost.
func heldAlone(t *testing.T, leg flight.Leg, name string) (*counter, flight.Offer, flight.Order) {
	t.Helper()
	for skip := range 20 {
		c, n := open(t), 0
		o := c.offer(t, leg, func(o flight.Offer) bool {
			fits := brand(name)(o)
			if fits {
				n++
			}
			return fits && n > skip
		})
		order := c.hold(t, "r1", o)
		if again := c.offer(t, leg, func(p flight.Offer) bool {
			return p.Terms.Brand == name &&
				sameAs(p, o)
		}); again.Price == o.Price {
			return c, o, order
		}
	}
	t.Fatalf("every %s changes its own price", name)
	return nil, flight.Offer{}, flight.Order{}
}

// A price is guaranteed for its day, while seats are held longer; afterwards it is what the same
// flights cost.
func TestTwoClocks(t *testing.T) {
	in30days := between("MNL", "AMS", "2026-12-02") // 30 days ahead today, 29 tomorrow
	t.Run("the price changes after its day, and not again on the next", func(t *testing.T) {
		for _, name := range []string{"Classic", "Flex"} {
			c, o, order := heldAlone(t, in30days, name)
			if want := midnight.Add(-time.Minute); !order.PriceUntil.Equal(want) || !o.PriceUntil.Equal(want) ||
				!order.TicketBy.After(want) || order.TicketBy != order.HoldUntil {
				t.Fatalf("%s: price until %s, ticket by %s; want 23:59 in Manila, %s, and later",
					name, order.PriceUntil, order.TicketBy, want)
			}
			at := func(at time.Time) flight.Order {
				t.Helper()
				c.now = at
				got, err := c.Order(t.Context(), order.ID)
				if err != nil || got.Status != flight.Held || got.Price.Fare.Add(got.Price.Taxes) != got.Price.Total {
					t.Fatalf("%s: Order = %s %+v, %v", name, got.Status, got.Price, err)
				}
				return got
			}
			if got := at(order.PriceUntil.Add(-time.Nanosecond)); got.Price != order.Price {
				t.Fatalf("%s: %s while %s was guaranteed", name, got.Price.Total, order.Price.Total)
			}
			c.now = midnight.Add(time.Minute)
			now := c.offer(t, in30days, func(p flight.Offer) bool { return p.Terms.Brand == name && sameAs(p, o) })
			later := at(midnight.Add(time.Minute))
			if later.Price.Total.Minor <= order.Price.Total.Minor || later.Price != now.Price {
				t.Fatalf("%s: %s the day after; want more than %s, and the price of the same flights, %s",
					name, later.Price.Total, order.Price.Total, now.Price.Total)
			}
			for _, hour := range []time.Duration{1, 5, 8} {
				if got := at(midnight.Add(hour * time.Hour)); got.Price != later.Price {
					t.Fatalf("%s: %s at one hour and %s at another of the same day",
						name, later.Price.Total, got.Price.Total)
				}
			}
			_, err := c.Issue(t.Context(), order.ID, order.Price.Total)
			if gangway.KindOf(err) != gangway.Conflict || !strings.Contains(err.Error(), later.Price.Total.String()) {
				t.Fatalf("%s: Issue at the old price = %v; want a Conflict that names %s", name, err, later.Price.Total)
			}
			issued, err := c.Issue(t.Context(), order.ID, later.Price.Total)
			if err != nil || issued.Price != later.Price {
				t.Fatalf("%s: Issue = %+v, %v; want %s", name, issued.Price, err, later.Price.Total)
			}
			c.now = c.now.AddDate(0, 0, 20)
			if got, err := c.Order(t.Context(), order.ID); err != nil || got.Price != issued.Price {
				t.Fatalf("%s: %s after it was paid; want %s for ever", name, got.Price.Total, issued.Price.Total)
			}
		}
	})
	t.Run("Light keeps its price as long as its seats", func(t *testing.T) {
		c := open(t)
		c.now = midnight.Add(-10 * time.Minute)
		order := c.hold(t, "r1", c.offer(t, in30days, brand("Light")))
		if !order.PriceUntil.Equal(order.TicketBy) {
			t.Fatalf("price until %s; want the ticketing deadline, %s", order.PriceUntil, order.TicketBy)
		}
		c.now = order.TicketBy.Add(-time.Second)
		if _, err := c.Issue(t.Context(), order.ID, order.Price.Total); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("the price of a hold that ends during the day is guaranteed to its end", func(t *testing.T) {
		c := open(t)
		order := c.hold(t, "r1", c.offer(t, between("MNL", "AMS", "2026-11-03"), brand("Marine")))
		if !order.PriceUntil.Equal(order.TicketBy) || order.TicketBy.Sub(c.now) > 2*time.Hour {
			t.Fatalf("price until %s, ticket by %s at %s", order.PriceUntil, order.TicketBy, c.now)
		}
	})
	t.Run("in the last minute of a day the next one counts", func(t *testing.T) {
		c := open(t)
		c.now = midnight.Add(-30 * time.Second)
		order := c.hold(t, "r1", c.offer(t, in30days, brand("Flex")))
		if want := midnight.Add(24*time.Hour - time.Minute); !order.PriceUntil.Equal(want) {
			t.Fatalf("price until %s; want %s", order.PriceUntil, want)
		}
	})
	t.Run("a hold lapses at its exact instant", func(t *testing.T) {
		c := open(t)
		order := c.hold(t, "r1", c.offer(t, in30days, brand("Marine")))
		for at, want := range map[time.Time]flight.Status{order.HoldUntil.Add(-time.Nanosecond): flight.Held,
			order.HoldUntil: flight.Lapsed} {
			c.now = at
			if got, err := c.Order(t.Context(), order.ID); err != nil || got.Status != want {
				t.Errorf("at %s: %s, %v; want %s", at, got.Status, err, want)
			}
		}
	})
}

// sameAs reports whether two offers have the same flights.
func sameAs(a, b flight.Offer) bool {
	if len(a.Itinerary.Segments) != len(b.Itinerary.Segments) {
		return false
	}
	for i, seg := range a.Itinerary.Segments {
		if other := b.Itinerary.Segments[i]; seg.FlightNumber != other.FlightNumber ||
			!seg.Departure.Equal(other.Departure) {
			return false
		}
	}
	return true
}
