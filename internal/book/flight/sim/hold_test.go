package sim_test

import (
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim"
)

// TestOffersCanBeHeld holds that whatever a search returns can be held at its
// price for as long as it is valid, by an account that has bought before.
func TestOffersCanBeHeld(t *testing.T) {
	c := open(t)
	begin, holds := c.now, 0
	rapid.Check(t, func(rt *rapid.T) {
		c.now = begin.AddDate(0, 0, rapid.SampledFrom([]int{0, 0, 240}).Draw(rt, "days on"))
		ask := sim.DrawAsk(rt, c.now)
		if rapid.IntRange(0, 4).Draw(rt, "soon") == 0 {
			ask.Legs[0].Date, ask.Legs[0].ArriveOn, ask.Legs[0].ArriveBy = gangway.DateOf(c.now), "", ""
		}
		ask.Cabin = rapid.SampledFrom([]gangway.Cabin{"", gangway.Economy, gangway.Business}).Draw(rt, "cabin")
		ask.Currency = rapid.SampledFrom([]string{"", "EUR", "JPY", "KWD"}).Draw(rt, "currency")
		var offers []flight.Offer
		if err := c.Search(t.Context(), ask, func(o []flight.Offer) { offers = append(offers, o...) }); err != nil {
			rt.Fatalf("Search(%+v) = %v", ask, err)
		}
		if len(offers) == 0 {
			return
		}
		o := rapid.SampledFrom(offers).Draw(rt, "offer")
		c.now = c.now.Add(time.Duration(rapid.Int64Range(0, int64(o.Expires.Sub(c.now))-1).Draw(rt, "later")))
		holds++
		order, err := c.Hold(t.Context(), flight.HoldAsk{
			Reference: "r" + strconv.Itoa(holds), Offer: o.ID, Price: o.Price.Total, Passenger: passenger, Vessel: "Nordlys", Flag: "NO",
		})
		if err != nil || order.Status != flight.Held || order.Price != o.Price || len(order.Itinerary.Segments) != len(o.Itinerary.Segments) {
			rt.Fatalf("Hold(%s) at %s, valid until %s = %s for %s, %v; want it held for %s", o.ID, c.now, o.Expires, order.Status, order.Price.Total, err, o.Price.Total)
		}
	})
	if holds < 30 {
		t.Errorf("%d offers were held; want more", holds)
	}
}
