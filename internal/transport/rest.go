package transport

import (
	"io"
	"sync"
	"time"
)

// A Rest keeps connections that are likely to be needed again in a moment: a run puts away one file after the other,
// and outlets leave several. Whoever needs one more makes it. It may be used by several goroutines.
type Rest[C io.Closer] struct {
	mu   sync.Mutex
	idle []C
	shut *time.Timer // closes what rests
}

// resting is how long connections are kept after the last one was used.
const resting = 10 * time.Second

// Take returns a connection that rests. Not ok: none does.
func (r *Rest[C]) Take() (c C, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := len(r.idle) - 1
	if last < 0 {
		return c, false
	}
	c, r.idle = r.idle[last], r.idle[:last]
	return c, true
}

// Keep keeps a connection for a while, or closes it if so many rest already.
func (r *Rest[C]) Keep(c C, most int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.idle) >= most {
		c.Close()
		return
	}
	r.idle = append(r.idle, c)
	if r.shut == nil {
		r.shut = time.AfterFunc(resting, func() { _ = r.Close() })
	}
	r.shut.Reset(resting)
}

// Close closes what rests.
func (r *Rest[C]) Close() error {
	r.mu.Lock()
	idle := r.idle
	r.idle = nil
	r.mu.Unlock()
	for _, c := range idle {
		c.Close()
	}
	return nil
}
