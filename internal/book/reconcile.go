package book

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// errStale says that a booking changed while its supplier was being asked, so the supplier's answer
// is out of date.
var errStale = errors.New("the booking has moved on since its supplier was asked")

// movesAtMost bounds how many moves one answer of a supplier can cause, such as giving up a change,
// and then finding tickets.
const movesAtMost = 5

// reconcile moves a booking until it agrees with its order. seen is the booking as it was before
// the supplier was asked. It returns the booking afterwards, or errStale or a Conflict if somebody
// else acts on it.
func (d *Desk) reconcile(ctx context.Context, in store.Scoped, seen gangway.Booking,
	order flight.Order) (gangway.Booking, error) {
	for range movesAtMost {
		s := outcomeOf(seen, order)
		if s == (orderOutcome{}) {
			break
		}
		next, err := d.settle(ctx, in, seen, store.Intent{By: gangway.System}, order, s)
		if err != nil {
			return seen, err
		}
		seen = next
	}
	if isLive(order) && isNewNotice(seen, order.Notice) {
		return d.takeOver(ctx, in, seen, *order.Notice)
	}
	return seen, nil
}

func isLive(order flight.Order) bool {
	return order.Status == flight.Held || order.Status == flight.Ticketed
}

// settle applies an outcome to a booking, and closes the intent that led to it, if that has an
// identifier. An outcome that is no longer possible does not keep the intent open: the supplier has
// acted, so the booking is marked for a person to look at.
//
// Without an intent, a booking that has changed since it was read is left alone: errStale. With an
// intent, nobody else can have changed it.
func (d *Desk) settle(ctx context.Context, in store.Scoped, seen gangway.Booking, intent store.Intent,
	order flight.Order, s orderOutcome) (gangway.Booking, error) {
	ctx = context.WithoutCancel(ctx)
	if intent.By == gangway.System && s.event == gangway.Issue && seen.PaysFirst() {
		intent.By = seen.Replaces.By // who ordered the tickets with the replacement
	}
	by, err := d.person(ctx, intent.By)
	var plan gangway.Plan // of today, which flights that a person chose may serve
	if c := seen.Change; err == nil && s.event == gangway.CompleteChange && c != nil && !c.ByAirline {
		of := seen
		of.Purpose.Airport = cmp.Or(gangway.Airport(of.Purpose.Port), of.Purpose.Airport)
		plan, err = PlanOf(ctx, in, of)
	}
	if err != nil {
		return seen, err
	}
	return in.UpdateBooking(ctx, seen.ID, intent.ID, func(b *gangway.Booking) (gangway.Action, error) {
		if intent.ID == "" && b.Version != seen.Version {
			return gangway.Action{}, errStale
		}
		if s.event == "" || !b.Can(s.event) {
			why := s.person
			if why == "" {
				why = "The supplier has this booking as " + string(order.Status) + ", which cannot be while it is " +
					string(b.State) + " here: ask the supplier."
			}
			d.raise(b, why, d.now(in))
			return gangway.Action{}, nil
		}
		if s.person != "" {
			d.raise(b, s.person, d.now(in))
		}
		action, err := d.apply(b, s.event, by, s.why, order, seen, d.now(in))
		followPlan(b, plan)
		return action, err
	})
}

// followPlan sets where and when the ship is on b to those of a plan, if the flights of b fit it.
func followPlan(b *gangway.Booking, plan gangway.Plan) {
	legs, at := legsOf(b.Itinerary), plan.AtShip()
	if len(legs) == 0 || at == "" || !plan.Fit(b.Itinerary).OK() {
		return
	}
	p, m := &b.Purpose, gangway.SearchMember{Side: plan.Side, Legs: plan.Legs}
	p.Airport, p.Port, p.Date = crewChangeAirport(at, m), portOf(m), cmp.Or(plan.ShipDay, p.Date)
	for i, was := range p.Between[:min(len(p.Between), len(legs))] {
		legs[i].Origin, legs[i].Destination = was.From, was.To
	}
	if plan.Side == gangway.OnSigner {
		legs[len(legs)-1].Destination = at
	} else {
		legs[0].Origin = at
	}
	p.Between = placesBetween(legs, b.Itinerary)
}

