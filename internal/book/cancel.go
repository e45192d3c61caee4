package book

import (
	"context"
	"encoding/json"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// QuoteCancel says what would be refunded if a booking were cancelled now.
func (d *Desk) QuoteCancel(ctx context.Context, in store.Scoped, id string) (flight.CancelQuote, error) {
	b, err := in.Booking(ctx, id)
	if err != nil {
		return flight.CancelQuote{}, err
	}
	if !b.Can(gangway.Cancel) {
		_, err := b.Move(gangway.Cancel, "", d.now(in))
		return flight.CancelQuote{}, err
	}
	supplier, err := d.suppliers(ctx, in, b.Supplier)
	if err != nil {
		return flight.CancelQuote{}, err
	}
	return supplier.QuoteCancel(ctx, b.Order)
}

// Cancel cancels a booking on the terms of a quote. It becomes refund_pending if there is money to
// refund, and otherwise cancelled.
func (d *Desk) Cancel(ctx context.Context, in store.Scoped, by gangway.User, id,
	quote string) (gangway.Booking, error) {
	return d.cancel(ctx, in, by, NewID(), id, quote, "")
}

// cancel is Cancel under the identifier of an intent. why is for the history.
func (d *Desk) cancel(ctx context.Context, in store.Scoped, by gangway.User, asked, id, quote,
	why string) (gangway.Booking, error) {
	_, supplier, err := d.supplierOf(ctx, in, id)
	if err != nil {
		return gangway.Booking{}, err
	}
	intent, b, err := d.begin(ctx, in, toCancel, asked, by.Email, id, gangway.Cancel, intentDetails{Why: why},
		func(gangway.Booking) error {
			return nil
		})
	if err != nil {
		return gangway.Booking{}, err
	}
	order, err := d.ask(ctx, in, intent.ID, func(ctx context.Context) (flight.Order, error) {
		return supplier.Cancel(ctx, b.Order, quote)
	})
	return d.withdrawn(ctx, in, intent, order, err)
}

// withdrawn applies the supplier's answer to a cancellation to the booking.
func (d *Desk) withdrawn(ctx context.Context, in store.Scoped, intent store.Intent, order flight.Order,
	err error) (gangway.Booking, error) {
	if err := d.certain(ctx, in, intent, order, err); err != nil {
		return gangway.Booking{}, err
	}
	if isLive(order) {
		return gangway.Booking{}, d.giveUp(ctx, in, intent, gangway.Errorf(gangway.Conflict,
			"the airline did not cancel; the booking stands as it was"))
	}
	var e intentDetails
	if err := json.Unmarshal(intent.Doc, &e); err != nil {
		return gangway.Booking{}, err
	}
	return d.done(ctx, in, intent, order, orderOutcome{event: cancelEvent(order), why: e.Why})
}

// cancelEvent returns the event by which a user cancels the booking of an order.
func cancelEvent(order flight.Order) gangway.Event {
	if toCome(order) {
		return gangway.CancelForRefund
	}
	return gangway.Cancel
}

// saidMore reports whether a supplier says something new about a refund that has not been paid yet.
func saidMore(b gangway.Booking, order flight.Order) bool {
	was, is := b.Refund, order.Refund
	return is != nil && (was == nil || was.Unknown != is.Unknown || was.Amount != is.Amount)
}
