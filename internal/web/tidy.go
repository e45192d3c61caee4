package web

import (
	"runtime/debug"
	"sync"
	"time"
)

// A tidier returns the memory that large requests leave behind to the system. The runtime alone
// would keep it until half as much again is needed, or for minutes on an idle server, while the
// next requests take fresh memory.
//
// Returning it takes some 50 ms of one processor, so it is done once for a certain number
// of bytes, and at most every other second.
type tidier struct {
	mu      sync.Mutex
	left    int64 // bytes left behind since then
	running bool
}

const (
	untidy    = 16 << 20
	tidyPause = 2 * time.Second
)

// leave counts bytes that were just released.
func (t *tidier) leave(bytes int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left += bytes
	if t.left >= untidy && !t.running {
		t.running = true
		go t.tidy()
	}
}

func (t *tidier) tidy() {
	if t.more() {
		debug.FreeOSMemory()
		time.AfterFunc(tidyPause, t.tidy)
	}
}

// more reports whether there is enough to return.
func (t *tidier) more() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running = t.left >= untidy
	if t.running {
		t.left = 0
	}
	return t.running
}
