package orders_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

func TestHold(t *testing.T) {
	t.Run("every brand can be held and then ticketed, to the last second", func(t *testing.T) {
		for _, name := range []string{"Light", "Classic", "Flex", "Marine"} {
			c := open(t)
			order := c.hold(t, "r1", c.offer(t, toWork, brand(name)))
			c.now = order.TicketBy.Add(-time.Nanosecond)
			must(c.Issue(t.Context(), order.ID, order.Price.Total))(t)
			late := open(t)
			order = late.hold(t, "r1", late.offer(t, toWork, brand(name)))
			late.now = order.TicketBy
			refused(t, gangway.Conflict)(late.Issue(t.Context(), order.ID, order.Price.Total))
		}
	})
	t.Run("an incomplete hold is refused", func(t *testing.T) {
		c := open(t)
		o := c.offer(t, toWork, brand("Marine"))
		for name, spoil := range map[string]func(*flight.HoldAsk){
			"the vessel":    func(a *flight.HoldAsk) { a.Vessel = "" },
			"the flag":      func(a *flight.HoldAsk) { a.Flag = "" },
			"the name":      func(a *flight.HoldAsk) { a.Passenger.LastName = "" },
			"the reference": func(a *flight.HoldAsk) { a.Reference = "" },
		} {
			a := ask("r1", o)
			spoil(&a)
			t.Log("without", name)
			refused(t, gangway.Invalid)(c.Hold(t.Context(), a))
		}
	})
	t.Run("two orders never share a locator", func(t *testing.T) {
		c := open(t)
		o := c.offer(t, toWork, brand("Marine"))
		first := c.hold(t, "r1", o)
		// In another account the same reference gives the same locator; here it is already taken.
		other := open(t)
		done(t, other.ledger.Save(t.Context(), gangway.Document{ID: first.ID, Reference: "somebody else's",
			Doc: []byte(`{}`), Version: 1}))
		if got := other.hold(t, "r1", o); got.PNRs[0] == first.PNRs[0] || len(got.PNRs[0]) != 6 ||
			got.Reference != "r1" {
			t.Fatalf("locator %s; want another than %s", got.PNRs[0], first.PNRs[0])
		}
	})
}

func TestTickets(t *testing.T) {
	t.Run("thirteen digits: the airline's code, 999, and seven of its own", func(t *testing.T) {
		c := open(t)
		seen := map[string]bool{}
		for i := range 5 {
			o := c.offer(t, toWork, brand("Marine"))
			order := c.ticket(t, fmt.Sprint("r", i), o)
			plating, _ := world.AirlineOf(order.Plating)
			if len(order.Tickets) != 1 || len(order.Tickets[0]) != 13 ||
				!strings.HasPrefix(order.Tickets[0], plating.Numeric+"999") || seen[order.Tickets[0]] {
				t.Fatalf("tickets %q on %s; want one, %s999…", order.Tickets, order.Plating, plating.Numeric)
			}
			seen[order.Tickets[0]] = true
		}
	})
	t.Run("an airline without an accounting code issues none", func(t *testing.T) {
		c := open(t)
		o := c.offer(t, between("LGW", "GVA", "2026-12-10"), func(o flight.Offer) bool { return o.Plating == "U2" })
		if order := c.ticket(t, "r1", o); len(order.Tickets) != 0 || order.Status != flight.Ticketed ||
			len(order.PNRs) == 0 {
			t.Fatalf("%s with tickets %q and locator %q; want no tickets", order.Status, order.Tickets, order.PNRs)
		}
	})
}
