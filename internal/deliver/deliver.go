// Package deliver tells customers what happened to their bookings: it sends each action
// to each of the account's outlets, in the order of the booking's actions, until the
// customer has acknowledged it.
//
// It decides nothing about bookings: it reads the action log. Package transport knows how
// a document travels, package wire what it looks like.
package deliver

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"gangway"
	"gangway/internal/background"
	"gangway/internal/store"
	"gangway/internal/transport"
)

const (
	// lease is noted with a queue that is being served: until then, its next push is over.
	lease = 30 * time.Second

	// A queue that could not be served, or whose outcome could not be recorded, is released after a
	// rest; what was not recorded is delivered again. Recording is tried for recordFor while the
	// database is away, every recordAgain.
	rest        = 10 * time.Second
	recordFor   = time.Minute
	recordAgain = 250 * time.Millisecond

	// outAtOnce and eachAtOnce bound how many queues are being served in all and for one
	// outlet, so that a customer who does not answer takes up only its own places. An
	// outlet with fewer than handful places left is skipped.
	outAtOnce  = 512
	eachAtOnce = 16
	handful    = 8

	// pollInterval is how often due queues are looked for if no wake-up arrives.
	pollInterval = 500 * time.Millisecond

	// grace is how long pushes may continue once the program is told to stop.
	grace = 5 * time.Second
)

// Config is what a Deliverer needs.
type Config struct {
	DB      *store.DB
	Kinds   []transport.Kind // that outlets may use
	Options transport.Options
	Now     func() time.Time
	Log     *slog.Logger
}

// A Deliverer delivers for all accounts. Any number of them may run on one database.
type Deliverer struct {
	db      *store.DB
	senders *senders
	now     func() time.Time
	log     *slog.Logger

	workers sync.WaitGroup
	freed   chan struct{} // signals that there is room again

	mu   sync.Mutex
	out  int
	each map[string]int // queues being served, by outlet
	left []leftQueue    // still held, but nobody serves them
}

// A leftQueue is to be released at a time.
type leftQueue struct {
	store.DeliveryQueue
	at time.Time
}

// New returns a deliverer.
func New(c Config) *Deliverer {
	return &Deliverer{db: c.DB, senders: newSenders(c.Kinds, c.Options), now: c.Now, log: c.Log,
		freed: make(chan struct{}, 1), each: map[string]int{}}
}

// Run delivers until ctx ends, and returns once the pushes under way have ended.
func (d *Deliverer) Run(ctx context.Context) {
	if err := d.db.FreeQueues(ctx); err != nil && !errors.Is(err, store.ErrAway) {
		d.log.Error("queues could not be freed", "error", err)
	}
	pushing, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, cut) })
	defer d.workers.Wait()

	wake := d.db.Wakes(store.Deliveries)
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for failing := false; ; {
		more := false
		err := background.Guard(d.log, "take due deliveries", func() (err error) {
			d.releaseLeft(ctx)
			more, err = d.takeQueues(ctx, pushing)
			return err
		})
		if more && ctx.Err() == nil {
			continue
		}
		// Log a lasting failure once, not twice a second. The store itself logs that its database is away.
		if err != nil && !failing && ctx.Err() == nil && !errors.Is(err, store.ErrAway) {
			d.log.Error("due deliveries could not be taken", "error", err)
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-d.freed:
		case <-tick.C:
		}
	}
}

// takeQueues takes as many due queues as there is room for, and starts a worker on each. more reports
// whether there may be more to take at once.
func (d *Deliverer) takeQueues(ctx, pushing context.Context) (more bool, err error) {
	room, busy := d.room()
	if room <= 0 {
		return false, nil
	}
	now := d.now()
	queues, err := d.db.TakeQueues(ctx, now, now.Add(lease), room, handful, busy)
	if err != nil {
		return false, err
	}
	of := map[string]int{}
	for _, l := range queues {
		if of[l.Outlet]++; of[l.Outlet] == handful {
			more = true
		}
		d.acquire(l.Outlet)
		d.workers.Go(func() {
			defer d.release(l.Outlet)
			err := background.Guard(d.log, "deliver", func() error { return d.serve(ctx, pushing, l) })
			if err != nil && !errors.Is(err, store.ErrQueueLost) {
				d.leave(l)
			}
		})
	}
	return more || len(queues) == room, nil
}

