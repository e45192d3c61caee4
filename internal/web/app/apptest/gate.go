package apptest

import (
	"context"

	"gangway/internal/book/flight"
)

// A gated supplier searches and holds only when a test lets it, so that the test can look at what a
// page shows meanwhile, however busy the machine is.
type gated struct {
	flight.Supplier
	flight.Scout
	Gate Gate
}

// A Gate lets as many calls pass as it was told to.
type Gate chan struct{}

// NewGate is a gate that nobody may pass yet.
func NewGate() Gate { return make(Gate, 1000) }

// Pass lets n more calls through.
func (g Gate) Pass(n int) {
	for range n {
		g <- struct{}{}
	}
}

func (g Gate) wait(ctx context.Context) error {
	select {
	case <-g:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s gated) Search(ctx context.Context, ask flight.Ask, found func([]flight.Offer)) error {
	if err := s.Gate.wait(ctx); err != nil {
		return err
	}
	return s.Supplier.Search(ctx, ask, found)
}

func (s gated) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	if err := s.Gate.wait(ctx); err != nil {
		return flight.Order{}, err
	}
	return s.Supplier.Hold(ctx, ask)
}
