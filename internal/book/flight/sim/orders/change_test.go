package orders_test

import (
	"slices"
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

func TestChanges(t *testing.T) {
	later := []flight.Leg{between("MNL", "AMS", "2026-12-14")}
	t.Run("the difference and the fee, once ticketed", func(t *testing.T) {
		for _, name := range []string{"Classic", "Flex", "Marine"} {
			for _, ticketed := range []bool{false, true} {
				c := open(t)
				order := c.hold(t, "r1", c.offer(t, toWork, brand(name)))
				if ticketed {
					order = c.issue(t, order)
				}
				offers, err := c.FindChanges(t.Context(), order.ID, later)
				if err != nil || len(offers) == 0 {
					t.Fatalf("%s: FindChanges = %d, %v", name, len(offers), err)
				}
				for _, o := range offers {
					fee := gangway.Money{Currency: "USD"}
					if ticketed && order.Terms.Changes == gangway.PaidChange {
						fee = order.Terms.ChangeFee
					}
					due := gangway.Money{Currency: "USD"}
					if ticketed {
						due = o.Price.Flights().Sub(order.Price.Total).Add(fee)
					}
					if o.Penalty != fee || o.Due != due || o.Price.Fees.Minor != fee.Minor || o.Terms.Brand != name {
						t.Errorf("%s: %s due, penalty %s, new price %s of %s; want %s with a fee of %s",
							name, o.Due, o.Penalty, o.Price.Total, order.Price.Total, due, fee)
					}
					if ticketed && order.Terms.Cancellations != gangway.Refundable &&
						o.Price.Fare.Minor < order.Price.Fare.Minor {
						t.Errorf("%s: the fare falls from %s to %s though it is not refundable",
							name, order.Price.Fare, o.Price.Fare)
					}
				}
				changed, err := c.Change(t.Context(), order.ID, offers[0].ID)
				if err != nil || changed.Price != offers[0].Price || changed.Status != order.Status ||
					gangway.DateOf(changed.Itinerary.Departure()) != later[0].Date {
					t.Fatalf("%s: Change = %s %s, %v", name, changed.Status, changed.Price.Total, err)
				}
				if ticketed && (len(changed.Tickets) != 1 || slices.Equal(changed.Tickets, order.Tickets)) {
					t.Errorf("%s: tickets %q after %q; want a new one", name, changed.Tickets, order.Tickets)
				}
				again, err := c.Change(t.Context(), order.ID, offers[0].ID)
				if err != nil || !slices.Equal(again.Tickets, changed.Tickets) {
					t.Errorf("%s: the same change again = %q, %v; want nothing done", name, again.Tickets, err)
				}
				if _, err := c.PriceChange(t.Context(), order.ID,
					offers[len(offers)-1].ID); gangway.KindOf(err) != gangway.Conflict {
					t.Errorf("%s: PriceChange of an offer for the flights before = %v; want Conflict", name, err)
				}
			}
		}
	})
	t.Run("Light cannot be changed, and nothing once the journey has begun", func(t *testing.T) {
		c := open(t)
		order := c.ticket(t, "r1", c.offer(t, toWork, brand("Light")))
		if _, err := c.FindChanges(t.Context(), order.ID, later); gangway.KindOf(err) != gangway.Conflict {
			t.Errorf("FindChanges of Light = %v; want Conflict", err)
		}
		order = c.ticket(t, "r2", c.offer(t, toWork, brand("Flex")))
		c.now = order.Itinerary.Departure()
		if _, err := c.FindChanges(t.Context(), order.ID, later); gangway.KindOf(err) != gangway.Conflict {
			t.Errorf("FindChanges on the way = %v; want Conflict", err)
		}
	})
	t.Run("no other brand by way of a change", func(t *testing.T) {
		c := open(t)
		order := c.ticket(t, "r1", c.offer(t, toWork, brand("Flex")))
		light := c.offer(t, later[0], brand("Light"))
		if _, err := c.Change(t.Context(), order.ID, "x2-"+light.ID); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("Change to another brand = %v; want NotFound", err)
		}
	})
}
