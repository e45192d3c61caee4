package reporting

import (
	"context"
	"sync"
)

// turns let each account read only so many answers from the database at a time; others of it wait. There are
// few connections for reports, and one account's heavy requests must not take all of them.
type turns struct {
	each int
	mu   sync.Mutex
	of   map[string]*turn // by account, as long as somebody reads or waits
}

type turn struct {
	places chan struct{}
	users  int
}

func newTurns(each int) *turns { return &turns{each: each, of: map[string]*turn{}} }

// take waits for a turn of the account, and returns what ends it.
func (t *turns) take(ctx context.Context, account string) (end func(), err error) {
	t.mu.Lock()
	one := t.of[account]
	if one == nil {
		one = &turn{places: make(chan struct{}, t.each)}
		t.of[account] = one
	}
	one.users++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if one.users--; one.users == 0 {
			delete(t.of, account)
		}
	}
	select {
	case one.places <- struct{}{}:
		return func() {
			<-one.places
			leave()
		}, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
