package book

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"gangway/internal/background"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// followUp finds out what became of an intent that no process is working on. After an error or a
// panic it is left for a later try.
func (d *Desk) followUp(ctx context.Context, loose store.UnsettledIntent) {
	in, ctx := d.db.In(loose.Scope), store.OfRequest(ctx, loose.Request)
	err := background.Guard(d.log, "follow up an intent", func() error { return d.follow(ctx, in, loose.Intent) })
	if err == nil {
		return
	}
	if !errors.Is(err, store.ErrAway) { // which the store logs itself
		d.log.ErrorContext(ctx, "an intent could not be followed up; it will be tried again", d.db.Whose(ctx,
			loose.Scope),
			"intent", loose.ID, "kind", loose.Kind, "error", err)
	}
	if err := d.later(context.WithoutCancel(ctx), in, loose.Intent); err != nil && !errors.Is(err, store.ErrAway) {
		d.log.ErrorContext(ctx, "an intent could not be put off", d.db.Whose(ctx, loose.Scope), "intent", loose.ID,
			"error", err)
	}
}

// Unanswered takes what was begun in an account and not answered yet, the latest of it and at most so much, to be
// followed up by FollowUp.
func (d *Desk) Unanswered(ctx context.Context, in store.Scoped, most int) ([]store.Intent, error) {
	return in.TakeIntents(ctx, d.clock().Add(lease), most)
}

// FollowUp finds out what became of an intent of an account, as the automated user does from time to time.
func (d *Desk) FollowUp(ctx context.Context, in store.Scoped, i store.Intent) {
	d.followUp(ctx, store.UnsettledIntent{Scope: in.Scope(), Intent: i})
}

// follow asks the supplier for the outcome of an intent, and settles it. It never
// repeats the request itself.
func (d *Desk) follow(ctx context.Context, in store.Scoped, intent store.Intent) error {
	var e intentDetails
	if err := json.Unmarshal(intent.Doc, &e); err != nil {
		return in.CloseIntent(ctx, intent.ID, "the record of this request can no longer be read")
	}
	if intent.Kind == toBook {
		return d.followBooking(ctx, in, intent, *e.Booking)
	}
	b, err := in.Booking(ctx, intent.Booking)
	if err != nil {
		return err
	}
	supplier, err := d.suppliers(ctx, in, b.Supplier)
	if err != nil {
		return d.later(ctx, in, intent)
	}
	order, err := d.ask(ctx, in, intent.ID, func(ctx context.Context) (flight.Order, error) {
		return supplier.Order(ctx, b.Order)
	})
	if uncertain(order, err) {
		return d.later(ctx, in, intent)
	}
	if untouched(intent, order, err) {
		return d.neverDone(ctx, in, intent)
	}
	switch intent.Kind {
	case toIssue:
		_, err = d.issued(ctx, in, intent, order, err)
	case toCancel:
		_, err = d.withdrawn(ctx, in, intent, order, err)
	case toChange:
		_, err = d.changed(ctx, in, intent, e.Offer, order, err)
	}
	return dropRefusal(err)
}

// NeverReceived is the outcome of an intent to book when the supplier, asked
// about it, does not know it.
const NeverReceived = "the airline never received it: nothing was booked"

// NeverDone is the outcome of an intent to issue or to cancel when the order is as it was.
const NeverDone = "the airline has not done it: nothing was paid or cancelled"

// untouched reports whether an order that was to be issued or cancelled is still held or ticketed as it was.
func untouched(intent store.Intent, order flight.Order, err error) bool {
	return err == nil &&
		(intent.Kind == toIssue && order.Status == flight.Held || intent.Kind == toCancel && isLive(order))
}

// neverDone closes an intent whose order is as it was. The booking is looked at soon, as after a refusal.
func (d *Desk) neverDone(ctx context.Context, in store.Scoped, intent store.Intent) error {
	if err := in.ForgoIntent(ctx, intent.ID, NeverDone); err != nil || intent.By == gangway.System {
		return err
	}
	return in.LookNow(ctx, intent.Booking, d.now(in))
}

func (d *Desk) followBooking(ctx context.Context, in store.Scoped, intent store.Intent, draft gangway.Booking) error {
	supplier, err := d.suppliers(ctx, in, draft.Supplier)
	if err != nil {
		return d.later(ctx, in, intent)
	}
	order, err := d.ask(ctx, in, intent.ID, func(ctx context.Context) (flight.Order, error) {
		return supplier.Find(ctx, intent.Booking)
	})
	if uncertain(order, err) {
		return d.later(ctx, in, intent)
	}
	if gangway.KindOf(err) == gangway.NotFound {
		return in.ForgoIntent(ctx, intent.ID, NeverReceived)
	}
	_, err = d.held(ctx, in, intent, draft, order, err)
	return dropRefusal(err)
}

// uncertain reports whether a supplier cannot say yet what became of an order.
func uncertain(order flight.Order, err error) bool {
	return err != nil && !refused(err) || err == nil && order.Status == flight.Pending
}

// dropRefusal drops refusals, because an intent that was refused is settled too.
func dropRefusal(err error) error {
	if refused(err) {
		return nil
	}
	return err
}

// later schedules the next follow-up of an intent: soon at first, and then at
// growing intervals of up to five minutes, because orders can take hours to appear
// at a supplier.
func (d *Desk) later(ctx context.Context, in store.Scoped, intent store.Intent) error {
	now := d.clock()
	wait := min(max(now.Sub(intent.CreatedAt)/4, 2*time.Second), 5*time.Minute)
	return in.HoldIntent(ctx, intent.ID, now.Add(wait))
}
