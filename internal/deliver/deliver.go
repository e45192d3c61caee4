// Package deliver tells customers what happened to their bookings: each action
// is taken to each of the account's outlets, in the order of the booking's
// actions, until the customer has acknowledged it.
//
// It decides nothing about bookings: it reads the action log. How a document
// travels is package transport's; its shape is package wire's.
package deliver

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/wire"
)

const (
	// lease is how long a worker may keep a lane without a word: longer than any
	// push takes, short enough that a dead replica holds nothing up for long.
	lease = 30 * time.Second

	// margin is how much of its lease a worker must have left to begin a push,
	// so that one that was paused meanwhile does not send what another has sent.
	margin = 16 * time.Second

	// outAtOnce and eachAtOnce bound how many lanes are out in all, and of one
	// outlet: a customer who does not answer takes up her own places only.
	outAtOnce  = 128
	eachAtOnce = 8

	// look is how often due lanes are looked for when nothing wakes.
	look = 500 * time.Millisecond
)

// Config is what a Deliverer needs.
type Config struct {
	DB   *store.DB
	Push transport.Pusher
	Now  func() time.Time
	Log  *slog.Logger
}

// A Deliverer delivers for all accounts. Any number of them may run on one database.
type Deliverer struct {
	db   *store.DB
	push transport.Pusher
	now  func() time.Time
	log  *slog.Logger

	mu    sync.Mutex
	out   int
	each  map[string]int  // lanes out, by outlet
	lame  map[string]bool // outlets whose last push failed
	freed chan struct{}   // a lane came back
}

// New returns a deliverer.
func New(c Config) *Deliverer {
	return &Deliverer{db: c.DB, push: c.Push, now: c.Now, log: c.Log, each: map[string]int{}, lame: map[string]bool{}, freed: make(chan struct{}, 1)}
}

