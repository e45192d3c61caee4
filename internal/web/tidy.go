package web

import (
	"runtime/debug"
	"sync"
	"time"
)

// A tidier gives the memory that large requests leave behind back to the system.
// Left to itself the runtime keeps it until half as much again is asked for, or
// for minutes where nobody asks: meanwhile the next ones take theirs beside it.
//
// Looking for it takes some 50 ms of one processor, so it is done once for so
// many bytes, and no more often than every other second.
type tidier struct {
	mu      sync.Mutex
	left    int64 // bytes that were left behind since
	running bool
}

const (
	untidy    = 16 << 20
	tidyPause = 2 * time.Second
)

// leave says that so many bytes are of no use any more.
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

// more reports whether there is enough to be given back.
func (t *tidier) more() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running = t.left >= untidy
	if t.running {
		t.left = 0
	}
	return t.running
}
