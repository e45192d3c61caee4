package deliver

import (
	"context"
	"net/http"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
)

// makeFor is how long the document of a consignment may take to be made: as long as to be sent.
const makeFor = 15 * time.Second

// A parcel is the document of a consignment, or why it could not be made.
type parcel struct {
	transport.Outgoing
	failed error
}

// pack makes the document of a consignment. settled, more: as for shape, as one of which there would be too much in
// the outlet's format is parked with the reason.
func (d *Deliverer) pack(pushing context.Context, in store.Scoped, r readyQueue,
	next consignment) (p parcel, settled, more bool, err error) {
	if r.Together() { // which may take seconds
		leave, err := d.turns.Take(pushing, r.Scope.Account, 1)
		if err != nil {
			return p, false, false, err
		}
		defer leave()
	} else {
		defer d.step(r.now())()
	}
	ctx, cancel := context.WithTimeout(pushing, makeFor)
	defer cancel()
	p.Outgoing, p.failed = next.document(ctx, d.now())
	if gangway.KindOf(p.failed) != gangway.Invalid {
		return p, false, false, nil
	}
	var list []store.Shaping
	for _, delivery := range next.deliveries() {
		list = append(list, store.Shaping{Delivery: *delivery, Failure: store.CannotBeSent + p.failed.Error()})
	}
	settled, more, err = d.shaped(pushing, in, r.DeliveryQueue, list)
	return p, settled, more, err
}

// brokenOff is what is recorded of a try that was under way when grace was over.
const brokenOff = "It was broken off before there was an answer, since this server was stopped. It is sent again."

// try sends a consignment once.
//
// Spec: B5 Receive bookings.
func (d *Deliverer) try(ctx context.Context, l store.DeliveryQueue, next consignment, p parcel) (store.Attempt,
	transport.Answer) {
	begun := d.now()
	answer, err := d.send(ctx, l, next, p)
	attempt := store.Attempt{At: begun, Took: d.now().Sub(begun), Status: answer.Status, Answer: string(answer.Body)}
	switch {
	case err != nil && ctx.Err() != nil:
		attempt.Answer = brokenOff
	case err != nil:
		attempt.Answer = err.Error()
	}
	return attempt, answer
}

// send sends a consignment. Its errors are sentences for the customer's admins.
func (d *Deliverer) send(ctx context.Context, l store.DeliveryQueue, next consignment, p parcel) (transport.Answer,
	error) {
	err := p.failed
	var to transport.Sender
	if err == nil {
		to, err = d.senders.of(next.to())
	}
	if err != nil {
		said := unsent(err)
		if said == errOurs {
			d.logFailure(ctx, err, l)
		}
		return transport.Answer{}, said
	}
	return to.Send(ctx, p.Outgoing)
}

// settle records the outcome of a try. more reports whether the queue stays with
// this worker and has something due.
//
// Decided: docs/choices.md, "Push (B5)".
func (d *Deliverer) settle(ctx context.Context, in store.Scoped, l store.DeliveryQueue, next consignment,
	attempt store.Attempt, answer transport.Answer) (more bool, err error) {
	if !answer.Accepted() {
		return false, d.failed(ctx, in, l, next, attempt, d.failureOf(ctx, l, attempt, answer))
	}
	more, err = next.delivered(ctx, d, l, attempt, d.now().Add(lease))
	if since := next.to().FailingSince; err == nil && !since.IsZero() {
		d.logFailure(ctx, in.OutletAnswers(ctx, l.Outlet, d.now(), attempt.At.Sub(since) >= outage), l)
	}
	return more, err
}

// failed records a failed try and what it leads to.
func (d *Deliverer) failed(ctx context.Context, in store.Scoped, l store.DeliveryQueue, next consignment,
	attempt store.Attempt, back store.DeliveryFailure) error {
	off, err := next.failed(ctx, in, l, attempt, back)
	if off {
		d.log.Warn("an outlet answered 410 and is switched off", d.db.Whose(ctx, l.Scope), "outlet", l.Outlet)
	}
	if err == nil && (back.Off != "" || !back.Quiet.IsZero()) {
		d.giveUp(ctx, l.Outlet)
	}
	return err
}

// failureOf decides what a failed try leads to.
func (d *Deliverer) failureOf(ctx context.Context, l store.DeliveryQueue, attempt store.Attempt,
	answer transport.Answer) store.DeliveryFailure {
	now := d.now()
	if attempt.Answer == brokenOff {
		return store.DeliveryFailure{Next: now, Probe: now, Ours: true}
	}
	back := store.DeliveryFailure{Next: now.Add(pause(l.Tries)), Probe: now.Add(probe)}
	if answer.Status == http.StatusGone {
		back.Next, back.Off = now, gangway.GoneReason(attempt.At)
		return back
	}
	if wait, asked := retryAfter(answer, now); asked {
		back.Next, back.Quiet = now.Add(wait), now.Add(wait)
		back.Probe = back.Next
	}
	if l.FirstAt.IsZero() {
		return back
	}
	end := l.FirstAt.Add(horizon)
	if back.Park = !attempt.At.Before(end); back.Park {
		d.log.Warn("a delivery has failed for three days and is parked", d.db.Whose(ctx, l.Scope), "outlet", l.Outlet,
			"booking", l.Booking)
	} else if back.Next.After(end) && back.Quiet.IsZero() {
		back.Next = end // the last try is at the end of the horizon, not long after it
	}
	return back
}
