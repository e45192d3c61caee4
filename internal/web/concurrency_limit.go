package web

import (
	"net/http"
	"time"

	"gangway/internal/background"
	"gangway/internal/store"
)

// Concurrency is how much of something may be in progress at a time, and the refusal of anything
// beyond it.
type Concurrency struct {
	Each, All int           // of one client, and of all
	After     time.Duration // when to ask again
	OfClient  string        // the message when the client has reached its limit
	OfAll     string        // the message when the total is reached
}

// A ConcurrencyLimit holds clients to a Concurrency. The caller names the clients.
type ConcurrencyLimit struct {
	Concurrency
	slots *background.Slots
}

// NewConcurrencyLimit returns a limit with nothing in progress.
func NewConcurrencyLimit(c Concurrency) *ConcurrencyLimit {
	return &ConcurrencyLimit{c, background.NewSlots(int64(c.All), int64(c.Each))}
}

// Acquire counts one more of client until it is released, or refuses it.
func (l *ConcurrencyLimit) Acquire(client string) (release func(), err error) {
	release, err = l.slots.TryTake(client, 1)
	switch err {
	case background.ErrAccountFull:
		return nil, TooManyRequests(l.After, l.OfClient)
	case background.ErrFull:
		return nil, Overloaded(l.After, l.OfAll)
	}
	return release, nil
}

// ByAccount is a client of Bound: the account that a request is for.
func ByAccount(_ *http.Request, in store.Scoped) string { return in.Scope().Account }

// Bound lets h answer only while its client, as of says, is within the limit.
func (l *ConcurrencyLimit) Bound(of func(*http.Request, store.Scoped) string, h Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		release, err := l.Acquire(of(r, in))
		if err != nil {
			return err
		}
		defer release()
		return h(w, r, in)
	}
}

// BoundRequests bounds how many requests of one network are in progress at a time: everybody shares
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
