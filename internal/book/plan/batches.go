package plan

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"gangway/internal/background"
	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Config is what Batches need.
type Config struct {
	DB   *store.DB
	Desk *book.Desk
	Now  func() time.Time
	Log  *slog.Logger
}

// Batches begins batches and works on them. Any number of processes may do so on
// one database; each batch is worked on by one of them at a time.
type Batches struct {
	db   *store.DB
	desk *book.Desk
	now  func() time.Time
	log  *slog.Logger

	mu      sync.Mutex
	working int
	closing chan struct{} // closed when the process is to end
	closed  bool
	done    sync.WaitGroup
}

// New returns the batches of a database.
func New(c Config) *Batches {
	return &Batches{db: c.DB, desk: c.Desk, now: c.Now, log: c.Log, closing: make(chan struct{})}
}

// lease is how long a batch belongs to the process that works on it. It is
// renewed three times within that time, as an intent's is.
const lease = 15 * time.Second

// pollInterval is how often a process looks for batches that were left, and a page for
// progress, when nothing wakes them.
const pollInterval = 2 * time.Second

// batchesAtOnce bounds how many batches a process takes over from others.
const batchesAtOnce = 64

// parting is how long a process that is shutting down waits for answers of its
// suppliers. Later answers are found by follow-up.
const parting = 4 * time.Second

// Book begins to book for many people, in the background: it continues when the
// page is left and when the process dies. Beginning it again under the same
// identifier does nothing.
func (bs *Batches) Book(
	ctx context.Context, in store.Scoped, by gangway.User, id string, s gangway.Search, asks []book.BookAsk,
) error {
	b, err := newBatch(id, s, by, asks)
	if err != nil {
		return err
	}
	return bs.start(ctx, in, b)
}

// Act begins to do something to many bookings, as Book begins to make them.
func (bs *Batches) Act(
	ctx context.Context, in store.Scoped, by gangway.User, id string, act book.Act, asks []book.ActAsk,
) error {
	b, err := newActBatch(id, act, by, asks)
	if err != nil {
		return err
	}
	return bs.start(ctx, in, b)
}

// Move begins to do for people of a crew change what was chosen for each, as Book begins to make bookings.
func (bs *Batches) Move(
	ctx context.Context, in store.Scoped, by gangway.User, id, change string, asks []book.MoveAsk,
) error {
	searches := map[string]gangway.Search{}
	for _, ask := range asks {
		if ask.New == nil {
			continue
		}
		if _, read := searches[ask.New.Search]; read {
			continue
		}
		s, err := in.Search(ctx, ask.New.Search)
		if err != nil {
			return err
		}
		searches[s.ID] = s
	}
	b, err := newMoveBatch(id, change, by, asks, searches)
	if err != nil {
		return err
	}
	return bs.start(ctx, in, b)
}

// start begins a batch, unless one was begun under its identifier.
func (bs *Batches) start(ctx context.Context, in store.Scoped, b store.Batch) error {
	b.CreatedAt = bs.now()
	l, fresh, err := in.BeginBatch(ctx, b, bs.now().Add(lease))
	if err == nil && fresh {
		bs.begin(context.WithoutCancel(ctx), l)
	}
	return err
}

// Begun reports whether a batch was begun under an identifier.
func (bs *Batches) Begun(ctx context.Context, in store.Scoped, id string) (begun bool, err error) {
	if id == "" {
		return false, nil
	}
	return in.HasBatch(ctx, id)
}

// Watch returns a channel that has a value whenever a batch may have made progress,
// on whatever replica, until ctx ends.
func (bs *Batches) Watch(ctx context.Context, id string) <-chan struct{} {
	return bs.db.Watch(ctx, store.BatchTopic(id), pollInterval)
}

// Run takes over the batches of processes that died, until ctx ends. Work in
// progress is then left, as soon as suppliers have answered, to other replicas or
// to the next start.
func (bs *Batches) Run(ctx context.Context) {
	wake, stop := bs.db.Await(store.Batches)
	defer stop()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		err := background.Guard(bs.log, "look for batches", func() error { return bs.TakeUp(ctx) })
		if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrAway) { // which the store logs itself
			bs.log.ErrorContext(ctx, "abandoned batches could not be taken over", "error", err)
		}
		select {
		case <-ctx.Done():
			bs.close()
			return
		case <-wake:
		case <-tick.C:
		}
	}
}

// TakeUp takes over the batches whose process has died, and continues them.
func (bs *Batches) TakeUp(ctx context.Context) error {
	bs.mu.Lock()
	room := batchesAtOnce - bs.working
	bs.mu.Unlock()
	if room <= 0 {
		return nil
	}
	left, err := bs.db.TakeBatches(ctx, bs.now(), bs.now().Add(lease), room)
	for _, l := range left {
		bs.begin(store.OfRequest(context.WithoutCancel(ctx), l.Request), l)
	}
	return err
}

// begin works on a batch in the background, unless the process is shutting down:
// then another process takes it over when its lease ends.
func (bs *Batches) begin(ctx context.Context, l store.BatchLease) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if bs.closed {
		return
	}
	bs.working++
	bs.done.Go(func() {
		defer bs.end()
		err := background.Guard(bs.log, "work on a batch", func() error { return bs.work(ctx, l) })
		if err != nil && !errors.Is(err, store.ErrAway) && !isOver(err) {
			bs.log.ErrorContext(ctx, "a batch was interrupted; it will be taken over again", bs.db.Whose(ctx, l.Scope),
				"batch",
				l.ID, "error", err)
		}
	})
}

// isOver reports whether a batch no longer belongs to this process: another has
// taken it over, or it was removed with its customer.
func isOver(err error) bool {
	return errors.Is(err, store.ErrBatchLost) || errors.Is(err, store.ErrNoAccount)
}

func (bs *Batches) end() {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	bs.working--
}

// close starts nothing more of any batch and waits for the work in progress.
func (bs *Batches) close() {
	bs.mu.Lock()
	bs.closed = true
	close(bs.closing)
	bs.mu.Unlock()
	over := make(chan struct{})
	go func() {
		bs.done.Wait()
		close(over)
	}()
	select {
	case <-over:
	case <-time.After(parting):
	}
}
