package store

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// A precedence lets what is being written go first: no booking waits until a heavy report leaves it a processor.
type precedence struct {
	mu      sync.Mutex
	writing int                           // transactions that write, now
	begun   int                           // transactions that have written, and those
	over    atomic.Pointer[chan struct{}] // closed when none has written for a while; nil: none has, lately
}

const (
	// lull is for how long nothing must have been written: a booking is several transactions, one soon after the
	// other.
	lull = 2 * time.Millisecond

	// longestWay is how long something else is let go first at a time.
	longestWay = 50 * time.Millisecond
)

// write says that a transaction that writes begins; end, that it has ended.
func (p *precedence) write() (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writing++
	p.begun++
	if p.over.Load() == nil {
		over := make(chan struct{})
		p.over.Store(&over)
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.writing--; p.writing == 0 {
			begun := p.begun
			time.AfterFunc(lull, func() { p.calm(begun) })
		}
	}
}

// calm says that a while ago all transactions had ended of which as many had begun.
func (p *precedence) calm(begun int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.begun == begun {
		close(*p.over.Swap(nil))
	}
}

// A GivingWay is long work of one goroutine that lets what is being written go first.
type GivingWay struct {
	to    *precedence
	since time.Time // it has worked
}

// GivingWay begins work that lets what is being written go first.
func (db *DB) GivingWay() *GivingWay {
	return &GivingWay{&db.precedence, time.Now()}
}

// Give waits while something is being written, but no longer than the work has gone on since it last waited: where
// much is written all the time, it takes twice as long, and not for ever.
func (g *GivingWay) Give(ctx context.Context) {
	over := g.to.over.Load()
	if over == nil {
		return
	}
	enough := time.NewTimer(min(time.Since(g.since), longestWay))
	defer enough.Stop()
	select {
	case <-*over:
	case <-enough.C:
	case <-ctx.Done():
	}
	g.since = time.Now()
}
