package poll

import (
	"context"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"
)

// places are what documents take that cannot be read record by record, and may therefore take 64 MB
// of memory and more: so many are read at a time, in the order in which they came, and one of each
// account, so that nobody's documents are behind all of somebody else's. Lists wait for none, unless one
// of their records is large. What
// is read while somebody waits has places of its own.
//
// Decided: docs/choices.md, "Feeds".
type places struct {
	all  *semaphore.Weighted
	each int64 // how many an account may have

	mu sync.Mutex
	of map[string]*accountPlaces
}

// placesAtOnce is how many such documents are read at a time. One that is large, or has a large record, takes all:
// while its values are read, mapped and checked, each of these steps has them once.
const (
	placesAtOnce  = 2
	largeDocument = 16 << 20
)

// accountPlaces are those that an account may have.
type accountPlaces struct {
	*semaphore.Weighted
	users int // who has some or waits for them
}

func newPlaces(all, each int64) *places {
	return &places{all: semaphore.NewWeighted(all), each: each, of: map[string]*accountPlaces{}}
}

// take waits for n places, of which an account may have so many for one document, too; leave gives them back.
func (p *places) take(ctx context.Context, account string, n int64) (leave func(), err error) {
	own, ofOwn := p.join(account), min(n, p.each)
	if err := acquire(ctx, own.Weighted, ofOwn); err != nil {
		p.part(account)
		return nil, err
	}
	if err := acquire(ctx, p.all, n); err != nil {
		own.Release(ofOwn)
		p.part(account)
		return nil, err
	}
	return func() {
		p.all.Release(n)
		own.Release(ofOwn)
		p.part(account)
	}, nil
}

// acquire waits for n of what s has, and takes what is free also for whoever cannot wait any more.
func acquire(ctx context.Context, s *semaphore.Weighted, n int64) error {
	if s.TryAcquire(n) {
		return nil
	}
	return s.Acquire(ctx, n)
}

// takeOne waits for a place for a document that takes much memory. What it took is returned to the
// system before the next takes as much.
func (p *places) takeOne(ctx context.Context, account string) (leave func(), err error) {
	return p.takeFor(ctx, account, 1)
}

func (p *places) takeFor(ctx context.Context, account string, n int64) (leave func(), err error) {
	place, err := p.take(ctx, account, n)
	if err != nil {
		return nil, err
	}
	return func() {
		debug.FreeOSMemory()
		place()
	}, nil
}

// placeFor returns how an account's documents take a place.
func (p *Poller) placeFor(account string) placeOf {
	return func(ctx context.Context, large bool) (func(), error) {
		if large {
			return p.places.takeFor(ctx, account, placesAtOnce)
		}
		return p.places.takeOne(ctx, account)
	}
}

func (p *places) join(account string) *accountPlaces {
	p.mu.Lock()
	defer p.mu.Unlock()
	own := p.of[account]
	if own == nil {
		own = &accountPlaces{Weighted: semaphore.NewWeighted(p.each)}
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