// apply lets an event happen to b now, as its order has it.
func (d *Desk) apply(b *gangway.Booking, event gangway.Event, by gangway.User, why string, order flight.Order,
	seen gangway.Booking, now time.Time) (gangway.Action, error) {
	return d.noted(b, event, by, why, seen, now, func(b *gangway.Booking, a gangway.Action) {
		d.record(b, event, order, a.At)
	})
}

// person returns the user with an e-mail address. The name is stored on the booking beside the
// address, because the report still names people who have left.
func (d *Desk) person(ctx context.Context, email string) (gangway.User, error) {
	if email == gangway.System {
		return gangway.User{Email: email}, nil
	}
	u, _, err := d.db.UserByEmail(ctx, email)
	if gangway.KindOf(err) == gangway.NotFound {
		return gangway.User{Email: email}, nil
	}
	return u, err
}

// raise asks for a person to look at b.
func (d *Desk) raise(b *gangway.Booking, why string, now time.Time) {
	if b.Raise(why, now) {
		d.log.Warn("a booking needs a person", "booking", b.ID, "locator", b.Locator, "why", why)
	}
}

// record copies what belongs to an event from the order to its booking.
func (d *Desk) record(b *gangway.Booking, event gangway.Event, order flight.Order, at time.Time) {
	switch event {
	case gangway.Issue, gangway.FindTicketed:
		d.take(b, order, at)
	case gangway.CompleteChange:
		if b.Notice != nil && b.Change != nil && b.Change.ByAirline {
			b.Notice.Answered = true
		}
		d.take(b, order, at)
		b.Change = nil
	case gangway.AbandonChange:
		keepFlights(b)
		if b.Notice != nil && order.Notice != nil && order.Notice.ID == b.Notice.ID {
			b.Notice = nil // nobody has left it: it is taken over anew
		}
	case gangway.Cancel, gangway.CancelForRefund, gangway.CancelElsewhere, gangway.RefundElsewhere,
		gangway.SettleRefund:
		if b.Change != nil && slices.Contains(order.Changes, b.Change.Offer) {
			d.takePrice(b, order, at) // it was changed before it was given up
		}
		b.SetRefund(order.Refund, at)
		b.Change = nil
	}
}

// finish records on a booking that an action moved who cancelled it, and when it has to be checked
// next.
// A check that was requested since seen was read stays due.
func (d *Desk) finish(b *gangway.Booking, by gangway.User, seen gangway.Booking, a gangway.Action) {
	if (b.State == gangway.Cancelled || b.State == gangway.RefundPending) && b.CancelledAt.IsZero() {
		b.CancelledAt, b.CancelledBy, b.CancelledByName = a.At, by.Email, by.Name
	}
	if ended := !b.Live() && b.Attention.Open(); ended && (by.Email != gangway.System || saysWithheld(b.Attention)) {
		b.Handle(by.Email, a.At) // whoever ends a booking has seen to it, and nothing is left to issue
	}
	if c, again := b.Declined, b.State == gangway.ChangePending; c != nil && (again || !b.Live()) {
		if b.Attention.Open() && b.Attention.Why == c.Refused {
			b.Handle(by.Email, a.At)
		}
		if again { // where it is over, a run still says why the change was not made
			b.Declined = nil
		}
	}
	if b.State == gangway.Declined && b.Approval != nil && b.Approval.DecidedAt.IsZero() {
		decide(by)(b, a)
	}
	if b.State == gangway.Issued && b.Replaces != nil && b.Attention.Open() &&
		b.Attention.Why == b.Replaces.WithoutTicket() {
		b.Handle(by.Email, a.At)
	}
	if asked := !b.CheckAt.IsZero() && !b.CheckAt.After(a.At) && !b.CheckAt.Equal(seen.CheckAt); !asked {
		b.CheckAt = firstLook(*b, a.At)
	}
}
