package poll

import (
	"context"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"
)

// places are what documents take that cannot be read record by record, and may therefore take 64 MB
// of memory and more: so many are read at a time, in the order in which they came, and one of each
// account, so that nobody's documents are behind all of somebody else's. Lists wait for none.
//
// Decided: docs/choices.md, "Feeds".
type places struct {
	all *semaphore.Weighted

	mu sync.Mutex
	of map[string]*accountPlace
}

// placesAtOnce is how many such documents are read at a time.
const placesAtOnce = 2

// An accountPlace is the one that an account may have.
type accountPlace struct {
	*semaphore.Weighted
	users int // who has it or waits for it
}

func newPlaces() *places {
	return &places{all: semaphore.NewWeighted(placesAtOnce), of: map[string]*accountPlace{}}
}

// take waits for a place; leave gives it back.
func (p *places) take(ctx context.Context, account string) (leave func(), err error) {
	own := p.join(account)
	if err := own.Acquire(ctx, 1); err != nil {
		p.part(account)
		return nil, err
	}
	if err := p.all.Acquire(ctx, 1); err != nil {
		own.Release(1)
		p.part(account)
		return nil, err
	}
	return func() {
		debug.FreeOSMemory() // what it took, before the next takes as much
		p.all.Release(1)
		own.Release(1)
		p.part(account)
	}, nil
}

func (p *places) join(account string) *accountPlace {
	p.mu.Lock()
	defer p.mu.Unlock()
	own := p.of[account]
	if own == nil {
		own = &accountPlace{Weighted: semaphore.NewWeighted(1)}
		p.of[account] = own
	}
	own.users++
	return own
}

func (p *places) part(account string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if own := p.of[account]; own.users == 1 {
		delete(p.of, account)
	} else {
		own.users--
	}
}
