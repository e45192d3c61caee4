package orders_test

import (
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

func TestChanges(t *testing.T) {
	later := []flight.Leg{between("MNL", "AMS", "2026-12-14")}
	t.Run("Light cannot be changed, and nothing once the journey has begun", func(t *testing.T) {
		c := open(t)
		order := c.ticket(t, "r1", c.offer(t, toWork, brand("Light")))
		refused(t, gangway.Conflict)(c.FindChanges(t.Context(), order.ID, later))
		order = c.ticket(t, "r2", c.offer(t, toWork, brand("Flex")))
		c.now = order.Itinerary.Departure()
		refused(t, gangway.Conflict)(c.FindChanges(t.Context(), order.ID, later))
	})
	t.Run("no other brand by way of a change", func(t *testing.T) {
		c := open(t)
		order := c.ticket(t, "r1", c.offer(t, toWork, brand("Flex")))
		light := c.offer(t, later[0], brand("Light"))
		refused(t, gangway.NotFound)(c.Change(t.Context(), order.ID, "x2-"+light.ID))
	})
}
