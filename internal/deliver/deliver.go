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
	"sync"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/background"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
)

const (
	// heldAtMost is how many queues are held at a time, and eachAtOnce how many of one outlet's, so that a customer
	// who does not answer takes up only its own. takenAtOnce is how many of one outlet's are taken at a time, once
	// that many more may be held; takenTogether is how many of all.
	heldAtMost    = 4096
	eachAtOnce    = 16
	takenAtOnce   = eachAtOnce / 2
	takenTogether = 512

	// batchesAtOnce is how many batches are held at a time, and batchesOfOne how many of an account, as each takes a
	// dozen MB of memory or more.
	batchesAtOnce = 8
	batchesOfOne  = 2

	// recordedTogether is how many outcomes are written in one transaction. While the database is away, recording is
	// tried again for recordFor, every recordAgain. Then the queue's lease expires, and the push is sent again.
	recordedTogether = 512
	recordFor        = time.Minute
	recordAgain      = 250 * time.Millisecond

	// pollInterval is how often due queues are looked for if no wake-up arrives, and leaseLook how often it is looked
	// which leases are to be renewed.
	pollInterval = 500 * time.Millisecond
	leaseLook    = store.QueueLease / 5

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
	db         *store.DB
	senders    *senders
	reshapings reshapings
	batches    *background.Slots
	shaping    *background.Slots // by an outlet's mapping: one record of an account at a time
	now        func() time.Time
	log        *slog.Logger
	grace      time.Duration

	workers sync.WaitGroup
	freed   chan struct{}  // signals that an outlet's queues may be taken again
	made    chan recording // outcomes to be recorded
	looked  time.Time      // when it last looked for work, by its clock

	mu       sync.Mutex
	held     map[string]map[store.DeliveryQueue]bool // by outlet
	all      int                                     // of them
	accepted map[string]streak                       // by outlet
}

// New returns a deliverer.
func New(c Config) *Deliverer {
	if c.Workers == nil {
		c.Workers = mapping.NewWorkers()
	}
	return &Deliverer{db: c.DB, senders: newSenders(c.Kinds, c.Options), now: c.Now, log: c.Log, grace: grace,
		reshapings: reshapings{workers: c.Workers}, batches: background.NewSlots(batchesAtOnce, batchesOfOne),
		shaping: background.NewSlots(heldAtMost, 1),
		freed:   make(chan struct{}, 1), made: make(chan recording), held: map[string]map[store.DeliveryQueue]bool{},
		accepted: map[string]streak{}}
}

