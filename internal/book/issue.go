package book

import (
	"context"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/store"
)

// Issue pays for a confirmed booking and has its tickets issued. price is what
// the user agreed to. Conflict: the booking's state does not allow it, its
// price is another, or the airline refuses.
func (d *Desk) Issue(ctx context.Context, in store.Scoped, by gangway.User, id string, price gangway.Money) (gangway.Booking, error) {
	return d.issue(ctx, in, by.Email, id, price)
}

func (d *Desk) issue(ctx context.Context, in store.Scoped, by, id string, price gangway.Money) (gangway.Booking, error) {
	intent, b, err := d.begin(ctx, in, toIssue, by, id, gangway.Issue, errand{}, func(b gangway.Booking) error {
		if b.Price.Total != price {
			return gangway.Errorf(gangway.Conflict, "booking %s costs %s, not %s", b.Locator, b.Price.Total, price)
		}
		return nil
	})
	if err != nil {
		return gangway.Booking{}, err
	}
	supplier := d.suppliers(in.Scope())
	order, err := d.ask(ctx, in, intent.ID, func(ctx context.Context) (flight.Order, error) {
		return supplier.Issue(ctx, b.Order, price)
	})
	return d.issued(ctx, in, intent, order, err)
}

// issued turns the supplier's answer to an order for tickets into the move.
func (d *Desk) issued(ctx context.Context, in store.Scoped, intent store.Intent, order flight.Order, err error) (gangway.Booking, error) {
	if err := d.certain(ctx, in, intent, order, err); err != nil {
		return gangway.Booking{}, err
	}
	if order.Status != flight.Ticketed {
		return gangway.Booking{}, d.giveUp(ctx, in, intent.ID, gangway.Errorf(gangway.Conflict, "the airline did not issue the tickets; nothing was paid"))
	}
	return d.move(ctx, in, intent.Booking, intent.ID, gangway.Issue, intent.By, func(b *gangway.Booking) { take(b, order) })
}

// begin writes an intent on a booking when event may happen to it, check
// agrees, and nobody else is at work on it.
func (d *Desk) begin(ctx context.Context, in store.Scoped, kind, by, id string, event gangway.Event, e errand, check func(gangway.Booking) error) (store.Intent, gangway.Booking, error) {
	var b gangway.Booking
	intent, err := d.newIntent(kind, NewID(), id, by, e)
	if err != nil {
		return intent, b, err
	}
	err = in.BeginIntent(ctx, intent, func(now gangway.Booking) error {
		b = now
		if trial := now; !now.Can(event) {
			_, err := trial.Move(event, by, d.now())
			return err
		}
		return check(b)
	})
	return intent, b, err
}

// move lets event happen to a booking, after note has written down what came
// with it, and closes the intent that led here, if any.
func (d *Desk) move(ctx context.Context, in store.Scoped, id, intent string, event gangway.Event, by string, note func(*gangway.Booking)) (gangway.Booking, error) {
	return d.moveWhy(ctx, in, id, intent, event, by, "", note)
}

func (d *Desk) moveWhy(ctx context.Context, in store.Scoped, id, intent string, event gangway.Event, by, why string, note func(*gangway.Booking)) (gangway.Booking, error) {
	ctx = context.WithoutCancel(ctx)
	account, err := in.Account(ctx)
	if err != nil {
		return gangway.Booking{}, err
	}
	return in.UpdateBooking(ctx, id, intent, func(b *gangway.Booking) (gangway.Action, error) {
		now := d.now()
		action, err := b.Move(event, by, now)
		if err != nil {
			return action, err
		}
		action.Note = why
		note(b)
		if b.State == gangway.Cancelled || b.State == gangway.RefundPending {
			if b.CancelledAt.IsZero() {
				b.CancelledAt, b.CancelledBy = now, by
			}
		}
		b.CheckAt = b.NextCheck(account.Settings, now)
		return action, nil
	})
}
