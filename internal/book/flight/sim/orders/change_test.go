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
