package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long a server waits for its database: for a free connection and the first answer
// together, and then for each further answer.
const patience = 5 * time.Second

// asking is the part of patience that is kept for finding out whether the database answers anybody
// else.
const asking = 2 * time.Second

// errSilent is the reason why a statement was cancelled.
var errSilent = errors.New("the database has not answered for too long")

// A guard sits between database/sql and a driver, the one place that every answer of the database
// passes. For each error it decides whether the database is away (see outage.go), and it
// cancels statements that get no answer.
type guard struct {
	dialect dialect
	limit   atomic.Int64                   // patience in nanoseconds; 0 for as long as it takes
	asks    func(ctx context.Context) bool // whether the database answers somebody else
	outage  *outage
	wrote   atomic.Int64 // when something was last written
	schema  atomic.Int64 // how often the schema was seen to have changed
}

// written returns when something was last written.
func (g *guard) written() time.Time { return time.UnixMilli(g.wrote.Load()) }

// longKey marks the context of work that is expected to take long.
type longKey struct{}

// withLongWork returns a context for work that may take longer than patience, such as writing many
// rows. It is cancelled only if the database does not answer anybody else either.
func withLongWork(ctx context.Context) context.Context {
	return context.WithValue(ctx, longKey{}, true)
}

// patient reports whether the work of ctx may continue although its time is up.
func (g *guard) patient(ctx context.Context) bool {
	return ctx.Value(longKey{}) != nil && g.asks(ctx)
}

// A watch is one call of the driver, which is cancelled if it takes too long.
type watch struct {
	guard  *guard
	caller context.Context
	turn   *turn
	cancel context.CancelCauseFunc
	clock  clock
	silent atomic.Bool
}

// watch returns the context for a call of the driver on behalf of ctx, and the watch to be ended
// with the call.
func (g *guard) watch(ctx context.Context) (context.Context, *watch) {
	w := &watch{guard: g, caller: ctx, cancel: func(error) {}}
	limit := time.Duration(g.limit.Load())
	if limit == 0 {
		return ctx, w
	}
	if t, ok := ctx.Value(turnKey{}).(*turn); ok {
		w.turn, w.caller, limit = t, t.Context, time.Until(t.until)
	}
	ctx, w.cancel = context.WithCancelCause(w.caller)
	if ctx.Value(longKey{}) != nil {
		limit = max(0, limit-asking)
	}
	w.clock.start(limit, w.expire)
	return ctx, w
}

func (w *watch) expire() (again time.Duration) {
	// SQLite works on our own time
	ours := w.guard.dialect == sqlite && w.turn == nil && w.caller.Value(longKey{}) != nil
	if ours || w.guard.patient(w.caller) {
		return patience - asking
	}
	w.silent.Store(true)
	w.cancel(errSilent)
	return 0
}

// pause stops the clock while nobody waits for the database; resume starts it.
func (w *watch) pause() { w.clock.stop() }

func (w *watch) resume() {
	if !w.silent.Load() {
		w.clock.restart(time.Duration(w.guard.limit.Load()))
	}
}

// judge turns an error of the driver into the one that callers of the store see.
func (w *watch) judge(err error) error {
	switch {
	case err == nil:
		if w.turn != nil {
			w.turn.taken.Store(true)
		}
		return nil
	case err == driver.ErrSkip, err == io.EOF: // not errors but signals between database/sql and drivers
		return err
	case w.silent.Load():
		err = errSilent
	case w.caller.Err() != nil, !w.guard.dialect.away(err):
		return err
	}
	return w.guard.outage.note(w.caller, err)
}

// end is judge for a call that is over.
func (w *watch) end(err error) error {
	w.pause()
	err = w.judge(err)
	w.cancel(nil)
	return err
}

// turnKey finds the turn in a context.
type turnKey struct{}

// A turn is a context that bounds the wait for a connection and for the first answer on it. After
// that it behaves like its caller's context: it has no deadline of its own and needs no cleaning
// up.
type turn struct {
	context.Context
	guard *guard
	until time.Time
	taken atomic.Bool
	clock clock
	once  sync.Once
	done  chan struct{}
	err   error // why done is closed
}

// turn begins a turn; the function it returns is called when the database has answered.
func (g *guard) turn(ctx context.Context) (context.Context, func()) {
	limit := time.Duration(g.limit.Load())
	if limit == 0 {
		return ctx, func() {}
	}
	t := &turn{Context: ctx, guard: g, until: time.Now().Add(limit), done: make(chan struct{})}
	left := context.AfterFunc(ctx, func() { t.give(ctx.Err()) })
	if ctx.Value(longKey{}) != nil {
		limit -= asking
	}
	t.clock.start(limit, t.expire)
	return t, func() { left(); t.clock.stop() }
}

func (t *turn) expire() (again time.Duration) {
	switch {
	case t.taken.Load():
	case t.guard.patient(t.Context):
		return patience - asking
	default:
		t.give(t.guard.outage.note(t.Context, errSilent))
	}
	return 0
}

func (t *turn) give(err error) {
	t.once.Do(func() { t.err = err; close(t.done) })
}

// Done is closed when the turn is over or its caller has left.
func (t *turn) Done() <-chan struct{} {
	if t.taken.Load() {
		return t.Context.Done()
	}
	return t.done
}

// Err says why Done is closed.
func (t *turn) Err() error {
	if t.taken.Load() {
		return t.Context.Err()
	}
	select {
	case <-t.done:
		return t.err
	default:
		return nil
	}
}

// Deadline is that of the caller: database/sql watches Done.
func (t *turn) Deadline() (time.Time, bool) { return t.Context.Deadline() }

// Value finds the turn, and what its caller keeps.
func (t *turn) Value(key any) any {
	if key == (turnKey{}) {
		return t
	}
	return t.Context.Value(key)
}

// note remembers the time of a write, unless err says that it failed.
func (g *guard) note(err error) {
	if err == nil {
		g.wrote.Store(time.Now().UnixMilli())
	}
}
