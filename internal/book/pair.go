package book

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/world"
)

// A OneADayError says that nothing was booked because an airline may cancel one of two bookings that a traveller has
// with it on one day, and the booker was not told.
type OneADayError struct{ Airline string }

func (e *OneADayError) Error() string {
	return airlineName(e.Airline) + " may cancel one of two bookings of a traveller on one day: confirm the risk " +
		"until the old booking is cancelled"
}

// Unwrap makes it a Conflict.
func (e *OneADayError) Unwrap() error { return gangway.Errorf(gangway.Conflict, "%s", e.Error()) }

func airlineName(code string) string {
	if a, known := world.AirlineOf(code); known {
		return a.Name
	}
	return code
}

// OneADay returns the airline that flies a traveller on one day with both of two bookings, and so may take one for a
// mistake and cancel it while both stand; empty: there is none.
//
// Decided: docs/choices.md, "Changed together".
func OneADay(old, new gangway.Itinerary) string {
	for _, a := range old.Segments {
		for _, b := range new.Segments {
			if a.Carrier == b.Carrier && gangway.DateOf(a.Departure) <= gangway.DateOf(b.Arrival) &&
				gangway.DateOf(b.Departure) <= gangway.DateOf(a.Arrival) {
				return a.Carrier
			}
		}
	}
	return ""
}

// pair does what remains to be done for b, which takes the place of another booking: that one ends once the traveller's
// seat on b is sure, on the terms that were shown. It returns b afterwards, or an error after which it is tried again.
//
// Decided: docs/choices.md, "Changed together".
func (d *Desk) pair(ctx context.Context, in store.Scoped, b gangway.Booking) (gangway.Booking, error) {
	if !b.Replaces.Open() {
		return b, nil
	}
	old, err := in.Booking(ctx, b.Replaces.Booking)
	switch {
	case gangway.KindOf(err) == gangway.NotFound:
		return d.settlePair(ctx, in, b, b.Replaces.Locator+" is no longer kept.")
	case err != nil:
		return b, err
	case !old.Live():
		return d.settlePair(ctx, in, b, old.Locator+" is no longer live.")
	case !b.Live():
		return d.settlePair(ctx, in, b, old.Locator+" stays as booked.")
	case b.Replaces.Person != "" || b.State == gangway.ApprovalRequired || b.State == gangway.ChangePending:
		return b, nil
	}
	plans, err := PlansOf(ctx, in, []gangway.Booking{old, b})
	if err != nil || plans.asked[old.Purpose.Change] || plans.asked[b.Purpose.Change] {
		return b, err // what is planned is not known yet
	}
	now := d.now(in)
	was, is := plans.Judge(old, now), plans.Judge(b, now)
	sure := b.SureBeside(old, !was.Serves())
	if !sure && !b.PaysFirst() {
		return b, nil
	}
	why, quote, err := d.whyNotEnd(ctx, in, b, old, was, is)
	switch {
	case err != nil:
		return b, err
	case why != "":
		if err := d.stillAs(ctx, in, old); err != nil { // perhaps another replica is ending it
			return b, err
		}
		return d.leavePair(ctx, in, b, why)
	case !sure: // it is issued now
		return b, nil
	}
	if err := d.stillAs(ctx, in, b); err != nil {
		return b, err
	}
	by := gangway.User{ID: b.Replaces.ByID, Email: b.Replaces.By, Name: b.Replaces.ByName}
	id := NewID()
	ended, err := d.cancel(ctx, in, by, id, old.ID, quote.id, "replaced by "+b.Locator)
	if err == nil {
		return d.settlePair(ctx, in, b, endedWords(ended, quote))
	}
	_, asked := in.Intent(ctx, id) // NotFound: another replica was at it
	if refused(err) && asked == nil && d.stillAs(ctx, in, old) == nil {
		return d.leavePair(ctx, in, b, "the airline did not cancel "+old.Locator+": "+err.Error())
	}
	return b, err
}

// stillAs returns a Conflict if something has happened to b since it was read, or is about to: what it replaces must
// not end while somebody cancels b, and nobody is asked about what another replica is ending.
func (d *Desk) stillAs(ctx context.Context, in store.Scoped, b gangway.Booking) error {
	now, err := in.Booking(ctx, b.ID)
	if err != nil {
		return err
	}
	if _, busy, err := in.OpenIntent(ctx, b.ID); err != nil || !busy && now.Version == b.Version {
		return err
	}
	return gangway.Errorf(gangway.Conflict, "somebody is acting on booking %s", b.Locator)
}

// untilPair returns when a booking is looked at again that is otherwise looked at then: soon, while its pair waits for
// what other people and the plan do.
func (d *Desk) untilPair(in store.Scoped, b gangway.Booking, at time.Time) time.Time {
	soon := d.now(in).Add(planCheck)
	if b.PairMoves() && (at.IsZero() || soon.Before(at)) {
		return soon
	}
	return at
}

