package orders_test

import (
	"slices"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A counter sells the network's flights to one account, with a clock of its own.
type counter struct {
	flight.Supplier
	now    time.Time
	ledger store.Ledger
}

func open(t *testing.T) *counter {
	t.Helper()
	return openOn(t, storetest.New(t))
}

// openOn returns a counter on a given database.
func openOn(t *testing.T, db *store.DB) *counter {
	t.Helper()
	c := &counter{now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC),
		ledger: db.In(storetest.Account(t, db).Scope()).Ledger()}
	c.Supplier = c.account(t).For(0)
	return c
}

// account returns the network as another process sells it to the counter's account, whose seed can be set.
func (c *counter) account(t *testing.T) *simtest.Account {
	t.Helper()
	network := must(sim.New(sim.Config{Now: func() time.Time { return c.now }}))(t)
	a := &simtest.Account{For: func(seed int64) flight.Supplier { return network.For(c.ledger, seed) }}
	a.Supplier = a.For(0)
	return a
}

var (
	passenger = gangway.Traveller{LastName: "Santos", FirstName: "Maria"}
	toWork    = between("MNL", "AMS", "2026-12-10")
)

// between is a leg on a day.
func between(from, to gangway.Airport, on gangway.Date) flight.Leg {
	return flight.Leg{From: []flight.End{{Airport: from}}, To: []flight.End{{Airport: to}}, Date: on}
}

// offer returns the first offer that fits.
func (c *counter) offer(t *testing.T, leg flight.Leg, fits func(flight.Offer) bool) flight.Offer {
	t.Helper()
	offers := c.offers(t, flight.Ask{Legs: []flight.Leg{leg}, Vessel: "Nordlys", Flag: "NO", MaxStops: -1})
	i := slices.IndexFunc(offers, fits)
	if i < 0 {
		t.Fatalf("none of %d offers fits", len(offers))
	}
	return offers[i]
}

// brand fits offers of a brand whose connections survive a small delay.
func brand(name string) func(flight.Offer) bool {
	return func(o flight.Offer) bool {
		for _, leg := range o.Itinerary.Legs() {
			for i := range leg[1:] {
				if leg[i+1].Departure.Sub(leg[i].Arrival) < 100*time.Minute {
					return false
				}
			}
		}
		return o.Terms.Brand == name && len(o.Itinerary.Segments) > 1
	}
}

func (c *counter) hold(t *testing.T, reference string, o flight.Offer) flight.Order {
	t.Helper()
	return must(c.Hold(t.Context(), ask(reference, o)))(t)
}

func ask(reference string, o flight.Offer) flight.HoldAsk {
	return flight.HoldAsk{Reference: reference, Offer: o.ID, Price: o.Price.Total, Passenger: passenger,
		Vessel: "Nordlys", Flag: "NO"}
}

func (c *counter) ticket(t *testing.T, reference string, o flight.Offer) flight.Order {
	t.Helper()
	return c.issue(t, c.hold(t, reference, o))
}

func (c *counter) quote(t *testing.T, order flight.Order) flight.CancelQuote {
	t.Helper()
	return must(c.QuoteCancel(t.Context(), order.ID))(t)
}

func (c *counter) issue(t *testing.T, order flight.Order) flight.Order {
	t.Helper()
	return must(c.Issue(t.Context(), order.ID, order.Price.Total))(t)
}
