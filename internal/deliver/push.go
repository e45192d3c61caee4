package deliver

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"gangway/internal/deliver/format"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/wire"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
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
	document, err := c.document(making, l.Together(), d.now())
	begun := d.now()
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
	d.log.DebugContext(pushing, "a delivery was tried", "outlet", l.Outlet, "booking", l.Booking, "webhook_id",
		document.ID, "status", answer.Status, "took", attempt.Took)
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
		d.log.WarnContext(ctx, "a delivery has failed for three days and is parked",
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

// A consignment is the deliveries to one outlet that leave as one document: a batch, or one alone.
type consignment []store.Delivery

func (c consignment) to() gangway.Outlet { return c[0].Outlet }

// document returns the document of a consignment. It is the same on every try, but for the time at which it is signed.
func (c consignment) document(ctx context.Context, together bool, at time.Time) (d transport.Outgoing, err error) {
	as, first, last := c.to().Format, c[0], c[len(c)-1]
	d = transport.Outgoing{ID: first.ID, Type: format.Media(as)}
	if together {
		d.Name = fmt.Sprintf("%s-%s.%s", first.ID, last.ID, format.Ending(as))
		records := make([][]byte, len(c))
		for i, delivery := range c {
			if records[i], err = Record(delivery); err != nil {
				return d, err
			}
		}
		d.Body, err = format.Several(ctx, as, records)
		return d, err
	}
	d.Name = fmt.Sprintf("%s-%d-%s.%s", first.Booking.ID, first.Seq, first.ID, format.Ending(as))
	if d.Body, err = Body(ctx, first); err != nil {
		return d, err
	}
	d.Header, err = Headers(first.ID, c.to().Secrets, at, d.Body)
	return d, err
}

// results returns what became of all deliveries of a consignment after a try.
func (c consignment) results(state string, a *store.Attempt) []store.Result {
	list := make([]store.Result, len(c))
	for i, d := range c {
		list[i] = store.Result{Delivery: d, State: state, Attempt: a}
	}
	return list
}

// Record returns what a delivery tells the customer, as JSON: what the outlet's mapping has made, or else the record
// that it is given.
func Record(d store.Delivery) ([]byte, error) {
	if d.Body != nil {
		return d.Body, nil
	}
	return wire.Booking(d.Booking, []gangway.Action{d.Action})
}

// Body returns what is sent of a delivery, the same bytes on every try. Of one that goes together with others it is
// what is sent of it alone.
func Body(ctx context.Context, d store.Delivery) ([]byte, error) {
	body, err := Record(d)
	if err != nil {
		return nil, err
	}
	return format.One(ctx, d.Outlet.Format, body)
}

// Headers returns the headers of a push: its identifier, its time, and a signature
// with each secret.
//
// Source: Standard Webhooks 1.0, HMAC-SHA256.
func Headers(id string, secrets []string, at time.Time, body []byte) (http.Header, error) {
	var signatures []string
	for _, secret := range secrets {
		hook, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return nil, errSecret
		}
		signature, err := hook.Sign(id, at, body)
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, signature)
	}
	header := http.Header{}
	header.Set("User-Agent", userAgent)
	header.Set("Webhook-Id", id)
	header.Set("Webhook-Timestamp", strconv.FormatInt(at.Unix(), 10))
	header.Set("Webhook-Signature", strings.Join(signatures, " "))
	return header, nil
}

// userAgent names us to customers' systems.
const userAgent = "Gangway"

// errSecret says nothing of the secret itself.
var errSecret = errors.New("a signing secret cannot be read: it begins with whsec_, as outlet set printed it")

// NewSecret returns a signing secret of 256 bits in the form of Standard Webhooks.
func NewSecret() string {
	secret := make([]byte, 32)
	rand.Read(secret)
	return SecretOf(secret)
}

// SecretOf writes the bytes of a signing secret in the form of Standard Webhooks.
func SecretOf(secret []byte) string { return "whsec_" + base64.StdEncoding.EncodeToString(secret) }
