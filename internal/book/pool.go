package book

import (
	"maps"
	"sync"

	"gangway/internal/store"
)

// eachAtOnce bounds how much scheduled work runs side by side for one account at
// one supplier, and allAtOnce in all. Work mostly waits for suppliers, so the
// second is large: only if the suppliers of 64 accounts all hang do others wait.
const (
	eachAtOnce = 4
	allAtOnce  = 256
)

// A pool runs scheduled work side by side, with a bulkhead for each account and
// supplier: a supplier that hangs delays no other. It has no queue. Work is taken
// from the database only when it can begin at once, so its lease never runs out
// while it waits.
type pool struct {
	mu    sync.Mutex
	all   int
	busy  map[store.SupplierQueue]int
	freed chan struct{} // has a value if a piece of work has ended since it was last read
	done  sync.WaitGroup
}

func newPool() *pool {
	return &pool{busy: map[store.SupplierQueue]int{}, freed: make(chan struct{}, 1)}
}

// room returns how much work can be taken now.
func (p *pool) room() store.WorkCapacity {
	p.mu.Lock()
	defer p.mu.Unlock()
	return store.WorkCapacity{All: allAtOnce - p.all, Each: eachAtOnce, Busy: maps.Clone(p.busy)}
}

// begin does work for an account and supplier in the background.
func (p *pool) begin(c store.SupplierQueue, work func()) {
	p.mu.Lock()
	p.all++
	p.busy[c]++
	p.mu.Unlock()
	p.done.Go(func() {
		defer p.end(c)
		work()
	})
}

func (p *pool) end(c store.SupplierQueue) {
	p.mu.Lock()
	p.all--
	if p.busy[c]--; p.busy[c] == 0 {
		delete(p.busy, c)
	}
	p.mu.Unlock()
	select {
	case p.freed <- struct{}{}:
	default:
	}
}
