package book

import (
	"context"

	"gangway"
	"gangway/internal/store"
)

// SetNoShow says that a booking's traveller did not fly, or takes it back.
func (d *Desk) SetNoShow(ctx context.Context, in store.Scoped, by gangway.User, id string,
	missed bool) (gangway.Booking, error) {
	return d.write(ctx, in, by, id, func(b *gangway.Booking, s gangway.Stamp) error { return b.SetNoShow(missed, s) })
}

// AddInvoices enters the numbers of invoices for a booking, separated by commas.
func (d *Desk) AddInvoices(ctx context.Context, in store.Scoped, by gangway.User, id,
	numbers string) (gangway.Booking, error) {
	return d.write(ctx, in, by, id, func(b *gangway.Booking, s gangway.Stamp) error {
		return b.AddInvoices(numbers, s)
	})
}

// RemoveInvoice takes back the number of an invoice.
func (d *Desk) RemoveInvoice(ctx context.Context, in store.Scoped, by gangway.User, id,
	number string) (gangway.Booking, error) {
	return d.write(ctx, in, by, id, func(b *gangway.Booking, s gangway.Stamp) error {
		return b.RemoveInvoice(number, s)
	})
}

// write enters something about a booking that happens to nobody: there is no
// action, and nothing is delivered.
func (d *Desk) write(ctx context.Context, in store.Scoped, by gangway.User, id string, enter func(*gangway.Booking,
	gangway.Stamp) error) (gangway.Booking, error) {
	return in.UpdateBooking(ctx, id, "", func(b *gangway.Booking) (gangway.Action, error) {
		return gangway.Action{}, enter(b, gangway.StampOf(by, d.now()))
	})
}