// Run delivers until ctx ends, and returns when what was on its way is settled.
func (d *Deliverer) Run(ctx context.Context) {
	if err := d.db.FreeLanes(ctx); err != nil {
		d.log.Error("lanes could not be freed", "error", err)
	}
	wake := d.db.Wakes(store.Deliveries)
	tick := time.NewTicker(look)
	defer tick.Stop()
	var workers sync.WaitGroup
	defer workers.Wait()
	for {
		if err := d.takeLanes(ctx, &workers); err != nil && ctx.Err() == nil {
			d.log.Error("due deliveries could not be taken", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-d.freed:
		case <-tick.C:
		}
	}
}

// takeLanes takes what is due, as far as there is room, and starts a worker on each lane.
func (d *Deliverer) takeLanes(ctx context.Context, workers *sync.WaitGroup) error {
	d.mu.Lock()
	room, busy := outAtOnce-d.out, []string(nil)
	for outlet, n := range d.each {
		if n >= eachAtOnce {
			busy = append(busy, outlet)
		}
	}
	d.mu.Unlock()
	if room <= 0 {
		return nil
	}
	now := d.now()
	lanes, err := d.db.TakeLanes(ctx, now, now.Add(lease), rand.Text(), room, eachAtOnce, busy)
	if err != nil {
		return err
	}
	for _, l := range lanes {
		d.count(l.Outlet, 1)
		workers.Go(func() {
			defer d.count(l.Outlet, -1)
			d.serve(context.WithoutCancel(ctx), ctx, l, now.Add(lease))
		})
	}
	return nil
}

func (d *Deliverer) count(outlet string, by int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.out += by
	if d.each[outlet] += by; d.each[outlet] == 0 {
		delete(d.each, outlet)
	}
	if by < 0 {
		select {
		case d.freed <- struct{}{}:
		default:
		}
	}
}

// serve delivers what is due in a lane, one after another, until nothing is,
// something fails, or stop ends. What was pushed is written down even then.
func (d *Deliverer) serve(ctx, stop context.Context, l store.Lane, until time.Time) {
	for {
		if d.now().Add(margin).After(until) || stop.Err() != nil {
			d.note(d.db.ReleaseLane(ctx, l), l, "lane could not be released")
			return
		}
		next, err := d.db.NextDelivery(ctx, l)
		if err != nil {
			d.note(err, l, "delivery could not be read")
			d.note(d.db.ReleaseLane(ctx, l), l, "lane could not be released")
			return
		}
		if next.Outlet.Off {
			d.note(d.db.ReleaseLane(ctx, l), l, "lane could not be released")
			return
		}
		attempt, answer := d.try(ctx, next)
		until = d.now().Add(lease)
		more, err := d.settle(ctx, l, next, attempt, answer, until)
		if err != nil || !more {
			d.note(err, l, "outcome of a delivery could not be written; it is delivered again")
			return
		}
		l.Tries, l.FirstAt = 0, time.Time{}
	}
}

func (d *Deliverer) note(err error, l store.Lane, what string) {
	if err != nil && gangway.KindOf(err) != gangway.NotFound {
		d.log.Error(what, "outlet", l.Outlet, "booking", l.Booking, "error", err)
	}
}

// try pushes a delivery once.
//
// Spec: B5 Receive bookings.
func (d *Deliverer) try(ctx context.Context, next store.Delivery) (store.Attempt, transport.Answer) {
	begun := d.now()
	attempt := store.Attempt{At: begun}
	body, err := wire.Booking(next.Booking, []gangway.Action{next.Action})
	var answer transport.Answer
	if err == nil {
		var header map[string][]string
		if header, err = sign(next, begun, body); err == nil {
			answer, err = d.push.Push(ctx, transport.Document{To: next.Outlet.URL, Header: header, Body: body})
		}
	}
	attempt.Took = d.now().Sub(begun)
	if err != nil {
		attempt.Answer = err.Error()
		return attempt, transport.Answer{}
	}
	attempt.Status, attempt.Answer = answer.Status, string(answer.Body)
	return attempt, answer
}

// settle writes down what came of a try. more is true while the lane stays
// with this worker and has something due.
//
// Decided: docs/choices.md, "Push (B5)".
func (d *Deliverer) settle(ctx context.Context, l store.Lane, next store.Delivery, attempt store.Attempt, answer transport.Answer, until time.Time) (more bool, err error) {
	switch {
	case answer.Status >= 200 && answer.Status < 300:
		more, lost, err := d.db.Delivered(ctx, l, next, attempt, until)
		if err == nil && (d.recovers(l.Outlet) || l.Tries > 0) {
			err = d.db.HurryLanes(ctx, l, d.now())
		}
		return more && !lost, err
	case answer.Status == 410:
		d.log.Warn("an outlet answered 410 and is switched off", "outlet", l.Outlet)
		if err := d.db.In(l.Scope).SwitchOutlet(ctx, l.Outlet, true, "the customer's system answered 410 Gone at "+attempt.At.UTC().Format(time.RFC3339)); err != nil {
			return false, err
		}
		return false, d.db.Failed(ctx, l, next, attempt, d.now())
	}
	d.limps(l.Outlet)
	if !l.FirstAt.IsZero() && attempt.At.Sub(l.FirstAt) >= horizon {
		d.log.Warn("a delivery is parked after three days", "outlet", l.Outlet, "booking", l.Booking, "seq", next.Seq)
		return false, d.db.Parked(ctx, l, next, attempt)
	}
	wait, asked := retryAfter(answer, d.now())
	if !asked {
		wait = pause(l.Tries)
		soonest, err := d.db.SoonestDue(ctx, l)
		if err != nil {
			return false, err
		}
		// One lane of an outlet that is down asks every minute whether it is back.
		if now := d.now(); soonest.IsZero() || soonest.After(now.Add(probe)) {
			wait = min(wait, probe)
		}
	}
	return false, d.db.Failed(ctx, l, next, attempt, d.now().Add(wait))
}

func (d *Deliverer) limps(outlet string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lame[outlet] = true
}

// recovers reports whether the outlet's last push had failed, and forgets it.
func (d *Deliverer) recovers(outlet string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := d.lame[outlet]
	delete(d.lame, outlet)
	return was
}
