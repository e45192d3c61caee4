package app_test

import (
	"context"

	"gangway/internal/book/flight"
)

// A gated supplier searches and holds no sooner than a test lets it: what a page
// shows meanwhile can be looked at, however busy the machine is.
type gated struct {
	flight.Supplier
	flight.Scout
	gate gate
}

// A gate lets through as many calls as it was told to.
type gate chan struct{}

func newGate() gate { return make(gate, 1000) }

// pass lets n more calls through.
func (g gate) pass(n int) {
	for range n {
		g <- struct{}{}
	}
}

func (g gate) wait(ctx context.Context) error {
	select {
	case <-g:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s gated) Search(ctx context.Context, ask flight.Ask, found func([]flight.Offer)) error {
	if err := s.gate.wait(ctx); err != nil {
		return err
	}
	return s.Supplier.Search(ctx, ask, found)
}

func (s gated) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	if err := s.gate.wait(ctx); err != nil {
		return flight.Order{}, err
	}
	return s.Supplier.Hold(ctx, ask)
}
