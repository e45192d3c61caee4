package main

import (
	"context"
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/manual"
	"gangway/internal/book/flight/sim"
	"gangway/internal/store"
)

// suppliers are all who sell flights, to any account.
type suppliers struct {
	network *sim.Network
	now     func() time.Time
}

// of returns the supplier of a name as an account sees it; without a name the
// one that the account books with.
func (s suppliers) of(ctx context.Context, in store.Scoped, name string) (flight.Supplier, error) {
	account, err := in.Account(ctx)
	if err != nil {
		return nil, err
	}
	if name == "" {
		name = account.Settings.Supplier
	}
	switch name {
	case "", sim.Name:
		return s.network.For(in.Ledger(), account.Settings.Disruptions), nil
	case manual.Name:
		return manual.New(in.Ledger(), nil, s.now), nil
	}
	return nil, gangway.Errorf(gangway.Unavailable, "this service has no supplier called %q", name)
}
