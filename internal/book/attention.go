package book

import (
	"cmp"
	"context"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Handled notes that a person has seen to what a booking needed one for. Where that is whether another booking ends
// whose place it takes, both stay. It fails with Conflict if the booking needs nobody, or nobody any more.
func (d *Desk) Handled(ctx context.Context, in store.Scoped, by gangway.User, id string) (gangway.Booking, error) {
	return in.UpdateBooking(ctx, id, "", func(b *gangway.Booking) (gangway.Action, error) {
		left := b.Replaces.Open() && b.Replaces.Person != ""
		why, now := "", d.now(in)
		if b.Attention != nil {
			why = b.Attention.Why
		}
		err := b.Handle(by.Email, now)
		switch {
		case err != nil || !left:
		case why == b.Replaces.Person:
			old, missing := in.Booking(ctx, b.Replaces.Booking) // its end waits for this row's lock
			if gangway.KindOf(missing) == gangway.NotFound || missing == nil && !old.Live() {
				missing = gangway.Errorf(gangway.Conflict, "%s is no longer live", b.Replaces.Locator)
			}
			if missing != nil {
				return gangway.Action{}, missing
			}
			settle(b, cmp.Or(by.Name, by.Email)+" kept both.", by.Email, now)
		default: // it was about something else, which hid that
			d.raise(b, b.Replaces.Person, now)
		}
		return gangway.Action{}, err
	})
}