// room returns how many more queues may be served, and the outlets with too few places left.
func (d *Deliverer) room() (room int, busy []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for outlet, n := range d.each {
		if n > eachAtOnce-handful {
			busy = append(busy, outlet)
		}
	}
	return outAtOnce - d.out, busy
}

func (d *Deliverer) acquire(outlet string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.out++
	d.each[outlet]++
}

// release notes that a queue is no longer being served. If that makes room, the loop in Run is woken.
func (d *Deliverer) release(outlet string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.out--
	d.each[outlet]--
	if d.out == outAtOnce-1 || d.each[outlet] == eachAtOnce-handful {
		select {
		case d.freed <- struct{}{}:
		default:
		}
	}
	if d.each[outlet] == 0 {
		delete(d.each, outlet)
	}
}

// serve delivers what is due in a queue, one delivery after another, until nothing is due, a delivery
// fails, or stop ends. The outcome of a push is always recorded. After an error the queue is still held.
func (d *Deliverer) serve(stop, pushing context.Context, l store.DeliveryQueue) error {
	ctx, in := context.WithoutCancel(stop), d.db.In(l.Scope)
	for {
		if stop.Err() != nil || !l.Held() {
			return d.logFailure(ctx, in.ReleaseQueue(ctx, l), l)
		}
		next, err := next(ctx, in, l)
		if err != nil {
			if gangway.KindOf(err) == gangway.NotFound {
				err = in.ReleaseQueue(ctx, l)
			}
			return d.logFailure(ctx, err, l)
		}
		attempt, answer := d.try(transport.WithHeld(pushing, l.Held), next)
		if attempt.Status == 0 && !l.Held() {
			return d.logFailure(ctx, in.ReleaseQueue(ctx, l), l) // it may not have left
		}
		more, err := d.record(pushing, func() (bool, error) { return d.settle(ctx, in, l, next, attempt, answer) })
		if err != nil || !more {
			return d.logFailure(ctx, err, l)
		}
		l.Tries, l.FirstAt = 0, time.Time{}
	}
}

// record calls settle until the database is there to record the outcome of a push, but not for ever.
func (d *Deliverer) record(pushing context.Context, settle func() (more bool, err error)) (more bool, err error) {
	for began := time.Now(); ; {
		more, err = settle()
		if !errors.Is(err, store.ErrAway) || time.Since(began) > recordFor {
			return more, err
		}
		select {
		case <-pushing.Done():
			return more, err
		case <-time.After(recordAgain):
		}
	}
}

// leave has a queue released later.
func (d *Deliverer) leave(l store.DeliveryQueue) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left = append(d.left, leftQueue{l, time.Now().Add(rest)})
}

// releaseLeft releases the queues that were left long enough ago.
func (d *Deliverer) releaseLeft(ctx context.Context) {
	d.mu.Lock()
	now := time.Now()
	var due []leftQueue
	d.left = slices.DeleteFunc(d.left, func(l leftQueue) bool {
		if rested := now.After(l.at); rested {
			due = append(due, l)
			return true
		}
		return false
	})
	d.mu.Unlock()
	for _, l := range due {
		err := d.db.In(l.Scope).ReleaseQueue(ctx, l.DeliveryQueue)
		if d.logFailure(ctx, err, l.DeliveryQueue); err != nil && !errors.Is(err, store.ErrQueueLost) {
			d.leave(l.DeliveryQueue)
		}
	}
}

// logFailure logs what went wrong with a queue, and returns it. That there was nothing to do, or that
// another worker did it, is not logged.
func (d *Deliverer) logFailure(ctx context.Context, err error, l store.DeliveryQueue) error {
	if err != nil && err != store.ErrQueueLost && !errors.Is(err, store.ErrAway) && gangway.KindOf(err) !=
		gangway.NotFound {
		d.log.Error("a delivery could not be read or recorded; it is retried", d.db.Whose(ctx, l.Scope), "outlet",
			l.Outlet, "booking", l.Booking, "error", err)
	}
	return err
}
