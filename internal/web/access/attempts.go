package access

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// forgetAfter is how long a name that tries nothing is remembered: by then its
// allowance is full again.
const forgetAfter = time.Hour

// Attempts bounds how often something may be tried under one name, such as
// signing in with one e-mail address from one network address.
type Attempts struct {
	every time.Duration
	burst int
	now   func() time.Time

	mu    sync.Mutex
	names map[string]*attempt
	swept time.Time
}

type attempt struct {
	limit *rate.Limiter
	last  time.Time
}

// NewAttempts allows burst attempts at once and one more after every every.
func NewAttempts(burst int, every time.Duration, now func() time.Time) *Attempts {
	return &Attempts{every: every, burst: burst, now: now, names: map[string]*attempt{}}
}

// Allow reports whether one more attempt may be made under name now.
func (a *Attempts) Allow(name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	if now.Sub(a.swept) > forgetAfter {
		for n, t := range a.names {
			if now.Sub(t.last) > forgetAfter {
				delete(a.names, n)
			}
		}
		a.swept = now
	}
	t := a.names[name]
	if t == nil {
		t = &attempt{limit: rate.NewLimiter(rate.Every(a.every), a.burst)}
		a.names[name] = t
	}
	t.last = now
	return t.limit.AllowN(now, 1)
}

// Forgive gives name its whole allowance back: the last attempt was right.
func (a *Attempts) Forgive(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.names, name)
}
