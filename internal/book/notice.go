package book

import (
	"context"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/store"
)

// heed lets a booking follow what its airline has changed by itself: it waits,
// as with any change, for a person to take the airline's offer or to leave it.
// Times that moved a little are taken at once.
//
// Decided: docs/choices.md, "States and actions".
func (d *Desk) heed(ctx context.Context, in store.Scoped, b gangway.Booking, n flight.Notice) error {
	_, err := d.moveWhy(ctx, in, b.ID, "", gangway.AskChange, gangway.System, n.Why, func(now *gangway.Booking) {
		now.Change = &gangway.PendingChange{
			Was: b.State, Offer: n.ID, Itinerary: n.Itinerary, NewPrice: now.Price, Due: gangway.Money{Currency: now.Price.Total.Currency},
			ByAirline: true, Why: n.Why, AskedBy: gangway.System, AskedAt: d.now(),
		}
		now.Notice = &gangway.Notice{ID: n.ID, Why: n.Why, At: n.At}
	})
	if err != nil || !n.Minor {
		return err
	}
	_, err = d.confirmChange(ctx, in, gangway.System, b.ID)
	return err
}

// news reports whether a booking has not heard of what its airline says.
func news(b gangway.Booking, n *flight.Notice) bool {
	return n != nil && b.Can(gangway.AskChange) && (b.Notice == nil || b.Notice.ID != n.ID)
}

// attendNotice looks after a booking whose airline waits for an answer.
func (d *Desk) attendNotice(ctx context.Context, in store.Scoped, b gangway.Booking, order flight.Order) error {
	switch {
	case order.Status != flight.Held && order.Status != flight.Ticketed:
		_, err := d.abandon(ctx, in, b.ID, gangway.System, "the airline no longer holds the booking")
		return err
	case order.Notice == nil:
		// Answered without our knowing: at the supplier's own desk.
		_, err := d.move(ctx, in, b.ID, "", gangway.CompleteChange, gangway.System, func(b *gangway.Booking) {
			take(b, order)
			b.Notice.Answered, b.Change = true, nil
		})
		return err
	case order.Notice.ID != b.Change.Offer:
		_, err := d.abandon(ctx, in, b.ID, gangway.System, "the airline has changed its flights once more")
		return err
	}
	return in.CheckBookingAt(ctx, b.ID, b.NextCheck(gangway.Settings{}, d.now()))
}

// Nudge has the bookings of a supplier's order looked at soon: the supplier
// said that something happened to it.
func (d *Desk) Nudge(ctx context.Context, in store.Scoped, supplier, order string) error {
	return in.CheckOrderAt(ctx, supplier, order, d.now())
}
