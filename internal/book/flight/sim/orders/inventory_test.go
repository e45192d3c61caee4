package orders_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// offers returns all offers of a search.
func (c *counter) offers(t *testing.T, ask flight.Ask) []flight.Offer {
	t.Helper()
	var offers []flight.Offer
	done(t, c.Search(t.Context(), ask, func(o []flight.Offer) { offers = append(offers, o...) }))
	return offers
}

// nonStop is an ask between two big airports.
func nonStop(on gangway.Date) flight.Ask {
	return flight.Ask{Legs: []flight.Leg{between("LHR", "JFK", on)}, Vessel: "Nordlys", Flag: "NO", MaxStops: 0}
}

// tightest returns the offer with the fewest seats left, in a brand that can be held for days.
func tightest(t *testing.T, c *counter) flight.Offer {
	t.Helper()
	var best flight.Offer
	for day := range 40 {
		for _, o := range c.offers(t, nonStop(gangway.Date("2026-12-10").AddDays(day))) {
			if o.Terms.Brand == "Classic" && (best.ID == "" || o.SeatsLeft < best.SeatsLeft) {
				best = o
			}
		}
		if best.ID != "" && best.SeatsLeft < 9 {
			return best
		}
	}
	t.Fatalf("every flight has %d seats or more", best.SeatsLeft)
	return best
}

// again returns the offer for the same flights in the same brand that a search finds now.
func (c *counter) again(t *testing.T, o flight.Offer) (flight.Offer, bool) {
	t.Helper()
	for _, p := range c.offers(t, nonStop(gangway.DateOf(o.Itinerary.Departure()))) {
		same := p.Itinerary.Segments[0].FlightNumber == o.Itinerary.Segments[0].FlightNumber
		if same && p.Terms.Brand == o.Terms.Brand {
			return p, true
		}
	}
	return flight.Offer{}, false
}

func TestSeats(t *testing.T) {
	t.Run("they are sold down to the last one, by all brands together", func(t *testing.T) {
		c := open(t)
		o := tightest(t, c)
		left := o.SeatsLeft
		for i := range left {
			p, ok := c.again(t, o)
			if !ok || p.SeatsLeft != left-i {
				t.Fatalf("%d of %d sold: %d left; want one less with each", i, left, p.SeatsLeft)
			}
			c.hold(t, fmt.Sprint("r", i), p)
		}
		if p, ok := c.again(t, o); ok {
			t.Fatalf("%s is offered with %d seats; want it sold out", p.ID, p.SeatsLeft)
		}
		refused(t, gangway.Conflict)(c.Hold(t.Context(), ask("late", o)))
		refused(t, gangway.Conflict)(c.Price(t.Context(), o.ID))
		refused(t, gangway.NotFound)(c.Find(t.Context(), "late"))
	})
	t.Run("an offer keeps its price whatever is booked, in every process", func(t *testing.T) {
		c := open(t)
		o := tightest(t, c)
		for i := range o.SeatsLeft - 1 {
			now, _ := c.again(t, o)
			c.hold(t, fmt.Sprint("r", i), now)
			p, ok := c.again(t, o)
			if !ok || p.Price.Total.Minor < o.Price.Total.Minor {
				t.Fatalf("%s for %s after %d bookings; want no less than %s", p.ID, p.Price.Total, i+1, o.Price.Total)
			}
		}
		for _, s := range []flight.Supplier{c.Supplier, c.account(t)} {
			if p, err := s.Price(t.Context(), o.ID); err != nil || p.Price != o.Price || p.SeatsLeft != 1 {
				t.Fatalf("Price = %s, %d seats, %v; want %s as offered, and one seat",
					p.Price.Total, p.SeatsLeft, err, o.Price.Total)
			}
		}
		if c.hold(t, "last", o).Price != o.Price {
			t.Fatal("the last seat was held at another price than the offered one")
		}
	})
}

// seats returns the flights on which an order has a seat.
func (c *counter) seats(t *testing.T, order string) []string {
	t.Helper()
	flights := c.living(t)[order]
	slices.Sort(flights)
	return flights
}

// As long as an offer lives it can be held at its price, near departure and far from it, even where
// airlines change flights.
func TestEveryOfferCanBeHeld(t *testing.T) {
	c := open(t)
	began, n, network := c.now, 0, c.account(t)
	places := []gangway.Airport{"MNL", "AMS", "LHR", "SIN", "BOM", "IAH", "STN", "DUB"}
	rapid.Check(t, func(rt *rapid.T) {
		c.now = began.Add(time.Duration(rapid.IntRange(0, 100_000).Draw(rt, "minutes")) * time.Minute)
		c.Supplier = network.For(rapid.Int64Range(0, 3).Draw(rt, "seed"))
		from := rapid.SampledFrom(places).Draw(rt, "from")
		to := rapid.SampledFrom(places).Filter(func(a gangway.Airport) bool { return a != from }).Draw(rt, "to")
		days := rapid.SampledFrom([]int{0, 1, 2, 9, 45, 300}).Draw(rt, "days")
		offers := c.offers(t, flight.Ask{
			Legs: []flight.Leg{between(from, to, gangway.DateOf(c.now).AddDays(days))}, Vessel: "Nordlys",
			Flag: "NO", MaxStops: -1,
			Currency: rapid.SampledFrom([]string{"", "EUR", "JPY"}).Draw(rt, "currency"),
		})
		if len(offers) == 0 {
			return
		}
		o := rapid.SampledFrom(offers).Draw(rt, "offer")
		c.now = c.now.Add(time.Duration(rapid.Int64Range(0, int64(o.Expires.Sub(c.now))-1).Draw(rt, "later")))
		n++
		order, err := c.Hold(t.Context(), ask(fmt.Sprint("r", n), o))
		if err != nil || order.Price != o.Price || order.Status != flight.Held || !order.HoldUntil.After(c.now) ||
			len(order.PNRs) == 0 {
			rt.Fatalf("Hold(%s) = %s for %s until %s, %v; want it held for %s",
				o.ID, order.Status, order.Price.Total, order.HoldUntil, err, o.Price.Total)
		}
	})
}

// Of forty people who want seats on one flight at once, in several processes, exactly as many get one as there are.
func TestCrewOnOneFlight(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := openOn(t, db)
		o := tightest(t, c)
		processes := []flight.Supplier{c.Supplier, c.account(t), c.account(t)}
		var wait sync.WaitGroup
		var held atomic.Int64
		for i := range 40 {
			wait.Go(func() {
				order, err := processes[i%len(processes)].Hold(context.WithoutCancel(t.Context()),
					ask(fmt.Sprint("r", i), o))
				if err == nil && order.Status == flight.Held {
					held.Add(1)
				} else if gangway.KindOf(err) != gangway.Conflict || !strings.Contains(err.Error(), "the last seat") {
					t.Errorf("Hold = %s, %v; want it held, or refused for lack of seats", order.Status, err)
				}
			})
		}
		wait.Wait()
		if held.Load() != int64(o.SeatsLeft) {
			t.Errorf("%d of %d seats were held", held.Load(), o.SeatsLeft)
		}
	})
}
