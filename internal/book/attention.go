package book

import (
	"context"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Handled notes that a person has seen to what a booking needed one for. It fails
// with Conflict if the booking needs nobody, or nobody any more.
func (d *Desk) Handled(ctx context.Context, in store.Scoped, by gangway.User, id string) (gangway.Booking, error) {
	return in.UpdateBooking(ctx, id, "", func(b *gangway.Booking) (gangway.Action, error) {
		return gangway.Action{}, b.Handle(by.Email, d.now(in))
	})
}
