package store

import (
	"context"
	"errors"
	"sync"
)

// reportTurns let each account read only so many answers from the database at a time; others of it wait. There are
// few connections for reports, and one account's heavy requests must not take all of them.
type reportTurns struct {
	each int
	mu   sync.Mutex
	of   map[string]*reportTurn // by account, as long as somebody reads or waits
}

type reportTurn struct {
	places chan struct{}
	users  int
}

func newReportTurns(each int) *reportTurns {
	return &reportTurns{each: each, of: map[string]*reportTurn{}}
}

// take waits for a turn of the account, and returns what ends it. It fails with ErrReportTooLong if the time
// that ctx has is over before.
func (t *reportTurns) take(ctx context.Context, account string) (end func(), err error) {
	t.mu.Lock()
	one := t.of[account]
	if one == nil {
		one = &reportTurn{places: make(chan struct{}, t.each)}
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
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, ErrReportTooLong
		}
		return nil, ctx.Err()
	}
}
