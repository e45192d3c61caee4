package book

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// FindChanges looks for other flights for a booking, on the legs asked for.
func (d *Desk) FindChanges(ctx context.Context, in store.Scoped, id string,
	legs []gangway.Leg) ([]flight.ChangeOffer, error) {
	b, err := d.changeable(ctx, in, id)
	if err != nil {
		return nil, err
	}
	between, err := flight.LegsOf(legs)
	if err != nil {
		return nil, err
	}
	supplier, err := d.suppliers(ctx, in, b.Supplier)
	if err != nil {
		return nil, err
	}
	found, err := supplier.FindChanges(ctx, b.Order, between)
	if err != nil {
		return nil, err
	}
	account, err := in.Account(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(o flight.ChangeOffer) bool { return maySellChange(account, b, o) != nil }), nil
}

// maySellChange returns why other flights for a booking are not sold to its account.
func maySellChange(account gangway.Account, b gangway.Booking, o flight.ChangeOffer) error {
	if b.Supplier == flight.Elsewhere {
		return nil // it is only recorded here
	}
	return cmp.Or(flight.MaySell(o.Itinerary, o.Terms.FareType, b.Plating, account.Settings.AdmitSanctioned),
		mayUse(account.Settings, o.Itinerary))
}

// PriceChange returns a change offer at its current price.
func (d *Desk) PriceChange(ctx context.Context, in store.Scoped, id, offer string) (flight.ChangeOffer, error) {
	b, err := d.changeable(ctx, in, id)
	if err != nil {
		return flight.ChangeOffer{}, err
	}
	supplier, err := d.suppliers(ctx, in, b.Supplier)
	if err != nil {
		return flight.ChangeOffer{}, err
	}
	o, err := supplier.PriceChange(ctx, b.Order, offer)
	if err != nil {
		return flight.ChangeOffer{}, err
	}
	account, err := in.Account(ctx)
	if err == nil {
		err = maySellChange(account, b, o)
	}
	return o, err
}

func (d *Desk) changeable(ctx context.Context, in store.Scoped, id string) (gangway.Booking, error) {
	b, err := in.Booking(ctx, id)
	switch {
	case err != nil:
	case !b.Can(gangway.AskChange):
		_, err = b.Move(gangway.AskChange, "", d.now(in))
	case b.ChangeForbidden() && b.Supplier != flight.Elsewhere: // a change made elsewhere is only recorded here
		err = gangway.Errorf(gangway.Conflict, "the fare of booking %s allows no change: cancel it and book again",
			b.Locator)
	}
	return b, err
}

// AskChange chooses other flights for a booking, which is then change_pending
// until ConfirmChange or GiveUpChange, or until the offer expires.
func (d *Desk) AskChange(ctx context.Context, in store.Scoped, by gangway.User, id,
	offer string) (gangway.Booking, error) {
	o, err := d.PriceChange(ctx, in, id, offer)
	if err != nil {
		return gangway.Booking{}, err
	}
	b, err := in.Booking(ctx, id)
	if err != nil {
		return b, err
	}
	b.Change = &gangway.PendingChange{NewPrice: o.Price, Due: o.Due, AskedBy: by.Email}
	approval := ""
	if err = d.MayConfirm(ctx, in, by, b); gangway.KindOf(err) == gangway.Denied {
		approval, err = d.whyApproval(ctx, in, o.Price.Total)
	}
	if err != nil {
		return b, err
	}
	return in.UpdateBooking(ctx, id, "", func(b *gangway.Booking) (gangway.Action, error) {
		return d.askChange(b, by, offer, o, approval, d.now(in))
	})
}

// awaitApproval notes that the change of b waits for an approver, and why.
func (d *Desk) awaitApproval(ctx context.Context, in store.Scoped, b gangway.Booking) (gangway.Booking, error) {
	why, err := d.whyApproval(ctx, in, b.Change.NewPrice.Total)
	if err != nil {
		return b, err
	}
	return in.UpdateBooking(ctx, b.ID, "", func(now *gangway.Booking) (gangway.Action, error) {
		if now.Change != nil && now.Change.Offer == b.Change.Offer {
			c := *now.Change
			c.Approval, now.Change = why, &c
		}
		return gangway.Action{}, nil
	})
}

