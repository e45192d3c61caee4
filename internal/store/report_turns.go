package store

import (
	"context"
	"errors"
	"sync"
)

// ReportTurns let each account, or each person, read only so many reports at a time; others of it wait. There are
// few connections for reports, and the heavy requests of one must not take all of them.
type ReportTurns struct {
	each int
	mu   sync.Mutex
	of   map[string]*reportTurn // by name, as long as somebody reads or waits
}

type reportTurn struct {
	places chan struct{}
	users  int
}

// NewReportTurns returns turns of which each has so many at a time.
func NewReportTurns(each int) *ReportTurns {
	return &ReportTurns{each: each, of: map[string]*reportTurn{}}
}

// Take waits for a turn of whoever is named, and returns what ends it. It fails with ErrReportTooLong if the time
// that ctx has is over before.
func (t *ReportTurns) Take(ctx context.Context, name string) (end func(), err error) {
	t.mu.Lock()
	one := t.of[name]
	if one == nil {
		one = &reportTurn{places: make(chan struct{}, t.each)}
		t.of[name] = one
	}
	one.users++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if one.users--; one.users == 0 {
			delete(t.of, name)
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
