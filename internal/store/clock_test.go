package store

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// TestClockThatIsOverAtOnce holds that a clock which rings before start has
// returned is set again all the same, unless it was stopped meanwhile.
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
		close(asked) // a second call would panic
		<-stopped
		return time.Nanosecond
	})
	<-asked
	c.stop()
	close(stopped)
	c.restart(time.Hour)
	c.stop()
}

// TestWatchWhoseTurnIsOver holds that long work whose turn is over when it reaches the driver is still watched.
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
