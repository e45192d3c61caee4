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
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/background"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
)

const (
	// lease is noted with a queue that is being served: until then, its next push is over.
	lease = 30 * time.Second

	// A queue that could not be served, or whose outcome could not be recorded, is released after a
	// rest, and one whose outlet's mapping rests soon; what was not recorded is delivered again.
	// Recording is tried for recordFor while the database is away, every recordAgain.
	rest        = 10 * time.Second
	soon        = time.Second
	recordFor   = time.Minute
	recordAgain = 250 * time.Millisecond

	// filesAtOnce is how many documents of several actions are held at a time, and filesOfOne how many of them an
	// account's, as each takes a dozen MB of memory or more.
	filesAtOnce = 8
	filesOfOne  = 2

	// fresh is for how long a delivery that was read with others is sent as it was read.
	fresh = time.Second

	// pollInterval is how often due queues are looked for if no wake-up arrives.
	pollInterval = 500 * time.Millisecond

	// setBack is by how much a clock is behind where it was that was set back.
	setBack = 5 * time.Second

	// grace is how long pushes may continue once the program is told to stop.
	grace = 4 * time.Second
)

// Config is what a Deliverer needs.
type Config struct {
	DB      *store.DB
	Kinds   []transport.Kind // that outlets may use
	Options transport.Options
	Now     func() time.Time
	Log     *slog.Logger
	Workers *mapping.Workers // run what outlets map; nil: workers of the deliverer's own
}

// A Deliverer delivers for all accounts. Any number of them may run on one database.
type Deliverer struct {
	db      *store.DB
	senders *senders

	reshapings reshapings
	turns      *background.Slots // of documents of what goes together
	files      *background.Slots // of what goes together

	now   func() time.Time
	log   *slog.Logger
	grace time.Duration

	workers sync.WaitGroup
	freed   chan struct{} // signals that there is room again

	unrecorded chan struct{} // as many as were accepted, and not recorded yet
	outcomes   *recorder[store.Outcome, store.Recorded]
	bodies     *recorder[store.Made, error]
	looked     time.Time // when it last looked for work, by its clock

	steps chan struct{} // of what waits and its rests, while somebody is at work: as many as processors, but one
	rests atomic.Int64  // how long it still has to rest
	began time.Time
	taken atomic.Int64 // how long after it began something was taken along last

	mu    sync.Mutex
	held  int
	lines map[string]*line // by outlet
	left  []leftQueue      // still held, but nobody serves them
}

// A leftQueue is to be released at a time.
type leftQueue struct {
	store.DeliveryQueue
	at time.Time
}

// New returns a deliverer.
func New(c Config) *Deliverer {
	if c.Workers == nil {
		c.Workers = mapping.NewWorkers()
	}
	return &Deliverer{db: c.DB, senders: newSenders(c.Kinds, c.Options), now: c.Now, log: c.Log, grace: grace,
		began: time.Now(), freed: make(chan struct{}, 1), steps: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)),
		unrecorded: make(chan struct{}, unrecordedAtMost), lines: map[string]*line{},
		outcomes: newRecorder(outcomesGather, c.DB.RecordDelivered), bodies: newRecorder(bodiesGather, c.DB.KeepBodies),
		reshapings: reshapings{workers: c.Workers},
		turns:      newTurns(), files: background.NewSlots(filesAtOnce, filesOfOne)}
}

