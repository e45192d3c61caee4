// Package sim is an invented airline network: real airports and airlines, with a
// timetable of our own. It sells, holds, tickets, changes and refunds like airlines do,
// and nobody ever flies.
//
// It keeps no hidden state: the timetable follows from a list of routes, prices follow
// from flights and dates, and orders are in a ledger. So any number of processes can
// sell side by side, and one that dies does no harm. The time comes from the given clock.
//
// Its rooms, each using only those before it: timetable is what is flown, tariff what
// that costs, search finds the journeys worth offering, and orders sells them to an
// account. This package makes a flight.Supplier of them.
package sim

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/orders"
	"gangway/internal/book/flight/sim/search"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// A Config is what a Network needs.
type Config struct {
	Now   func() time.Time
	Delay time.Duration // how long every call takes that changes an order, for crash tests

	Factors *world.Factors // for estimating emissions; nil: those embedded in the program
}

// A Network sells the flights of all airlines.
type Network struct {
	finder *search.Finder
	now    func() time.Time
	delay  time.Duration
}

// New returns the network. Building the timetable takes a fraction of a second, once in
// a process.
func New(c Config) (*Network, error) {
	t, err := timetable.Load()
	if err != nil {
		return nil, fmt.Errorf("build the simulated timetable: %w", err)
	}
	prices := tariff.New(t, cmp.Or(c.Factors, world.DefaultFactors()))
	return &Network{finder: search.New(prices), now: c.Now, delay: c.Delay}, nil
}

// For returns the network for the account whose orders are in ledger. With a seed other
// than zero, airlines cancel, delay and retime some of its flights.
func (n *Network) For(ledger flight.Ledger, disruptions int64) flight.Supplier {
	return orders.New(n.finder, n.slowed(ledger), disruptions, n.now)
}

// Sandbox returns the network for a development account, whose clock is ahead of real time: otherwise as For
// does, but it knows magic travellers and can be told to disrupt flights.
func (n *Network) Sandbox(ledger flight.Ledger, disruptions int64, ahead time.Duration) *Sandbox {
	now := func() time.Time { return n.now().Add(ahead) }
	return &Sandbox{orders.New(n.finder, n.slowed(ledger), disruptions, now).Sandbox()}
}

// A Sandbox is the network for an account that plays with it.
type Sandbox struct{ *orders.Seller }

// Disrupt has an airline disrupt the first flight of an order that it can.
func (s *Sandbox) Disrupt(ctx context.Context, order string, d gangway.Disruption) error {
	return s.Strike(ctx, order, d)
}

// slowed returns a ledger that takes the network's delay for writing.
func (n *Network) slowed(ledger flight.Ledger) flight.Ledger {
	if n.delay <= 0 {
		return ledger
	}
	return slowLedger{ledger, n.delay}
}

// A slowLedger writes half of a delay after it is asked to, and says so after the other half, so that a process can
// be killed before what a call does and after it.
type slowLedger struct {
	flight.Ledger
	delay time.Duration
}

func (l slowLedger) Save(ctx context.Context, docs ...gangway.Document) error {
	if err := l.wait(ctx); err != nil {
		return err
	}
	if err := l.Ledger.Save(ctx, docs...); err != nil {
		return err
	}
	return l.wait(ctx)
}

func (l slowLedger) wait(ctx context.Context) error {
	select {
	case <-time.After(l.delay / 2):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Name is the supplier's name as stored with bookings.
const Name = orders.Name

// CheckCurrency returns Invalid unless the network has prices in a currency, ISO 4217.
func CheckCurrency(code string) error {
	if !tariff.HasRate(code) {
		return gangway.Errorf(gangway.Invalid, "the simulated network has no prices in %q", code)
	}
	return nil
}

// CurrencyOf returns the currency of prices for an account that asks for one, or for none.
func CurrencyOf(asked string) string { return tariff.CurrencyOf(asked) }

// Currencies are those in which the network has prices.
func Currencies() []string { return tariff.Currencies() }
