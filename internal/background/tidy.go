package background

import (
	"runtime/debug"
	"sync"
	"time"
)

// A Tidier returns the memory that large requests and documents leave behind to the system. The runtime
// alone would keep it until half as much again is needed, or for minutes on an idle server, while the
// next take fresh memory. The zero Tidier is ready.
//
// Returning it takes some 50 ms of one processor, so it is done once for a certain number
// of bytes, and at most every other second.
type Tidier struct {
	mu      sync.Mutex
	left    int64 // bytes left behind since then
	running bool
}

const (
	untidy    = 16 << 20
	tidyPause = 2 * time.Second
)

// Leave counts bytes that were just released.
func (t *Tidier) Leave(bytes int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left += bytes
	if t.left >= untidy && !t.running {
		t.running = true
		go t.tidy()
	}
}

func (t *Tidier) tidy() {
	if t.more() {
		debug.FreeOSMemory()
		time.AfterFunc(tidyPause, t.tidy)
	}
}

// more reports whether there is enough to return.
func (t *Tidier) more() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running = t.left >= untidy
	if t.running {
		t.left = 0
	}
	return t.running
}