// Run delivers until ctx ends, and returns once the pushes under way have ended.
func (d *Deliverer) Run(ctx context.Context) {
	if err := d.db.FreeQueues(ctx); err != nil && !errors.Is(err, store.ErrAway) {
		d.log.Error("queues could not be freed", "error", err)
	}
	pushing, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	context.AfterFunc(ctx, func() { time.AfterFunc(d.grace, cut) })
	defer d.outcomes.run(context.WithoutCancel(ctx), d)()
	defer d.bodies.run(context.WithoutCancel(ctx), d)()
	defer d.workers.Wait()
	defer d.takeAlong(ctx, pushing)()

	wake := d.db.Wakes(store.Deliveries)
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for failing := false; ; {
		more := false
		err := background.Guard(d.log, "take due deliveries", func() (err error) {
			d.releaseLeft(ctx)
			if err = d.lookAtClock(ctx); err == nil {
				more, err = d.takeQueues(ctx, pushing)
			}
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

// lookAtClock has nothing wait for a clock that was set back to come to where it was.
func (d *Deliverer) lookAtClock(ctx context.Context) error {
	now := d.now()
	if back := d.looked.Sub(now); back > setBack {
		d.log.Warn("the clock was set back, so that all deliveries that wait are tried now", "by", back)
		if err := d.db.MakeQueuesDue(ctx, now); err != nil {
			return err
		}
	}
	d.looked = now
	return nil
}

// takeQueues takes due queues, as many as there is room for, and has them served. more reports whether there
// may be more to take at once.
func (d *Deliverer) takeQueues(ctx, pushing context.Context) (more bool, err error) {
	room, each, busy := d.room()
	if room <= 0 {
		return false, nil
	}
	now := d.now()
	defer d.step(false)()
	queues, err := d.db.TakeQueues(ctx, now, now.Add(lease), room, each, busy)
	if err != nil {
		return false, err
	}
	read := time.Now()
	next, err := d.db.NextDeliveries(ctx, queues)
	if err != nil {
		next = make([]*store.StoredDelivery, len(queues)) // each is read by itself
	}
	for i, l := range queues {
		d.put(ctx, pushing, readyQueue{DeliveryQueue: l, next: next[i], read: read})
	}
	return len(queues) == room, err
}

// takeAlong has what happens in this process served as soon as it is committed, until stop is called.
func (d *Deliverer) takeAlong(ctx, pushing context.Context) (stop func()) {
	var mu sync.Mutex // held while a worker may be added
	stopped := false
	end := d.db.TakeAlong(store.Taker{
		Room: func(outlet string, due time.Time) (time.Time, bool) {
			now := d.now()
			return now.Add(lease), ctx.Err() == nil && !due.After(now) && d.roomOf(outlet)
		},
		Take: func(l store.DeliveryQueue, next *store.StoredDelivery) (taken func()) {
			made := d.makeAhead(next)
			return func() {
				d.taken.Store(int64(time.Since(d.began)))
				mu.Lock()
				defer mu.Unlock()
				if stopped {
					_ = d.release(ctx, l)
					return
				}
				d.put(ctx, pushing, readyQueue{DeliveryQueue: l, next: next, read: time.Now(), made: made})
			}
		},
	})
	return func() {
		end()
		mu.Lock()
		defer mu.Unlock()
		stopped = true
	}
}

// makeAhead opens a delivery, and makes what is sent of it unless a mapping does, while its action is committed.
func (d *Deliverer) makeAhead(stored *store.StoredDelivery) <-chan *single {
	made := make(chan *single, 1)
	go func() {
		defer close(made) // empty if it cannot be made: serve tries again, and says why
		_ = background.Guard(d.log, "make a delivery", func() error {
			delivery, err := stored.Open()
			if err != nil {
				return err
			}
			if delivery.Outlet.Mapping == "" {
				if delivery.Body, err = Record(delivery); err != nil {
					return err
				}
			}
			made <- &single{delivery}
			return nil
		})
	}()
	return made
}

// serve makes the oldest delivery of a queue. What became of it is always recorded: of one that was accepted while
// the next queue is served. If more is due in this queue then, it is served again. After an error it is still held.
func (d *Deliverer) serve(stop, pushing context.Context, r readyQueue) error {
	l := r.DeliveryQueue
	ctx, in := context.WithoutCancel(stop), d.db.In(l.Scope)
	if l.Together() {
		leave, err := d.files.Take(pushing, l.Scope.Account, 1)
		if err != nil {
			return err
		}
		defer leave()
	}
	next, err := d.prepare(stop, pushing, r)
	if next == nil || err != nil {
		return err
	}
	p, settled, more, err := d.pack(pushing, in, r, next)
	if err != nil || settled {
		return d.settled(stop, pushing, l, more, err)
	}
	attempt, answer := d.try(transport.WithHeld(pushing, l.Held), l, next, p)
	if attempt.Status == 0 && !l.Held() {
		return d.release(stop, l) // it may not have left
	}
	settle := func() (more bool, err error) {
		return d.record(pushing, func() (bool, error) { return d.settle(ctx, in, l, next, attempt, answer) })
	}
	if !answer.Accepted() {
		_, err := settle()
		return d.logFailure(ctx, err, l)
	}
	d.unrecorded <- struct{}{}
	d.workers.Go(func() {
		defer func() { <-d.unrecorded }()
		more, err := settle()
		switch d.logFailure(ctx, err, l); {
		case err != nil && !errors.Is(err, store.ErrQueueLost):
			d.leave(rest, l)
		case more:
			l.Tries, l.FirstAt = 0, time.Time{}
			d.put(stop, pushing, readyQueue{DeliveryQueue: l})
		}
	})
	return nil
}

// shapeAhead has the outlet's mapping make the body of the oldest delivery of a queue, which then waits to be served.
// Its error is as for serve.
func (d *Deliverer) shapeAhead(stop, pushing context.Context, r readyQueue) error {
	next, err := d.prepare(stop, pushing, r)
	if next == nil || err != nil {
		return err
	}
	r.shaped = next
	if !d.put(stop, pushing, r) {
		return d.release(stop, r.DeliveryQueue)
	}
	return nil
}

// release releases a queue of which nothing is to be sent now.
func (d *Deliverer) release(stop context.Context, l store.DeliveryQueue) error {
	ctx := context.WithoutCancel(stop)
	return d.logFailure(ctx, d.db.In(l.Scope).ReleaseQueue(ctx, l), l)
}

// prepare returns the oldest delivery of a queue, with the body that the outlet's mapping makes of it. nil: it is not
// to be sent now, and the queue is not held any more unless there is an error.
func (d *Deliverer) prepare(stop, pushing context.Context, r readyQueue) (consignment, error) {
	l := r.DeliveryQueue
	ctx, in := context.WithoutCancel(stop), d.db.In(l.Scope)
	next, err := d.next(ctx, r)
	if err != nil {
		if gangway.KindOf(err) == gangway.NotFound {
			err = in.ReleaseQueue(ctx, l)
		}
		return nil, d.logFailure(ctx, err, l)
	}
	settled, more, err := d.shape(pushing, in, l, next)
	switch rests := (*restingError)(nil); {
	case errors.As(err, &rests) && rests.known && !l.Together(): // which is recorded with the delivery that it was at
		d.leave(soon, l)
		return nil, nil
	case mapping.Spent(err), errors.As(err, &rests):
		return nil, d.logFailure(ctx, d.unshaped(ctx, in, l, next, err), l)
	case err != nil || settled:
		return nil, d.settled(stop, pushing, l, more, err)
	}
	return next, nil
}

// settled goes on with a queue of which what was next is settled without having been sent. more: something is due.
func (d *Deliverer) settled(stop, pushing context.Context, l store.DeliveryQueue, more bool, err error) error {
	if err == nil && more {
		l.Tries, l.FirstAt = 0, time.Time{}
		d.put(stop, pushing, readyQueue{DeliveryQueue: l})
	}
	return d.logFailure(context.WithoutCancel(stop), err, l)
}

// next returns what is to be delivered: as it was read with others or made, unless that was some time ago.
func (d *Deliverer) next(ctx context.Context, r readyQueue) (consignment, error) {
	defer d.step(r.now())()
	if r.next == nil || time.Since(r.read) > fresh {
		return next(ctx, d.db.In(r.Scope), r.DeliveryQueue)
	}
	if r.shaped != nil {
		return r.shaped, nil
	}
	if r.now() {
		if made := <-r.made; made != nil {
			return made, nil
		}
	}
	delivery, err := r.next.Open()
	return &single{delivery}, err
}

// leave has queues released after a time.
func (d *Deliverer) leave(after time.Duration, list ...store.DeliveryQueue) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, l := range list {
		d.left = append(d.left, leftQueue{l, time.Now().Add(after)})
	}
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
			d.leave(rest, l.DeliveryQueue)
		}
	}
}

// logFailure logs what went wrong with a queue, and returns it. That there was nothing to do, or that
// another worker did it, is not logged.
func (d *Deliverer) logFailure(ctx context.Context, err error, l store.DeliveryQueue) error {
	if err != nil && err != store.ErrQueueLost && !errors.Is(err, store.ErrAway) && gangway.KindOf(err) !=
		gangway.NotFound {
		d.log.Error("a delivery could not be read, made or recorded; it is retried", d.db.Whose(ctx, l.Scope), "outlet",
			l.Outlet, "booking", l.Booking, "error", err)
	}
	return err
}
