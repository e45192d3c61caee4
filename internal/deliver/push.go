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

// brokenOff is what is recorded of a try that was under way when grace was over.
const brokenOff = "It was broken off before there was an answer, since this server was stopped. It is sent again."

// push sends a consignment once and returns what that leads to. One of which there would be too much in the outlet's
// format is parked with the reason.
//
// Spec: B5 Receive bookings.
// Decided: docs/choices.md, "Push (B5)".
func (d *Deliverer) push(pushing context.Context, l store.DeliveryQueue, c consignment) (*store.Outcome, error) {
	making, cancel := context.WithTimeout(pushing, makeFor)
	defer cancel()
	begun := d.now()
	document, err := c.document(making, l.Together(), begun)
	if gangway.KindOf(err) == gangway.Invalid {
		parked := &store.Attempt{At: begun, Answer: store.CannotBeSent + err.Error()}
		return &store.Outcome{Queue: l, At: begun, Results: c.results("parked", parked)}, nil
	}
	answer, err := d.send(transport.WithHeld(pushing, l.Held), l, c.to(), document, err)
	if answer.Status == 0 && !l.Held() {
		return nil, store.ErrQueueLost // it may not have left
	}
	attempt := &store.Attempt{At: begun, Took: d.now().Sub(begun), Status: answer.Status, Answer: string(answer.Body)}
	switch {
	case err != nil && pushing.Err() != nil:
		attempt.Answer = brokenOff
	case err != nil:
		attempt.Answer = err.Error()
	}
	o := &store.Outcome{Queue: l, At: begun}
	if answer.Accepted() {
		o.Results = c.results("done", attempt)
		return o, nil
	}
	return d.failed(pushing, o, c, attempt, d.failureOf(l, *attempt, answer)), nil
}

// send sends a document that was made, or not. Its errors are sentences for the customer's admins.
func (d *Deliverer) send(ctx context.Context, l store.DeliveryQueue, to gangway.Outlet, document transport.Outgoing,
	unmade error) (transport.Answer, error) {
	err := unmade
	var sender transport.Sender
	if err == nil {
		sender, err = d.senders.of(to)
	}
	if err != nil {
		said := unsent(err)
		if said == errOurs {
			d.logFailure(ctx, err, l)
		}
		return transport.Answer{}, said
	}
	return sender.Send(ctx, document)
}

// failed completes the outcome of a try that failed.
func (d *Deliverer) failed(ctx context.Context, o *store.Outcome, c consignment, a *store.Attempt,
	f store.DeliveryFailure) *store.Outcome {
	o.Failure = &f
	if o.Results = c.results("due", a); f.Park {
		o.Results = c.results("parked", a)
		d.log.Warn("a delivery has failed for three days and is parked",
			d.db.Whose(context.WithoutCancel(ctx), o.Queue.Scope), "outlet", o.Queue.Outlet, "booking", o.Queue.Booking)
	}
	return o
}

// failureOf decides what a failed try leads to.
func (d *Deliverer) failureOf(l store.DeliveryQueue, attempt store.Attempt,
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
	if back.Park = !attempt.At.Before(end); !back.Park && back.Next.After(end) && back.Quiet.IsZero() {
		back.Next = end // the last try is at the end of the horizon, not long after it
	}
	return back
}
