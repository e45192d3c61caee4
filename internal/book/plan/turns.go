package plan

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// How many travellers are searched for side by side: for one account, and for all.
// More wait for their turn, so that nobody fills the memory or keeps the processors
// from others by starting many large searches.
const (
	turnsOfAccount = 200
	turnsOfAll     = 400
)

// turns lets searches begin in turn. An account waits for its own turn first, so that
// those who wait for a turn among all belong to different accounts.
type turns struct {
	all *semaphore.Weighted

	mu sync.Mutex
	of map[string]*accountTurns
}

type accountTurns struct {
	*semaphore.Weighted
	users int // that have or want a turn
}

func newTurns() *turns {
	return &turns{all: semaphore.NewWeighted(turnsOfAll), of: map[string]*accountTurns{}}
}

// take waits until that many travellers of an account may be searched for; release
// ends the turn. A search larger than an account's limit takes all of its turns.
func (t *turns) take(ctx context.Context, account string, travellers int) (release func(), err error) {
	n := int64(min(travellers, turnsOfAccount))
	own := t.join(account)
	if err := own.Acquire(ctx, n); err != nil {
		t.leave(account)
		return nil, err
	}
	if err := t.all.Acquire(ctx, n); err != nil {
		own.Release(n)
		t.leave(account)
		return nil, err
	}
	return func() {
		t.all.Release(n)
		own.Release(n)
		t.leave(account)
	}, nil
}

func (t *turns) join(account string) *accountTurns {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.of[account]
	if own == nil {
		own = &accountTurns{Weighted: semaphore.NewWeighted(turnsOfAccount)}
		t.of[account] = own
	}
	own.users++
	return own
}

func (t *turns) leave(account string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[account].users--; t.of[account].users == 0 {
		delete(t.of, account)
	}
}
