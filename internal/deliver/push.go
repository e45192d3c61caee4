package deliver

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/wire"
)

// try pushes a delivery once.
//
// Spec: B5 Receive bookings.
func (d *Deliverer) try(ctx context.Context, next store.Delivery) (store.Attempt, transport.Answer) {
	begun := d.now()
	answer, err := d.send(ctx, next, begun)
	attempt := store.Attempt{At: begun, Took: d.now().Sub(begun), Status: answer.Status, Answer: string(answer.Body)}
	if err != nil {
		attempt.Answer = err.Error()
	}
	return attempt, answer
}

func (d *Deliverer) send(ctx context.Context, next store.Delivery, at time.Time) (transport.Answer, error) {
	body, err := wire.Booking(next.Booking, []gangway.Action{next.Action})
	if err != nil {
		return transport.Answer{}, err
	}
	header, err := sign(next, at, body)
	if err != nil {
		return transport.Answer{}, err
	}
	to, err := d.senders.of(next.Outlet)
	if err != nil {
		return transport.Answer{}, err
	}
	return to.Send(ctx, transport.Outgoing{ID: next.ID, Name: fileName(next), Type: "application/json", Header: header,
		Body: body})
}

// fileName is what a delivery is called where it is kept as a file.
func fileName(next store.Delivery) string {
	return fmt.Sprintf("%s-%d-%s.json", next.Booking.ID, next.Seq, next.ID)
}

// settle records the outcome of a try. more reports whether the queue stays with
// this worker and has something due.
//
// Decided: docs/choices.md, "Push (B5)".
func (d *Deliverer) settle(ctx context.Context, in store.Scoped, l store.DeliveryQueue, next store.Delivery,
	attempt store.Attempt, answer transport.Answer) (more bool, err error) {
	if !answer.Accepted() {
		back := d.failureOf(ctx, l, attempt, answer)
		return false, in.Failed(ctx, l, next, attempt, back)
	}
	more, err = in.Delivered(ctx, l, next, attempt, d.now().Add(lease))
	if since := next.Outlet.FailingSince; err == nil && !since.IsZero() {
		d.logFailure(ctx, in.OutletAnswers(ctx, l.Outlet, d.now(), attempt.At.Sub(since) >= outage), l)
	}
	return more, err
}

// failureOf decides what a failed try leads to.
func (d *Deliverer) failureOf(ctx context.Context, l store.DeliveryQueue, attempt store.Attempt,
	answer transport.Answer) store.DeliveryFailure {
	now := d.now()
	back := store.DeliveryFailure{Next: now.Add(pause(l.Tries)), Probe: now.Add(probe)}
	if answer.Status == http.StatusGone {
		back.Next, back.Off = now, "the customer's system answered 410 Gone at "+attempt.At.UTC().Format(time.RFC3339)
		d.log.Warn("an outlet answered 410 and is switched off", d.db.Whose(ctx, l.Scope), "outlet", l.Outlet)
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
