package book

import (
	"context"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Rights are what the buyer of an order may have instead of a change by the airline.
type Rights struct {
	Cancel flight.CancelQuote
	Others []flight.ChangeOffer // other flights on the days of those that were booked
}

// RightsOf returns what a person may have instead of the airline's change of a booking.
func (d *Desk) RightsOf(ctx context.Context, in store.Scoped, b gangway.Booking) (r Rights, err error) {
	supplier, err := d.suppliers(ctx, in, b.Supplier)
	if err != nil {
		return r, err
	}
	if r.Cancel, err = supplier.QuoteCancel(ctx, b.Order); err != nil {
		return r, err
	}
	between, err := flight.LegsOf(legsOf(b.Itinerary))
	if err != nil {
		return r, err
	}
	found, err := supplier.FindChanges(ctx, b.Order, between)
	if refused(err) { // then there are no others
		return r, nil
	}
	if err != nil {
		return r, err
	}
	account, err := in.Account(ctx)
	for _, o := range found {
		if maySellChange(account, b, o) == nil {
			r.Others = append(r.Others, o)
		}
	}
	return r, err
}

// RejectChange rejects the airline's change of a booking, which keeps its flights as they were: notice is the change
// that the person has seen. Conflict: the airline has changed them again.
func (d *Desk) RejectChange(ctx context.Context, in store.Scoped, by gangway.User, id,
	notice string) (gangway.Booking, error) {
	return in.UpdateBooking(ctx, id, "", func(b *gangway.Booking) (gangway.Action, error) {
		if b.Change == nil || !b.Change.ByAirline || b.Change.Offer != notice {
			return gangway.Action{}, gangway.Errorf(gangway.Conflict, "the airline's change of booking %s is another "+
				"one now: look at it again", b.Locator)
		}
		return d.noted(b, gangway.AbandonChange, by, keptFlights, gangway.Booking{}, d.now(in),
			func(b *gangway.Booking, _ gangway.Action) { keepFlights(b) })
	})
}
