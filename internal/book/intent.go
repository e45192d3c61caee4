package book

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// lease is how long an intent belongs to the process that works on it. It is
// renewed three times within that time, so that a slow supplier does not look
// like a dead process and a dead process is noticed soon.
const lease = 15 * time.Second

// patience is how long a supplier may take to answer. Airlines take up to two minutes.
//
// Source: Duffel asks clients to wait at least 130 s for booking calls.
const patience = 130 * time.Second

// The kinds of intent.
const (
	toBook   = "book"
	toIssue  = "issue"
	toCancel = "cancel"
	toChange = "change"
)

// An intentDetails is what an intent keeps besides its kind: all that another process needs to
// follow it up.
type intentDetails struct {
	Booking *gangway.Booking `json:"booking,omitempty"` // to book: all that is known before the supplier answers
	Why     string           `json:"why,omitempty"`     // to book, or to cancel: what the history says of it
	Offer   string           `json:"offer,omitempty"`   // to change: the supplier's change offer

	spend *store.Spend // of a limit, when it begins
}

// ask calls a supplier on behalf of an intent and keeps the intent's lease alive
// meanwhile. The call continues even if the caller goes away: once a supplier was
// asked for something, we have to know the answer.
func (d *Desk) ask(ctx context.Context, in store.Scoped, intent string,
	call func(context.Context) (flight.Order, error)) (flight.Order, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	done := make(chan struct{})
	defer close(done)
	go func() {
		tick := time.NewTicker(lease / 3)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if err := in.HoldIntent(ctx, intent, d.clock().Add(lease)); err != nil {
					d.log.WarnContext(ctx, "an intent's lease could not be renewed", "intent", intent, "error", err)
				}
			}
		}
	}()
	return call(ctx)
}

// supplierOf returns a booking and who sold it.
func (d *Desk) supplierOf(ctx context.Context, in store.Scoped, id string) (gangway.Booking, flight.Supplier, error) {
	b, err := in.Booking(ctx, id)
	if err != nil {
		return b, nil, err
	}
	supplier, err := d.suppliers(ctx, in, b.Supplier)
	return b, supplier, err
}

// newIntent returns an intent of the given kind, leased to this process.
func (d *Desk) newIntent(kind, id, booking, supplier, by string, e intentDetails) (store.Intent, error) {
	doc, err := json.Marshal(e)
	if err != nil {
		return store.Intent{}, fmt.Errorf("write intent to %s: %w", kind, err)
	}
	now := d.clock()
	return store.Intent{ID: id, Booking: booking, Supplier: supplier, Kind: kind, By: by, Doc: doc, CreatedAt: now,
		Lease: now.Add(lease)}, nil
}

// refused reports whether a supplier's error means that nothing was done and nothing will be.
func refused(err error) bool {
	switch gangway.KindOf(err) {
	case gangway.Invalid, gangway.NotFound, gangway.Conflict, gangway.Denied:
		return true
	}
	return false
}

// giveUp closes an intent that the supplier refused and returns the refusal. A
// refusal may mean that the order differs from the booking, so the booking is
// checked at once, unless it was the automated user that asked.
func (d *Desk) giveUp(ctx context.Context, in store.Scoped, i store.Intent, refusal error) error {
	ctx = context.WithoutCancel(ctx)
	if err := in.CloseIntent(ctx, i.ID, refusal.Error()); err != nil {
		return err
	}
	if i.Kind != toBook && i.By != gangway.System {
		if err := in.LookNow(ctx, i.Booking, d.now(in)); err != nil {
			d.log.WarnContext(ctx, "a booking could not be looked at at once", "booking", i.Booking, "error", err)
		}
	}
	return refusal
}

// done applies to a booking what its intent asked for and the supplier has done,
// and whatever else the order says.
func (d *Desk) done(ctx context.Context, in store.Scoped, i store.Intent, order flight.Order,
	s orderOutcome) (gangway.Booking, error) {
	b, err := in.Booking(ctx, i.Booking)
	if err != nil {
		return b, err
	}
	if b, err = d.settle(ctx, in, b, i, order, s); err != nil {
		return gangway.Booking{}, err
	}
	return d.andThen(ctx, in, b, order), nil
}

// andThen applies whatever else the order says to a booking that has just
// followed it, and returns the booking afterwards.
func (d *Desk) andThen(ctx context.Context, in store.Scoped, b gangway.Booking, order flight.Order) gangway.Booking {
	after, err := d.reconcile(ctx, in, b, order)
	if err == nil {
		return after
	}
	d.log.WarnContext(ctx, "a booking is looked at once more", d.db.Whose(ctx, in.Scope()), "booking", b.ID, "error",
		err)
	if err := in.LookNow(context.WithoutCancel(ctx), b.ID, d.now(in)); err != nil {
		d.log.WarnContext(ctx, "a booking could not be looked at at once", d.db.Whose(ctx, in.Scope()), "booking", b.ID,
			"error", err)
	}
	return after
}

// unknown schedules an immediate follow-up of an intent and tells the caller to wait.
func (d *Desk) unknown(ctx context.Context, in store.Scoped, i store.Intent, cause error) error {
	d.log.WarnContext(ctx, "a supplier's answer is missing; it will be asked for the outcome", d.db.Whose(ctx,
		in.Scope()),
		"intent", i.ID, "kind", i.Kind, "error", cause)
	if err := in.HoldIntent(context.WithoutCancel(ctx), i.ID, d.clock()); err != nil {
		return err
	}
	return errNoAnswer
}

var errNoAnswer = gangway.Errorf(gangway.Unavailable,
	"the airline has not answered yet; this page shows it as soon as it does, and nothing is done twice")

// certain returns nil if a supplier's answer leaves nothing open. A refusal closes
// the intent; an answer that is missing, or not final, leaves it to follow-up.
func (d *Desk) certain(ctx context.Context, in store.Scoped, i store.Intent, order flight.Order, err error) error {
	switch {
	case refused(err):
		return d.giveUp(ctx, in, i, err)
	case err != nil:
		return d.unknown(ctx, in, i, err)
	case order.Status == flight.Pending:
		return d.unknown(ctx, in, i, errors.New("it is pending"))
	}
	return nil
}
