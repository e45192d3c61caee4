package book

import (
	"context"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// SetNoShow enters that a booking's traveller did not fly, or takes that back.
func (d *Desk) SetNoShow(ctx context.Context, in store.Scoped, by gangway.User, id string,
	missed bool) (gangway.Booking, error) {
	return d.write(ctx, in, by, id, func(b *gangway.Booking, s gangway.Stamp) error { return b.SetNoShow(missed, s) })
}

// AddInvoices enters invoice numbers for a booking, separated by commas.
func (d *Desk) AddInvoices(ctx context.Context, in store.Scoped, by gangway.User, id,
	numbers string) (gangway.Booking, error) {
	return d.write(ctx, in, by, id, func(b *gangway.Booking, s gangway.Stamp) error {
		return b.AddInvoices(numbers, s)
	})
}

// RemoveInvoice takes back an invoice number.
func (d *Desk) RemoveInvoice(ctx context.Context, in store.Scoped, by gangway.User, id,
	number string) (gangway.Booking, error) {
	return d.write(ctx, in, by, id, func(b *gangway.Booking, s gangway.Stamp) error {
		return b.RemoveInvoice(number, s)
	})
}

// write enters something about a booking that does not change its state: there is
// no action, and nothing is delivered.
func (d *Desk) write(ctx context.Context, in store.Scoped, by gangway.User, id string, enter func(*gangway.Booking,
	gangway.Stamp) error) (gangway.Booking, error) {
	return in.UpdateBooking(ctx, id, "", func(b *gangway.Booking) (gangway.Action, error) {
		return gangway.Action{}, enter(b, gangway.StampOf(by, d.now(in)))
	})
}
