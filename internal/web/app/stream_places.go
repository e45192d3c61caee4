package app

import (
	"net/http"
	"sync"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web"
)

// Streams are open for as long as somebody looks, and each has what it sends
// in memory: so many at a time, of one person and of all.
//
// Decided: docs/choices.md, "What anybody may fill".
const (
	streamsEach = 24
	streamsAll  = 256
)

// streamPatience is how long a reader may take nothing of a stream before it is cut.
const streamPatience = 30 * time.Second

// streamPlaces counts the streams that are open, by person.
type streamPlaces struct {
	mu    sync.Mutex
	taken map[string]int
	total int
}

func newStreamPlaces() *streamPlaces { return &streamPlaces{taken: map[string]int{}} }

func (p *streamPlaces) take(person string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.taken[person] >= streamsEach:
		return web.TooManyRequests(10*time.Second, "more pages are open in your browser than can be kept up to date at once; close some, or load this one again")
	case p.total >= streamsAll:
		return gangway.Errorf(gangway.Unavailable, "more pages are open than can be kept up to date at once; load this one again in a moment")
	}
	p.taken[person]++
	p.total++
	return nil
}

func (p *streamPlaces) leave(person string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[person]--; p.taken[person] == 0 {
		delete(p.taken, person)
	}
	p.total--
}

// streaming has h send a stream only while there is a place for it.
func (a *App) streaming(h web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		v, _ := visitorOf(r.Context())
		if err := a.streams.take(v.User.ID); err != nil {
			return err
		}
		defer a.streams.leave(v.User.ID)
		return h(w, r, in)
	}
}
