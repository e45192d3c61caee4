package background

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Places are what is there of something for all accounts, in the order in which they ask, and how much of it one may
// have, so that nobody waits behind all that somebody else wants.
type Places struct {
	all  *semaphore.Weighted
	each int64 // how many an account may have

	mu sync.Mutex
	of map[string]*accountPlaces
}

// accountPlaces are those that an account may have.
type accountPlaces struct {
	*semaphore.Weighted
	users int // who has some or waits for them
}

// NewPlaces returns so many places in all, and for each account.
func NewPlaces(all, each int64) *Places {
	return &Places{all: semaphore.NewWeighted(all), each: each, of: map[string]*accountPlaces{}}
}

// Take waits for n places, of which an account may have so many at once, too; leave gives them back.
func (p *Places) Take(ctx context.Context, account string, n int64) (leave func(), err error) {
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

func (p *Places) join(account string) *accountPlaces {
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

func (p *Places) part(account string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if own := p.of[account]; own.users == 1 {
		delete(p.of, account)
	} else {
		own.users--
	}
}
