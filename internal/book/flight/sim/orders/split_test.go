package orders_test

import (
	"fmt"
	"slices"
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/orders"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// A journey that needs two tickets is two reservations throughout, and one order.
func TestSplitJourneys(t *testing.T) {
	c := open(t)
	offers := orders.SplitOffers(t, "Flex", c.now, "2026-12-10")
	seen := map[string]bool{}
	for i, o := range offers {
		order := c.ticket(t, fmt.Sprint("r", i), o)
		if !o.Terms.Splitting || len(order.PNRs) != 2 || order.ID != "sim_"+order.PNRs[0] {
			t.Fatalf("%s: locators %q of %s; want two", o.ID, order.PNRs, order.ID)
		}
		for _, l := range order.PNRs {
			if len(l) != 6 || seen[l] {
				t.Fatalf("locator %q is malformed, or was used before", l)
			}
			seen[l] = true
		}
		var want []string // the accounting codes of both airlines
		for _, seg := range order.Itinerary.Segments {
			if a, _ := world.AirlineOf(seg.Carrier); a.Numeric != "" {
				want = append(want, a.Numeric+"999")
			}
		}
		if !slices.EqualFunc(order.Tickets, want, func(number, prefix string) bool {
			return len(number) == 13 &&
				number[:6] == prefix
		}) {
			t.Errorf("%s: tickets %q; want numbers of %q", o.ID, order.Tickets, want)
		}
		refused(t, gangway.NotFound)(c.Order(t.Context(), "sim_"+order.PNRs[1]))
	}
	t.Run("a change to flights of one airline makes it one reservation", func(t *testing.T) {
		c := open(t)
		order := c.ticket(t, "r1", offers[0])
		changes, err := c.FindChanges(t.Context(), order.ID, []flight.Leg{between("LHR", "JFK", "2026-12-20")})
		if err != nil || len(changes) == 0 {
			t.Fatalf("FindChanges = %d, %v", len(changes), err)
		}
		i := slices.IndexFunc(changes, func(o flight.ChangeOffer) bool { return len(o.Itinerary.Segments) == 1 })
		moved, err := c.Change(t.Context(), order.ID, changes[i].ID)
		if err != nil || len(moved.PNRs) != 1 || moved.PNRs[0] != order.PNRs[0] || len(moved.Tickets) > 1 ||
			moved.Terms.Splitting {
			t.Fatalf("Change: locators %q after %q, tickets %q, %v; want the first locator alone",
				moved.PNRs, order.PNRs, moved.Tickets, err)
		}
	})
}