// askChange lets b wait, from now on, for the change to the flights of an offer. approval says why an approver has to
// agree; empty: nobody has to.
func (d *Desk) askChange(b *gangway.Booking, by gangway.User, offer string, o flight.ChangeOffer, approval string,
	now time.Time) (gangway.Action, error) {
	was := b.State
	return d.noted(b, gangway.AskChange, by, "", gangway.Booking{}, now, func(b *gangway.Booking, _ gangway.Action) {
		b.Change = &gangway.PendingChange{
			Was: was, Offer: offer, Itinerary: o.Itinerary, NewPrice: o.Price, Due: o.Due, Penalty: o.Penalty,
			AskedBy: by.Email, AskedAt: now, Approval: approval, Expires: o.Expires,
		}
	})
}

// ConfirmChange books the other flights that were chosen, for the amount due.
// offer is the change that the person confirming has seen. It fails with Conflict
// if other flights were chosen meanwhile, and with Denied if they cost more and
// the account requires somebody else to agree to that.
func (d *Desk) ConfirmChange(ctx context.Context, in store.Scoped, by gangway.User, id,
	offer string) (gangway.Booking, error) {
	b, err := in.Booking(ctx, id)
	if err != nil {
		return gangway.Booking{}, err
	}
	if b.Change != nil && b.Change.Offer != offer {
		return gangway.Booking{}, chosenMeanwhile(b)
	}
	if err := d.MayConfirm(ctx, in, by, b); err != nil {
		return gangway.Booking{}, err
	}
	return d.confirmChange(ctx, in, by.Email, NewID(), id, offer, nil)
}

// ApproveChange is ConfirmChange for an approver, who sees only what a list says of a change. It also fails with
// Conflict if the plan moved since: the present flights fit it, and the others do not.
func (d *Desk) ApproveChange(ctx context.Context, in store.Scoped, by gangway.User, id,
	offer string) (gangway.Booking, error) {
	b, err := in.Booking(ctx, id)
	if err == nil && b.Change != nil && serves(ctx, in, b, b.Itinerary) == nil {
		if err := serves(ctx, in, b, b.Change.Itinerary); err != nil {
			return b, gangway.Errorf(gangway.Conflict, "the present flights of booking %s fit today's plan, and those "+
				"of the change do not: %s. Decline the change, or confirm it on the booking's page", b.Locator, err)
		}
	}
	return d.ConfirmChange(ctx, in, by, id, offer)
}

func chosenMeanwhile(b gangway.Booking) error {
	return gangway.Errorf(gangway.Conflict, "other flights were chosen for booking %s meanwhile: look at them before "+
		"you confirm", b.Locator)
}

// MayConfirm returns why a person may not confirm the change of a booking: it
// raises the price, and the account requires another person to approve that
// price. Changes by the airline cost nothing, and changes made elsewhere are
// paid already.
func (d *Desk) MayConfirm(ctx context.Context, in store.Scoped, by gangway.User, b gangway.Booking) error {
	c := b.Change
	if c == nil || c.ByAirline || b.Supplier == flight.Elsewhere {
		return nil
	}
	if now, new := b.Price.Total, c.NewPrice.Total; new.Currency == now.Currency && new.Minor <= now.Minor {
		return nil
	}
	return d.refuseRise(ctx, in, by, b, c.NewPrice.Total, "the change makes it")
}

