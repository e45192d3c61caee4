package gate

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Patience is how long a server waits for its database: for a free connection and the first answer
// together, and then for each further answer.
const Patience = 5 * time.Second

// asking is the part of patience that is kept for finding out whether the database answers anybody
// else.
const asking = 2 * time.Second

// errSilent is the reason why a call was cancelled.
var errSilent = errors.New("the database has not answered for too long")

// A Guard gives each call of the database a deadline, and decides for each error whether the database is away
// (see outage.go). It sits in front of the driver, the one place that every answer passes.
type Guard struct {
	Dialect Dialect
	limit   atomic.Int64                   // patience in nanoseconds; 0 for as long as it takes
	asks    func(ctx context.Context) bool // whether the database answers somebody else
	Outage  *Outage
	slow    slowLog
	wrote   atomic.Int64 // when something was last written
	schema  atomic.Int64 // how often the schema was seen to have changed
}

// Written returns when something was last written.
func (g *Guard) Written() time.Time { return time.UnixMilli(g.wrote.Load()) }

// SetPatience sets after how long a call that gets no answer is given up; 0: never.
func (g *Guard) SetPatience(d time.Duration) { g.limit.Store(int64(d)) }

// note remembers the time of a write, unless err says that it failed.
func (g *Guard) note(err error) {
	if err == nil {
		g.wrote.Store(time.Now().UnixMilli())
	}
}

// longKey marks the context of work that is expected to take long.
type longKey struct{}

// WithLongWork returns a context for work that may take longer than patience, such as writing many
// rows. It is cancelled only if the database does not answer anybody else either.
func WithLongWork(ctx context.Context) context.Context {
	return context.WithValue(ctx, longKey{}, true)
}

func isLong(ctx context.Context) bool { return ctx.Value(longKey{}) != nil }

// A Call is the context of one call of the database. It ends with ErrAway if the database does not answer in time.
// Its time includes the wait for a free connection, and stands still while nobody waits for the database.
type Call struct {
	context.Context // the caller's
	guard           *Guard
	timer           *time.Timer // nil: it may take as long as it needs
	left            func() bool // stops to watch for the end of the caller's context
	open            bool        // its rows or its transaction are open, and finish it
	over            atomic.Bool
	once            sync.Once
	done            chan struct{}
	err             error // why done is closed
}

// callKey finds the call that a context belongs to.
type callKey struct{}

// Call returns the call that ctx belongs to, or else a new one. end is called when the database has answered.
func (g *Guard) Call(ctx context.Context) (c *Call, end func()) {
	if c, ok := ctx.Value(callKey{}).(*Call); ok {
		return c, func() {}
	}
	c = &Call{Context: ctx, guard: g}
	if g.limit.Load() > 0 {
		c.done = make(chan struct{})
		c.left = context.AfterFunc(ctx, func() { c.stop(ctx.Err()) })
		c.timer = time.AfterFunc(time.Hour, c.expire)
		c.resume()
		if err := ctx.Err(); err != nil {
			c.stop(err)
		}
	}
	return c, func() {
		if !c.open {
			c.finish()
		}
	}
}

func (c *Call) stop(err error) {
	c.once.Do(func() { c.err = err; close(c.done) })
}

// Done is closed when the call's time is up or its caller has left, and not when the call ends: database/sql would
// take its end for a cancellation.
func (c *Call) Done() <-chan struct{} {
	if c.timer == nil {
		return c.Context.Done()
	}
	return c.done
}

// Err says why Done is closed.
func (c *Call) Err() error {
	if c.timer == nil {
		return c.Context.Err()
	}
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

// Value finds the call, and what its caller keeps.
func (c *Call) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// expire stops the call, unless it is long work and the database answers others.
func (c *Call) expire() {
	switch {
	case c.over.Load():
	case isLong(c.Context) && c.guard.asks(c.Context):
		c.timer.Reset(Patience - asking)
	default:
		c.stop(c.guard.Outage.Note(c.Context, errSilent))
	}
}

// pause stops the clock while nobody waits for the database; resume starts it again.
func (c *Call) pause() {
	if c.timer != nil {
		c.timer.Stop()
	}
}

func (c *Call) resume() {
	if c.timer == nil {
		return
	}
	limit := time.Duration(c.guard.limit.Load())
	if isLong(c.Context) {
		limit = max(0, limit-asking)
	}
	c.timer.Reset(limit)
}

// finish ends the call.
func (c *Call) finish() {
	if c.timer != nil {
		c.over.Store(true)
		c.timer.Stop()
		c.left()
	}
}

// Judge turns an error of the driver into the one that callers of the store see.
func (c *Call) Judge(err error) error {
	if err == nil {
		return nil
	}
	if silent := c.Err(); errors.Is(silent, ErrAway) {
		return silent
	}
	if c.Context.Err() != nil || errors.Is(err, ErrAway) || !c.guard.Dialect.Away(err) {
		return err
	}
	return c.guard.Outage.Note(c.Context, err)
}
