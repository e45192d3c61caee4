package store

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// A time that is over before the clock is there to be set again is waited for
// again all the same, and a clock that was stopped meanwhile is not.
func TestClockThatIsOverAtOnce(t *testing.T) {
	for range 20_000 {
		var c clock
		again, calls := make(chan struct{}), atomic.Int64{}
		c.start(-time.Second, func() time.Duration {
			if calls.Add(1) == 2 {
				close(again)
				return 0
			}
			return time.Nanosecond
		})
		<-again
		c.stop()
	}
	var c clock
	asked, stopped := make(chan struct{}), make(chan struct{})
	c.start(0, func() time.Duration {
		close(asked) // a second time it would panic
		<-stopped
		return time.Nanosecond
	})
	<-asked
	c.stop()
	close(stopped)
	c.restart(time.Hour)
	c.stop()
}

// Long work whose turn is over when it reaches the driver is watched further.
func TestWatchWhoseTurnIsOver(t *testing.T) {
	g := &guard{dialect: postgres, asks: func(context.Context) bool { return true }}
	g.limit.Store(int64(time.Second))
	turned, end := g.turn(withLongWork(t.Context()))
	defer end()
	turned.(*turn).until = time.Now().Add(-time.Second)
	for range 20_000 {
		ctx, w := g.watch(turned)
		if w.end(nil); context.Cause(ctx) == errSilent {
			t.Fatal("it was given up, though the database answers others")
		}
	}
}
