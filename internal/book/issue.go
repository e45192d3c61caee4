package book

import (
	"cmp"
	"context"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Issue pays for a confirmed booking and has its tickets issued. price is what the
// user agreed to. It fails with Conflict if the booking's state does not allow it,
// its price differs, or the airline refuses.
func (d *Desk) Issue(ctx context.Context, in store.Scoped, by gangway.User, id string,
	price gangway.Money) (gangway.Booking, error) {
	return d.issue(ctx, in, by, NewID(), id, price)
}

// issue is Issue under the identifier of an intent.
func (d *Desk) issue(ctx context.Context, in store.Scoped, by gangway.User, asked, id string,
	price gangway.Money) (gangway.Booking, error) {
	b, err := in.Booking(ctx, id)
	if err != nil {
		return b, err
	}
	now, err := d.PriceToIssue(ctx, in, b)
	if err != nil {
		return b, err
	}
	if now.Total != price {
		return b, gangway.Errorf(gangway.Conflict, "booking %s costs %s, not %s", b.Locator, now.Total, price)
	}
	if err := cmp.Or(d.mayIssueAt(ctx, in, by, b, price), d.notBeside(ctx, in, b)); err != nil {
		return b, err
	}
	supplier, err := d.suppliers(ctx, in, b.Supplier)
	if err != nil {
		return b, err
	}
	intent, b, err := d.begin(ctx, in, toIssue, asked, by.Email, id, gangway.Issue, intentDetails{},
		func(b gangway.Booking) error {
			if by.Email == gangway.System && !b.MayIssueItself(d.now(in)) {
				return gangway.Errorf(gangway.Conflict, "booking %s is not to be issued automatically any more",
					b.Locator)
			}
			return nil
		})
	if err != nil {
		return gangway.Booking{}, err
	}
	order, err := d.ask(ctx, in, intent.ID, func(ctx context.Context) (flight.Order, error) {
		return supplier.Issue(ctx, b.Order, price)
	})
	return d.issued(ctx, in, intent, order, err)
}

// notBeside refuses to pay for b, which does not fit the plan, beside the booking that it replaces, which does.
func (d *Desk) notBeside(ctx context.Context, in store.Scoped, b gangway.Booking) error {
	if !b.Replaces.Open() || b.Replaces.Person == "" {
		return nil
	}
	end, err := d.Surplus(ctx, in, b)
	if err == nil && end.ID == b.ID {
		err = gangway.Errorf(gangway.Conflict, "%s fits today's plan, and %s, which replaces it, does not: cancel %s, "+
			"or keep both, before you pay for it", b.Replaces.Locator, b.Locator, b.Locator)
	}
	return err
}

// PriceToIssue returns what issuing a booking costs now: its price, or the airline's new price once
// that is no longer guaranteed.
func (d *Desk) PriceToIssue(ctx context.Context, in store.Scoped, b gangway.Booking) (gangway.Price, error) {
	if b.PriceUntil.IsZero() || d.now(in).Before(b.PriceUntil) || !b.Can(gangway.Issue) {
		return b.Price, nil
	}
	supplier, err := d.suppliers(ctx, in, b.Supplier)
	if err != nil {
		return gangway.Price{}, err
	}
	order, err := supplier.Order(ctx, b.Order)
	return order.Price, err
}

// mayIssueAt returns why by may not have a held booking ticketed at a price.
func (d *Desk) mayIssueAt(ctx context.Context, in store.Scoped, by gangway.User, b gangway.Booking,
	price gangway.Money) error {
	if price.Minor > b.Price.Total.Minor {
		if err := d.refuseRise(ctx, in, by, b, price, "the price rose to"); err != nil {
			return err
		}
	}
	return d.mayIssue(ctx, in, b)
}

// mayIssue returns why the account may not have a held booking ticketed: an airline under sanctions
// may have been admitted when the seats were held, and no longer be.
func (d *Desk) mayIssue(ctx context.Context, in store.Scoped, b gangway.Booking) error {
	if b.Supplier == flight.Elsewhere {
		return nil // it is only recorded here
	}
	account, err := in.Account(ctx)
	if err != nil {
		return err
	}
	return flight.MaySell(b.Itinerary, b.Terms.FareType, b.Plating, account.Settings.AdmitSanctioned)
}

// refuseRise refuses a price above the one b was booked at, if the account requires approval of
// such a price and by may not approve. how says what happened, as in "the price rose to".
func (d *Desk) refuseRise(ctx context.Context, in store.Scoped, by gangway.User, b gangway.Booking, price gangway.Money,
	how string) error {
	account, err := in.Account(ctx)
	if err != nil || b.MayBeApprovedBy(by, account.Settings) {
		return err
	}
	why, err := d.whyApproval(ctx, in, price)
	switch {
	case err != nil || why == "":
		return err
	case by.Role.CanApprove():
		own := map[bool]string{true: "made the booking", false: "chosen the change"}[b.Change == nil]
		return gangway.Errorf(gangway.Denied, "%s %s, and %s: you have %s yourself, so another approver has to do it",
			how, price.Words(), why, own)
	}
	return gangway.Errorf(gangway.Denied, "%s %s, and %s: only an approver may do it", how, price.Words(), why)
}

// issued applies the supplier's answer to a request for tickets to the booking.
func (d *Desk) issued(ctx context.Context, in store.Scoped, intent store.Intent, order flight.Order,
	err error) (gangway.Booking, error) {
	if err := d.certain(ctx, in, intent, order, err); err != nil {
		return gangway.Booking{}, err
	}
	if order.Status != flight.Ticketed {
		return gangway.Booking{}, d.giveUp(ctx, in, intent, gangway.Errorf(gangway.Conflict,
			"the airline did not issue the tickets; nothing was paid"))
	}
	return d.done(ctx, in, intent, order, orderOutcome{event: gangway.Issue})
}

// begin writes the intent asked on a booking if event is legal for its state, check agrees, and nobody
// else is working on it.
func (d *Desk) begin(ctx context.Context, in store.Scoped, kind, asked, by, id string, event gangway.Event,
	e intentDetails, check func(gangway.Booking) error) (store.Intent, gangway.Booking, error) {
	b, err := in.Booking(ctx, id)
	if err != nil {
		return store.Intent{}, b, err
	}
	intent, err := d.newIntent(kind, asked, id, b.Supplier, by, e)
	if err != nil {
		return intent, b, err
	}
	intent.Spend = e.spend
	err = in.BeginIntent(ctx, intent, func(now gangway.Booking) error {
		b = now
		if trial := now; !now.Can(event) {
			_, err := trial.Move(event, by, d.now(in))
			return err
		}
		return check(b)
	})
	return intent, b, err
}

// move applies event to a booking, after note has recorded on it what came with the event. why is for the history.
func (d *Desk) move(ctx context.Context, in store.Scoped, id string, event gangway.Event, by, why string,
	note func(*gangway.Booking, gangway.Action)) (gangway.Booking, error) {
	ctx = context.WithoutCancel(ctx)
	user, err := d.person(ctx, by)
	if err != nil {
		return gangway.Booking{}, err
	}
	return in.UpdateBooking(ctx, id, "", func(b *gangway.Booking) (gangway.Action, error) {
		return d.noted(b, event, user, why, gangway.Booking{}, d.now(in), note)
	})
}

// noted lets an event happen to b now, after note has recorded on it what came with the event. seen is b as it was
// read before a supplier was asked, if one was.
func (d *Desk) noted(b *gangway.Booking, event gangway.Event, by gangway.User, why string, seen gangway.Booking,
	now time.Time, note func(*gangway.Booking, gangway.Action)) (gangway.Action, error) {
	action, err := b.Move(event, by.Email, now)
	if err != nil {
		return action, err
	}
	action.Note = why
	if event == gangway.AbandonChange {
		d.noteRefused(b, by, why, now)
	}
	note(b, action)
	d.finish(b, by, seen, action)
	return action, nil
}
