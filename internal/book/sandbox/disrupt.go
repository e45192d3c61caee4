package sandbox

import (
	"context"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/store"
)

// A disrupter is a supplier whose airlines can be told to disrupt flights.
type disrupter interface {
	Disrupt(ctx context.Context, order string, d gangway.Disruption) error
}

// Disrupt has an airline disrupt the first flight of a booking that it can, and has the desk follow. NotFound:
// there is no such booking. Conflict: it has no such flight.
func (s *Sandbox) Disrupt(ctx context.Context, in store.Scoped, by gangway.Actor, locator string,
	d gangway.Disruption) (Played, error) {
	in, err := s.open(ctx, in)
	if err != nil {
		return Played{}, err
	}
	b, err := in.BookingByLocator(ctx, locator)
	if err != nil {
		return Played{}, err
	}
	supplier, err := s.disrupterOf(ctx, in, b)
	if err != nil {
		return Played{}, err
	}
	if err := supplier.Disrupt(ctx, b.Order, d); err != nil {
		return Played{}, err
	}
	if err := in.Record(ctx, by, gangway.SandboxDisrupted, map[string]any{"disruption": string(d), "booking": b.ID,
		"locator": b.Locator}, s.now()); err != nil {
		return Played{}, err
	}
	if err := s.desk.Attend(ctx, in, b.ID); err != nil {
		return Played{}, err
	}
	return since(ctx, in, b, b.Version)
}

// disrupterOf returns who sold a booking, if that can be told to disrupt flights.
func (s *Sandbox) disrupterOf(ctx context.Context, in store.Scoped, b gangway.Booking) (disrupter, error) {
	if b.Sample() {
		return nil, gangway.Errorf(gangway.Conflict, "booking %s is a sample: nothing can be done with it", b.Locator)
	}
	var supplier flight.Supplier
	supplier, err := s.suppliers(ctx, in, b.Supplier)
	if err != nil {
		return nil, err
	}
	d, ok := supplier.(disrupter)
	if !ok {
		return nil, gangway.Errorf(gangway.Conflict, "booking %s was not sold by the simulated network: nobody can "+
			"disrupt its flights", b.Locator)
	}
	return d, nil
}