// confirmChange books the other flights of a change offer or of an airline's notice, under the identifier of an intent.
func (d *Desk) confirmChange(ctx context.Context, in store.Scoped, by, asked, id, offer string,
	spend *store.Spend) (gangway.Booking, error) {
	b, supplier, err := d.supplierOf(ctx, in, id)
	if err != nil {
		return gangway.Booking{}, err
	}
	byAirline := b.Change != nil && b.Change.ByAirline
	intent, b, err := d.begin(ctx, in, toChange, asked, by, id, gangway.CompleteChange,
		intentDetails{Offer: offer, spend: spend}, func(b gangway.Booking) error {
			if b.Change.Offer != offer {
				return chosenMeanwhile(b)
			}
			return nil
		})
	if err != nil {
		return gangway.Booking{}, err
	}
	order, err := d.ask(ctx, in, intent.ID, func(ctx context.Context) (flight.Order, error) {
		if byAirline {
			return supplier.Accept(ctx, b.Order, offer)
		}
		return supplier.Change(ctx, b.Order, offer)
	})
	return d.changed(ctx, in, intent, offer, order, err)
}

// changed applies the supplier's answer to a change to the booking.
func (d *Desk) changed(ctx context.Context, in store.Scoped, intent store.Intent, offer string, order flight.Order,
	err error) (gangway.Booking, error) {
	if refused(err) {
		if err := in.CloseIntent(context.WithoutCancel(ctx), intent.ID, err.Error()); err != nil {
			return gangway.Booking{}, err
		}
		// A refused change leaves the booking as it was, and that is an action.
		_, moveErr := d.abandon(ctx, in, intent.Booking, gangway.System, "the airline refused the change: "+err.Error())
		return gangway.Booking{}, errors.Join(err, moveErr)
	}
	if err := d.certain(ctx, in, intent, order, err); err != nil {
		return gangway.Booking{}, err
	}
	if !slices.Contains(order.Changes, offer) {
		return gangway.Booking{}, d.giveUp(ctx, in, intent, gangway.Errorf(gangway.Conflict,
			"the airline did not make the change; confirm it again or give it up"))
	}
	return d.done(ctx, in, intent, order, orderOutcome{event: gangway.CompleteChange})
}

// GiveUpChange abandons a change, perhaps for a reason that the booker reads: the booking keeps its flights.
func (d *Desk) GiveUpChange(ctx context.Context, in store.Scoped, by gangway.User, id,
	reason string) (gangway.Booking, error) {
	return d.abandon(ctx, in, id, by.Email, strings.TrimSuffix(keptFlights+": "+reason, ": "))
}

// noteRefused remembers that the change of b that an approver was to agree to is not made, and why. Unless its asker
// discards it, b asks for a person.
func (d *Desk) noteRefused(b *gangway.Booking, by gangway.User, why string, now time.Time) {
	c := *b.Change
	if c.Approval == "" {
		return
	}
	own := c.AskedBy == by.Email
	if reason, person := strings.CutPrefix(why, keptFlights); person {
		did := map[bool]string{true: " discarded", false: " declined"}[own]
		if why = cmp.Or(by.Name, by.Email) + did + " the change" + reason; !own {
			c.RefusedBy = by.Email
		}
	}
	c.Refused = gangway.Sentence(why)
	if b.Declined = &c; own {
		return
	}
	if !b.Attention.Open() {
		b.Attention = nil // which may have been the same sentence about an earlier change
	}
	d.raise(b, c.Refused, now)
}

const keptFlights = "rejected the other flights"

// KeptFlights reports whether a is a person's refusal of other flights, after which the booking stands as before.
func KeptFlights(a gangway.Action) bool { return strings.HasPrefix(a.Note, keptFlights) }

func (d *Desk) abandon(ctx context.Context, in store.Scoped, id, by, why string) (gangway.Booking, error) {
	return d.move(ctx, in, id, gangway.AbandonChange, by, why,
		func(b *gangway.Booking, _ gangway.Action) { keepFlights(b) })
}

// keepFlights abandons b's change: b keeps its flights.
func keepFlights(b *gangway.Booking) {
	if b.Change != nil && b.Change.ByAirline && b.Notice != nil {
		b.Notice.Declined = true
	}
	b.Change = nil
}
