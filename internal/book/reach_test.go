package book_test

import (
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/store/storetest"
)

func TestReach(t *testing.T) {
	c := open(t, storetest.New(t))
	c.supplier = c.line.Supplier // which tells who can get there
	if _, ok := c.supplier.(flight.Scout); !ok {
		t.Fatal("the simulated network does not say who can get there")
	}
	s := c.search(t, 2)
	s.Members[1].Legs = nil
	reach, err := c.Reach(t.Context(), c.in, s)
	if err != nil || len(reach) != 2 || !reach[0].Known || !reach[0].OK || reach[1].Known {
		t.Fatalf("Reach = %+v, %v; want the first member to get there, and nothing about the second", reach, err)
	}
	for _, o := range c.offers(t, c.search(t, 1), 0) {
		if o.Itinerary.Departure().After(reach[0].Departure) {
			t.Errorf("an offer leaves %s; the latest was said to be %s", o.Itinerary.Departure(), reach[0].Departure)
		}
	}
}
