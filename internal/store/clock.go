package store

import (
	"sync"
	"time"
)

// A clock calls a function after a time. The function returns how long to wait until it is called
// again; 0 means never. It may be called before start returns. Stopping the clock does not
// interrupt a running call, but no other call follows.
type clock struct {
	mu      sync.Mutex
	timer   *time.Timer // nil: it was never started
	running bool
	over    func() (again time.Duration)
}

// start starts the clock for the first time.
func (c *clock) start(limit time.Duration, over func() (again time.Duration)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over, c.running = over, true
	c.timer = time.AfterFunc(limit, c.ring)
}

// restart sets the clock back to the full time; a clock that was never started stays stopped.
func (c *clock) restart(limit time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.running = true
		c.timer.Reset(limit)
	}
}

func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.running = false
		c.timer.Stop()
	}
}

func (c *clock) ring() {
	c.mu.Lock()
	running := c.running
	c.mu.Unlock()
	if !running {
		return
	}
	again := c.over()
	c.mu.Lock()
	defer c.mu.Unlock()
	if again > 0 && c.running {
		c.timer.Reset(again)
	}
}
