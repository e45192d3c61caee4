package access

import (
	"maps"
	"sync"
	"time"
)

// trustLife is how long what was right is trusted without asking the database, and so how long a key or a report
// login that was revoked can still be used for reading at most. For writing, the transaction checks a key again.
const trustLife = 5 * time.Second

// trustedAtMost is how much is trusted before what has expired is removed.
const trustedAtMost = 10_000

// trusted remembers for a few seconds who has shown a key, or a name and a password, that was right. Wrong ones are not
// remembered: a new key must work at once, and nobody can fill the memory without one.
type trusted[T any] struct {
	mu    sync.Mutex
	known map[string]trust[T] // by hash
}

type trust[T any] struct {
	who   T
	until time.Time
}

func (t *trusted[T]) recall(hash string, now time.Time) (T, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known, ok := t.known[hash]
	return known.who, ok && now.Before(known.until)
}

func (t *trusted[T]) believe(hash string, who T, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.known) >= trustedAtMost {
		maps.DeleteFunc(t.known, func(_ string, old trust[T]) bool { return !now.Before(old.until) })
	}
	if t.known == nil {
		t.known = map[string]trust[T]{}
	}
	t.known[hash] = trust[T]{who, now.Add(trustLife)}
}
