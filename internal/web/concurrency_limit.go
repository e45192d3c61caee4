package web

import (
	"net/http"
	"sync"
	"time"
)

// Concurrency is how much of something may be under way at a time, and the refusal for anything
// beyond it.
type Concurrency struct {
	Each, All int           // of one client, and of all
	After     time.Duration // when to ask again
	OfClient  string        // the message when the client has reached its limit
	OfAll     string        // the message when the total is reached
}

// A ConcurrencyLimit holds clients to a Concurrency. The caller names the clients; one without a
// name counts only towards the total.
type ConcurrencyLimit struct {
	Concurrency
	mu    sync.Mutex
	taken map[string]int // by client
	total int
}

// NewConcurrencyLimit returns a limit with nothing under way.
func NewConcurrencyLimit(c Concurrency) *ConcurrencyLimit {
	return &ConcurrencyLimit{Concurrency: c, taken: map[string]int{}}
}

// Acquire counts one more of client until it is released, or refuses it.
func (l *ConcurrencyLimit) Acquire(client string) (release func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case client != "" && l.taken[client] >= l.Each:
		return nil, TooManyRequests(l.After, l.OfClient)
	case l.total >= l.All:
		return nil, Overloaded(l.After, l.OfAll)
	}
	l.taken[client]++
	l.total++
	return sync.OnceFunc(func() { l.release(client) }), nil
}

func (l *ConcurrencyLimit) release(client string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken[client]--; l.taken[client] == 0 {
		delete(l.taken, client)
	}
	l.total--
}

// BoundRequests bounds how many requests of one network are under way at a time: everybody shares
// the connections of a trusted proxy, and one client that reads no answers would occupy them all.
// It goes behind FindClient. Requests beyond the bound are answered by refuse.
//
// Decided: docs/choices.md, "What anybody may fill".
func BoundRequests(each, all int, refuse func(http.ResponseWriter, *http.Request, error),
	next http.Handler) http.Handler {
	limit := NewConcurrencyLimit(Concurrency{
		Each: each, All: all, After: 5 * time.Second,
		OfClient: "too many requests from your network are in progress; send it again in a moment",
		OfAll:    "too many requests are in progress; send it again in a moment",
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		release, err := limit.Acquire(Network(Client(r)))
		if err != nil {
			refuse(w, r, err)
			return
		}
		defer release()
		next.ServeHTTP(w, r)
	})
}
