package background

import (
	"runtime/debug"
	"sync/atomic"
	"time"
)

// A Tidier returns the memory that large requests and documents leave behind to the system. The runtime
// alone would keep it until half as much again is needed, or for minutes on an idle server, while the
// next take fresh memory. The zero Tidier is ready.
//
// Returning it takes some 50 ms of one processor, so it is done once for a certain number
// of bytes, and at most every other second.
type Tidier struct {
	left    atomic.Int64 // bytes left behind since then
	running atomic.Bool
}

const untidy, tidyPause = 16 << 20, 2 * time.Second

// Leave counts bytes that were just released.
func (t *Tidier) Leave(bytes int64) {
	if t.left.Add(bytes) >= untidy && t.running.CompareAndSwap(false, true) {
		go t.tidy()
	}
}

func (t *Tidier) tidy() {
	for t.left.Load() >= untidy {
		t.left.Store(0)
		debug.FreeOSMemory()
		time.Sleep(tidyPause)
	}
	t.running.Store(false)
}
