package background

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Slots bound how much is done at a time: in all, and for each account, so that nobody waits behind everything that
// one account wants. Whoever asks first gets slots first. A slot may be worth anything: a search, a request, a byte.
type Slots struct {
	all  *semaphore.Weighted
	each int64 // for one account

	mu sync.Mutex
	of map[string]*accountSlots
}

type accountSlots struct {
	*semaphore.Weighted
	users int // that have slots or wait for some
}

// TryTake refuses with one of these.
var (
	ErrAccountFull = errors.New("the account has no free slot")
	ErrFull        = errors.New("there is no free slot")
)

// NewSlots returns slots: so many in all, and for each account.
func NewSlots(all, each int64) *Slots {
	return &Slots{all: semaphore.NewWeighted(all), each: each, of: map[string]*accountSlots{}}
}

// Take waits for n slots. If an account may have fewer, it gets n once none of its slots is taken. leave gives them
// back.
func (s *Slots) Take(ctx context.Context, account string, n int64) (leave func(), err error) {
	return s.take(account, n, func(of *semaphore.Weighted, n int64) error {
		if of.TryAcquire(n) { // also if ctx has ended
			return nil
		}
		return of.Acquire(ctx, n)
	})
}

// TryTake is Take for those who do not wait: it fails with ErrAccountFull or ErrFull.
func (s *Slots) TryTake(account string, n int64) (leave func(), err error) {
	full := ErrAccountFull
	return s.take(account, n, func(of *semaphore.Weighted, n int64) error {
		if !of.TryAcquire(n) {
			return full
		}
		full = ErrFull
		return nil
	})
}

// take acquires the account's own slots first: so those that wait for one of all slots belong to different accounts.
func (s *Slots) take(account string, n int64, acquire func(*semaphore.Weighted, int64) error) (func(), error) {
	own, ofOwn := s.join(account), min(n, s.each)
	if err := acquire(own.Weighted, ofOwn); err != nil {
		s.part(account, 0)
		return nil, err
	}
	if err := acquire(s.all, n); err != nil {
		s.part(account, ofOwn)
		return nil, err
	}
	return sync.OnceFunc(func() {
		s.all.Release(n)
		s.part(account, ofOwn)
	}), nil
}

func (s *Slots) join(account string) *accountSlots {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.of[account]
	if own == nil {
		own = &accountSlots{Weighted: semaphore.NewWeighted(s.each)}
		s.of[account] = own
	}
	own.users++
	return own
}

// part gives the account's own slots back, and forgets an account that has or wants no others.
func (s *Slots) part(account string, slots int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.of[account]
	own.Release(slots)
	if own.users--; own.users == 0 {
		delete(s.of, account)
	}
}
