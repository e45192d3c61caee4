package api

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web"
)

// places bound the answers of A5 that are under way at a time. Each has a part
// of itself in memory and reads the database again and again: whoever asks for
// many and reads none takes neither from others.
type places struct {
	each, all int // at a time: of one account, of everybody
	mu        sync.Mutex
	taken     map[string]int // by account
	total     int
}

func newPlaces(each, all int) *places {
	return &places{each: each, all: all, taken: map[string]int{}}
}

// take takes a place, or says when to come back.
func (p *places) take(account string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.taken[account] >= p.each:
		return web.TooManyRequests(2*time.Second, fmt.Sprintf("%d answers are on their way to this account, which are as many as it may have at a time; nothing was handed out", p.each))
	case p.total >= p.all:
		return gangway.Errorf(gangway.Unavailable, "as many answers are on their way as there may be at a time; nothing was handed out")
	}
	p.taken[account]++
	p.total++
	return nil
}

func (p *places) leave(account string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[account]--; p.taken[account] == 0 {
		delete(p.taken, account)
	}
	p.total--
}

// inPlace has h answer only while there is a place for its answer: what is
// refused has begun nothing.
//
// Decided: docs/choices.md, "Pull (A5)".
func (a *API) inPlace(h web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		if err := a.places.take(in.Scope().Account); err != nil {
			return err
		}
		defer a.places.leave(in.Scope().Account)
		return h(w, r, in)
	}
}
