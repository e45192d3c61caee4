package web

import (
	"container/list"
	"crypto/sha256"
	"sync"
	"time"
)

// remembered is how many names a limiter remembers at most, so that nobody can fill the
// memory with invented names: some 10 MB.
const remembered = 50_000

// A Limiter bounds how often something is done under one name: a key, an address or an
// e-mail. A name's period begins with its first use, and no period has more uses than
// the limit. All limits of the program are counted by limiters.
//
// Each replica counts for itself. Names are stored as hashes, so that a long name takes
// little memory and no memory dump contains it. If there are too many, those whose
// periods end first are forgotten.
type Limiter struct {
	most   int
	period time.Duration
	now    func() time.Time

	mu    sync.Mutex
	used  map[nameHash]*list.Element
	order *list.List // of *period, in the order in which they end
}

type nameHash [16]byte

// A period counts what was done under one name.
type period struct {
	name nameHash
	ends time.Time
	used int
}

// NewLimiter returns a limiter that allows most uses in a period.
func NewLimiter(most int, length time.Duration, now func() time.Time) *Limiter {
	return &Limiter{most: most, period: length, now: now, used: map[nameHash]*list.Element{}, order: list.New()}
}

// Use counts one use of name. It returns how many are left in its period, negative if
// this one was too many, and how long the period still lasts.
func (l *Limiter) Use(name string) (left int, ends time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	p := l.periodOf(hashName(name), now)
	p.used++
	return l.most - p.used, p.ends.Sub(now)
}

// GiveBack takes one use of name back.
func (l *Limiter) GiveBack(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, ok := l.used[hashName(name)]; ok {
		if p := e.Value.(*period); p.used > 0 {
			p.used--
		}
	}
}

// Forget gives name its whole allowance back.
func (l *Limiter) Forget(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, ok := l.used[hashName(name)]; ok {
		l.drop(e)
	}
}

// periodOf returns the current period of name, a new one if there is none.
func (l *Limiter) periodOf(name nameHash, now time.Time) *period {
	for e := l.order.Front(); e != nil && !now.Before(e.Value.(*period).ends); e = l.order.Front() {
		l.drop(e)
	}
	if e, ok := l.used[name]; ok {
		return e.Value.(*period)
	}
	if l.order.Len() >= remembered {
		l.drop(l.order.Front())
	}
	p := &period{name: name, ends: now.Add(l.period)}
	l.used[name] = l.order.PushBack(p)
	return p
}

func (l *Limiter) drop(e *list.Element) {
	delete(l.used, e.Value.(*period).name)
	l.order.Remove(e)
}

func hashName(name string) nameHash {
	sum := sha256.Sum256([]byte(name))
	return nameHash(sum[:16])
}