// whyNotEnd returns in words why a person has to decide whether old ends, and otherwise on which quote it does. was and
// is are how the traveller stands with old and with b.
func (d *Desk) whyNotEnd(ctx context.Context, in store.Scoped, b, old gangway.Booking,
	was, is gangway.Judgement) (why string, quote ActQuote, err error) {
	r := b.Replaces
	switch {
	case was.Standing == gangway.UnderWay || was.Standing == gangway.Arrived:
		return "the traveller is on the way with " + old.Locator, quote, nil
	case was.Serves() && !is.Serves():
		return old.Locator + " fits today's plan, and " + b.Locator + " does not", quote, nil
	case old.Ticketed() != r.Ticketed:
		return old.Locator + " was issued meanwhile", quote, nil
	case old.State == gangway.ChangePending:
		return "a change of " + old.Locator + " waits for an answer", quote, nil
	}
	quote, err = d.quoteAct(ctx, in, gangway.User{}, EndingAct(old), old, "")
	switch {
	case refused(err):
		return err.Error(), quote, nil
	case err == nil && r.Terms.Void && !quote.Void:
		return fmt.Sprintf("%s can no longer be voided, and cancelling it brings back %s", r.Locator,
			quote.backWords()), quote, nil
	case err == nil && !sameTerms(quote.ActTerms, r.Terms):
		return ActAsk{Act: ActCancel, Terms: r.Terms}.differs(quote.ActTerms).Error(), quote, nil
	}
	return "", quote, err
}

// backWords say what comes back.
func (q ActQuote) backWords() string {
	if q.Unknown {
		return "an amount that the airline names later"
	}
	return q.Amount.Words()
}

// Surplus returns the booking that a person is offered to end, out of b and the booking that b replaces: the replaced
// one, unless it is the only one that serves today's plan. NotFound: the replaced one is no longer kept.
func (d *Desk) Surplus(ctx context.Context, in store.Scoped, b gangway.Booking) (gangway.Booking, error) {
	old, err := in.Booking(ctx, b.Replaces.Booking)
	if err != nil || !old.Live() {
		return old, err
	}
	plans, err := PlansOf(ctx, in, []gangway.Booking{old, b})
	if now := d.now(in); plans.Judge(old, now).Serves() && !plans.Judge(b, now).Serves() {
		return b, err
	}
	return old, err
}

// EndingAct is how a booking is given up.
func EndingAct(b gangway.Booking) Act {
	if b.Ticketed() {
		return ActCancel
	}
	return ActRelease
}

// endedWords says what became of a booking whose place another one took.
func endedWords(b gangway.Booking, quote ActQuote) string {
	switch {
	case quote.Amount.IsZero() && !quote.Unknown && len(b.Payments) == 0:
		return b.Locator + " was released."
	case quote.Void:
		return b.Locator + " was voided: " + quote.backWords() + " back."
	}
	return b.Locator + " was cancelled: " + quote.backWords() + " back."
}

// settlePair notes what became of the booking whose place b takes. A person who was asked for is not needed any more.
func (d *Desk) settlePair(ctx context.Context, in store.Scoped, b gangway.Booking,
	how string) (gangway.Booking, error) {
	return in.UpdateBooking(context.WithoutCancel(ctx), b.ID, "", func(b *gangway.Booking) (gangway.Action, error) {
		if b.Replaces.Open() {
			person := b.Replaces.Ticketed || b.Replaces.Person != ""
			if settle(b, how, gangway.System, d.now(in)); person && b.Live() && !b.Ticketed() {
				d.raise(b, b.Replaces.WithoutTicket(), d.now(in))
			}
		}
		return gangway.Action{}, nil
	})
}

// settle notes on b what became of the booking whose place it takes, and that nobody is needed for that.
func settle(b *gangway.Booking, how, by string, now time.Time) {
	r := *b.Replaces
	if r.SettledAt, r.Settled = now, how; b.Attention.Open() && b.Attention.Why == r.Person {
		b.Handle(by, now)
	}
	b.Replaces = &r
}

// leavePair leaves it to a person whether the booking whose place b takes ends. Until then nothing more is bought.
func (d *Desk) leavePair(ctx context.Context, in store.Scoped, b gangway.Booking, why string) (gangway.Booking, error) {
	return in.UpdateBooking(context.WithoutCancel(ctx), b.ID, "", func(b *gangway.Booking) (gangway.Action, error) {
		if !b.Replaces.GoesOn() {
			return gangway.Action{}, nil
		}
		r := *b.Replaces
		r.Person = fmt.Sprintf("%s and its replacement %s are both live: %s.", r.Locator, b.Locator,
			strings.TrimSuffix(why, "."))
		if b.Replaces = &r; b.State != gangway.Issued {
			b.AutoIssue = false
		}
		d.raise(b, r.Person, d.now(in))
		return gangway.Action{}, nil
	})
}
