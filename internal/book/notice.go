package book

import (
	"context"
	"errors"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// takeOver applies a change that the airline made by itself: the booking waits, as
// with any change, for a person to accept the airline's offer or to decline it.
// Small changes of times are accepted at once.
//
// Decided: docs/choices.md, "States and actions".
func (d *Desk) takeOver(ctx context.Context, in store.Scoped, seen gangway.Booking,
	n flight.Notice) (gangway.Booking, error) {
	b, err := in.UpdateBooking(ctx, seen.ID, "", func(b *gangway.Booking) (gangway.Action, error) {
		if b.Version != seen.Version {
			return gangway.Action{}, errStale
		}
		return d.notice(b, n, seen, d.now(in))
	})
	if err != nil || !n.Minor {
		return b, err
	}
	done, err := d.confirmChange(ctx, in, gangway.System, NewID(), b.ID, n.ID, nil)
	if refused(err) || gangway.KindOf(err) == gangway.Unavailable && !errors.Is(err, store.ErrAway) {
		return b, nil // the refusal was applied, or the intent is being followed up
	}
	return done, err
}

// notice lets b wait for the answer to a change by the airline.
func (d *Desk) notice(b *gangway.Booking, n flight.Notice, seen gangway.Booking,
	now time.Time) (gangway.Action, error) {
	was := b.State
	note := func(b *gangway.Booking, a gangway.Action) {
		b.Change = &gangway.PendingChange{
			Was: was, Offer: n.ID, Itinerary: n.Itinerary, NewPrice: b.Price,
			Due:       gangway.Money{Currency: b.Price.Total.Currency},
			ByAirline: true, Why: n.Why, AskedBy: gangway.System, AskedAt: a.At,
		}
		b.Notice = &gangway.Notice{ID: n.ID, Why: n.Why, At: n.At}
	}
	return d.noted(b, gangway.AskChange, gangway.User{Email: gangway.System}, n.Why, seen, now, note)
}

// isNewNotice reports whether b does not know about the airline's change yet.
func isNewNotice(b gangway.Booking, n *flight.Notice) bool {
	return n != nil && b.Can(gangway.AskChange) && (b.Notice == nil || b.Notice.ID != n.ID)
}

// LookAtOrder has the bookings of an order checked soon, because its supplier reported an event.
func (d *Desk) LookAtOrder(ctx context.Context, in store.Scoped, supplier, order string) error {
	return in.LookAtOrder(ctx, supplier, order, d.now(in))
}
