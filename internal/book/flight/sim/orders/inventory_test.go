package orders_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim"
	"gangway/internal/book/flight/sim/orders"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// openOn returns a counter on a given database.
func openOn(t *testing.T, db *store.DB) *counter {
	t.Helper()
	c := &counter{now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC),
		ledger: db.In(storetest.Account(t, db).Scope()).Ledger()}
	c.Supplier = c.process(t)
	return c
}

// process returns the network as another process sells it to the same account.
func (c *counter) process(t *testing.T) flight.Supplier {
	t.Helper()
	network, err := sim.New(sim.Config{Now: func() time.Time { return c.now }})
	if err != nil {
		t.Fatal(err)
	}
	return network.For(c.ledger, 0)
}

// offers returns all offers of a search.
func (c *counter) offers(t *testing.T, ask flight.Ask) []flight.Offer {
	t.Helper()
	var offers []flight.Offer
	if err := c.Search(t.Context(), ask, func(o []flight.Offer) { offers = append(offers, o...) }); err != nil {
		t.Fatal(err)
	}
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
		if _, err := c.Hold(t.Context(), ask("late", o)); gangway.KindOf(err) != gangway.Conflict {
			t.Fatalf("Hold = %v; want Conflict", err)
		}
		if _, err := c.Price(t.Context(), o.ID); gangway.KindOf(err) != gangway.Conflict {
			t.Fatalf("Price = %v; want Conflict", err)
		}
		if _, err := c.Find(t.Context(), "late"); gangway.KindOf(err) != gangway.NotFound {
			t.Fatalf("Find after a refused hold = %v; want NotFound", err)
		}
	})
	t.Run("another account has seats of its own", func(t *testing.T) {
		db := storetest.New(t)
		prod, dev := storetest.Accounts(t, db)
		c, other := open(t), open(t)
		c.ledger, other.ledger = db.In(prod.Scope()).Ledger(), db.In(dev.Scope()).Ledger()
		c.Supplier, other.Supplier = c.process(t), other.process(t)
		o := tightest(t, c)
		c.hold(t, "r1", o)
		if p, ok := other.again(t, o); !ok || p.SeatsLeft != o.SeatsLeft || p.Price != o.Price {
			t.Fatalf("%d seats for %s; want %d for %s", p.SeatsLeft, p.Price.Total, o.SeatsLeft, o.Price.Total)
		}
	})
	t.Run("a lapsed hold, a cancellation and a change release them; tickets keep them", func(t *testing.T) {
		c := open(t)
		o := tightest(t, c)
		want := func(what string, n int) {
			t.Helper()
			if p, _ := c.again(t, o); p.SeatsLeft != o.SeatsLeft-n {
				t.Fatalf("%s: %d seats; want %d less than %d", what, p.SeatsLeft, n, o.SeatsLeft)
			}
		}
		held := c.hold(t, "r1", o)
		want("held", 1)
		ticketed := c.ticket(t, "r2", must(c.again(t, o)))
		want("ticketed", 2)
		c.now = held.HoldUntil.Add(-time.Nanosecond)
		want("just before the hold ends", 2)
		c.now = held.HoldUntil
		want("after the end of the hold", 1)
		if _, err := c.Cancel(t.Context(), ticketed.ID, c.quote(t, ticketed).ID); err != nil {
			t.Fatal(err)
		}
		want("cancelled", 0)
		moved := c.ticket(t, "r3", must(c.again(t, o)))
		want("ticketed again", 1)
		if got := c.seats(t, moved.ID); !slices.Equal(got, flown(moved.Itinerary)) {
			t.Fatalf("seats on %q; want %q", got, flown(moved.Itinerary))
		}
		changes, err := c.FindChanges(t.Context(), moved.ID,
			nonStop(gangway.DateOf(o.Itinerary.Departure()).AddDays(3)).Legs)
		if err != nil || len(changes) == 0 {
			t.Fatalf("FindChanges = %d, %v", len(changes), err)
		}
		moved, err = c.Change(t.Context(), moved.ID, changes[0].ID)
		if got := c.seats(t, moved.ID); err != nil || !slices.Equal(got, flown(moved.Itinerary)) {
			t.Fatalf("Change: seats on %q, %v; want %q", got, err, flown(moved.Itinerary))
		}
		want("changed", 0)
	})
	t.Run("an offer keeps its price whatever is booked, in every process", func(t *testing.T) {
		c := open(t)
		o := tightest(t, c)
		for i := range o.SeatsLeft - 1 {
			c.hold(t, fmt.Sprint("r", i), must(c.again(t, o)))
			p := must(c.again(t, o))
			if p.Price.Total.Minor < o.Price.Total.Minor {
				t.Fatalf("%s for %s after %d bookings; want no less than %s", p.ID, p.Price.Total, i+1, o.Price.Total)
			}
		}
		for _, s := range []flight.Supplier{c.Supplier, c.process(t)} {
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

func must(o flight.Offer, ok bool) flight.Offer {
	if !ok {
		panic("the flight is no longer offered")
	}
	return o
}

// As long as an offer lives it can be held at its price, near departure and far from it, even where
// airlines change flights.
func TestEveryOfferCanBeHeld(t *testing.T) {
	c := open(t)
	began, n := c.now, 0
	network, err := sim.New(sim.Config{Now: func() time.Time { return c.now }})
	if err != nil {
		t.Fatal(err)
	}
	places := []gangway.Airport{"MNL", "AMS", "LHR", "SIN", "BOM", "IAH", "STN", "DUB"}
	rapid.Check(t, func(rt *rapid.T) {
		c.now = began.Add(time.Duration(rapid.IntRange(0, 100_000).Draw(rt, "minutes")) * time.Minute)
		c.Supplier = network.For(c.ledger, rapid.Int64Range(0, 3).Draw(rt, "seed"))
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

// Forty people who want seats on one flight at once, in several processes, get them if there are enough;
// otherwise exactly as many get one as there are.
func TestCrewOnOneFlight(t *testing.T) {
	rush := func(t *testing.T, c *counter, o flight.Offer) (held int) {
		t.Helper()
		processes := []flight.Supplier{c.Supplier, c.process(t), c.process(t)}
		var wait sync.WaitGroup
		var mu sync.Mutex
		for i := range 40 {
			wait.Go(func() {
				order, err := processes[i%len(processes)].Hold(context.WithoutCancel(t.Context()),
					ask(fmt.Sprint("r", i), o))
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil && order.Status == flight.Held:
					held++
				case gangway.KindOf(err) != gangway.Conflict:
					t.Errorf("Hold = %s, %v; want it held or refused", order.Status, err)
				case !strings.Contains(err.Error(), "the last seat"):
					t.Errorf("Hold = %v; want it refused only for lack of seats", err)
				}
			})
		}
		wait.Wait()
		return held
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := openOn(t, db)
		tight := tightest(t, c)
		if held := rush(t, c, tight); held != tight.SeatsLeft {
			t.Errorf("%d of %d seats were held", held, tight.SeatsLeft)
		}
	})
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := openOn(t, db)
		offers := c.offers(t, nonStop("2027-01-20"))
		i := slices.IndexFunc(offers, func(o flight.Offer) bool {
			return o.Terms.Brand == "Marine" &&
				orders.FreeSeats(t, o.ID) >= 40
		})
		if i < 0 {
			t.Fatal("no flight has forty seats")
		}
		if held := rush(t, c, offers[i]); held != 40 {
			t.Errorf("%d were held; want all forty", held)
		}
	})
}