// Run delivers until ctx ends, and returns once the pushes under way have ended.
func (d *Deliverer) Run(ctx context.Context) {
	pushing, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	context.AfterFunc(ctx, func() { time.AfterFunc(d.grace, cut) })
	working, over := context.WithCancel(context.WithoutCancel(ctx))
	var beside sync.WaitGroup
	defer beside.Wait()
	defer over()
	beside.Go(func() { d.recordAll(working) })
	beside.Go(func() { d.renewAll(working) })
	defer d.workers.Wait()

	wake := d.db.Wakes(store.Deliveries)
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for failing := false; ; {
		more := false
		err := background.Guard(d.log, "take due deliveries", func() (err error) {
			if err = d.checkClock(ctx); err == nil {
				more, err = d.take(ctx, pushing)
			}
			return err
		})
		if more && ctx.Err() == nil {
			continue
		}
		// Log a lasting failure once, not twice a second. The store itself logs that its database is away.
		if err != nil && !failing && ctx.Err() == nil && !errors.Is(err, store.ErrAway) {
			d.log.ErrorContext(ctx, "due deliveries could not be taken", "error", err)
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

// checkClock makes waiting deliveries due now if the clock was set back.
func (d *Deliverer) checkClock(ctx context.Context) error {
	now := d.now()
	if back := d.looked.Sub(now); back > setBack {
		d.log.WarnContext(ctx, "the clock was set back, so that all deliveries that wait are tried now", "by", back)
		if err := d.db.MakeQueuesDue(ctx, now); err != nil {
			return err
		}
	}
	d.looked = now
	return nil
}

// take takes due queues, as many as may be held, and begins to serve them. more reports whether there may be more to
// take at once.
func (d *Deliverer) take(ctx, pushing context.Context) (more bool, err error) {
	most, busy := d.room()
	if most <= 0 {
		return false, nil
	}
	queues, err := d.db.TakeQueues(ctx, d.now(), most, takenAtOnce, busy)
	if err != nil {
		return false, err
	}
	next, err := d.db.NextDeliveries(ctx, queues)
	if err != nil {
		return false, err // their leases expire
	}
	of := map[string]int{}
	for i, l := range queues {
		held := d.hold(l)
		of[l.Outlet]++
		more = more || of[l.Outlet] == takenAtOnce && held <= eachAtOnce-takenAtOnce
		d.workers.Go(func() {
			defer d.leave(l)
			d.serve(ctx, pushing, l, next[i])
		})
	}
	return more || len(queues) == most, nil
}

// room returns how many queues may be taken, and the outlets of which enough are held.
func (d *Deliverer) room() (most int, busy []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for outlet, list := range d.held {
		if len(list) > eachAtOnce-takenAtOnce {
			busy = append(busy, outlet)
		}
	}
	return min(heldAtMost-d.all, takenTogether), busy
}

// hold notes that a queue is served, and returns how many of its outlet are.
func (d *Deliverer) hold(l store.DeliveryQueue) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.held[l.Outlet] == nil {
		d.held[l.Outlet] = map[store.DeliveryQueue]bool{}
	}
	d.held[l.Outlet][l] = true
	d.all++
	return len(d.held[l.Outlet])
}

// leave notes that a queue is no longer served. When more of its outlet may be taken again, the loop in Run is woken.
func (d *Deliverer) leave(l store.DeliveryQueue) {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := d.held[l.Outlet]
	delete(list, l)
	if len(list) == 0 {
		delete(d.held, l.Outlet)
	}
	if d.all--; len(list) == eachAtOnce-takenAtOnce || d.all == heldAtMost-1 {
		select {
		case d.freed <- struct{}{}:
		default:
		}
	}
}

// renewAll renews the leases of queues whose service takes long, until ctx ends.
func (d *Deliverer) renewAll(ctx context.Context) {
	tick := time.NewTicker(leaseLook)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var list []*store.Outcome
		d.mu.Lock()
		for _, queues := range d.held {
			for l := range queues {
				if !l.HeldFor(store.QueueLease - leaseLook) {
					list = append(list, &store.Outcome{Queue: l, Keep: true})
				}
			}
		}
		d.mu.Unlock()
		if len(list) > 0 { // whoever cannot renew a lease sends nothing once it has expired
			_ = background.Guard(d.log, "renew leases", func() error { d.db.Settle(ctx, list...); return nil })
		}
	}
}

// serve delivers what is next in a queue and gives the queue back. After an error its lease expires.
func (d *Deliverer) serve(stop, pushing context.Context, l store.DeliveryQueue, next store.NextDelivery) {
	if next.Delivery != nil {
		stop, pushing = store.OfRequest(stop, next.Request), store.OfRequest(pushing, next.Request)
	}
	err := background.Guard(d.log, "deliver", func() error {
		o, err := d.deliver(stop, pushing, l, next)
		if err == nil {
			err = d.record(pushing, o)
		}
		if err == nil {
			err = d.recorded(context.WithoutCancel(stop), o)
		}
		return err
	})
	d.logFailure(stop, err, l)
}

// deliver sends what is next in a queue, and returns what became of it.
func (d *Deliverer) deliver(stop, pushing context.Context, l store.DeliveryQueue,
	next store.NextDelivery) (*store.Outcome, error) {
	if l.Together() {
		leave, err := d.batches.Take(pushing, l.Scope.Account, 1)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	if stop.Err() != nil {
		return d.giveBack(l), nil
	}
	c, err := d.open(context.WithoutCancel(stop), l, next)
	if err != nil || len(c) == 0 {
		return d.giveBack(l), err
	}
	if c.to().Mapping != "" {
		var o *store.Outcome
		if c, o, err = d.shape(pushing, l, c); o != nil || err != nil {
			return o, err
		}
	}
	return d.push(pushing, l, c)
}

// giveBack returns the outcome of a queue of which nothing is sent now.
func (d *Deliverer) giveBack(l store.DeliveryQueue) *store.Outcome {
	return &store.Outcome{Queue: l, At: d.now()}
}

// open returns what is next in a queue; nothing if nothing is due.
func (d *Deliverer) open(ctx context.Context, l store.DeliveryQueue, next store.NextDelivery) (consignment, error) {
	if l.Together() {
		return d.db.In(l.Scope).NextBatch(ctx, l)
	}
	if next.Err != nil || next.Delivery == nil {
		return nil, next.Err
	}
	return consignment{*next.Delivery}, nil
}

// logFailure logs what went wrong with a queue. That another worker has it is not logged.
func (d *Deliverer) logFailure(ctx context.Context, err error, l store.DeliveryQueue) {
	if err != nil && !errors.Is(err, store.ErrQueueLost) && !errors.Is(err, store.ErrAway) && gangway.KindOf(err) !=
		gangway.NotFound {
		d.log.ErrorContext(ctx, "a delivery could not be read, made or recorded; it is retried",
			d.db.Whose(context.WithoutCancel(ctx), l.Scope), "outlet", l.Outlet, "booking", l.Booking, "error", err)
	}
}
