package book

import (
	"context"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Disrupt has the airline disrupt the first flight of a booking that it can, where its supplier lets itself be told
// so, and follows what comes of it. Conflict: it cannot.
func (d *Desk) Disrupt(ctx context.Context, in store.Scoped, b gangway.Booking, what gangway.Disruption) error {
	if b.Sample() {
		return gangway.Errorf(gangway.Conflict, "booking %s is a sample: it was made up, and nothing can be done "+
			"with it", b.Locator)
	}
	if b.State == gangway.ChangePending {
		return gangway.Errorf(gangway.Conflict, "booking %s waits for an answer to a change already: answer that first",
			b.Locator)
	}
	supplier, err := d.suppliers(ctx, in, b.Supplier)
	if err != nil {
		return err
	}
	told, ok := supplier.(flight.Disrupter)
	if !ok {
		return gangway.Errorf(gangway.Conflict, "booking %s was not sold by the simulated network: nobody can disrupt "+
			"its flights", b.Locator)
	}
	if err := told.Disrupt(ctx, b.Order, what); err != nil {
		return err
	}
	return d.Attend(ctx, in, b.ID)
}
