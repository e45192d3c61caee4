package api

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"gangway/internal/web"
)

// A rate counts requests by caller. A caller's minute begins with its first
// request: in no minute of its own are there more than the limit. Replicas
// count apart.
//
// Source: draft-ietf-httpapi-ratelimit-headers-10.
type rate struct {
	limit int
	now   func() time.Time
	mu    sync.Mutex
	used  map[string]minute
	sweep time.Time // when minutes that are over are cleared away
}

// A minute is what a caller has asked in it.
type minute struct {
	ends time.Time
	used int
}

func newRate(limit int, now func() time.Time) *rate {
	return &rate{limit: limit, now: now, used: map[string]minute{}}
}

// admit counts a request of caller, says in header what is left to it, and
// refuses what is too much.
func (l *rate) admit(header http.Header, caller string) error {
	now := l.now()
	m := l.count(caller, now)
	wait := m.ends.Sub(now)
	header.Set("RateLimit-Policy", fmt.Sprintf(`"default";q=%d;w=60`, l.limit))
	header.Set("RateLimit", fmt.Sprintf(`"default";r=%d;t=%d`, max(0, l.limit-m.used), int((wait+time.Second-1)/time.Second)))
	if m.used > l.limit {
		return web.TooManyRequests(wait, fmt.Sprintf("more than %d requests in a minute", l.limit))
	}
	return nil
}

func (l *rate) count(caller string, now time.Time) minute {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.After(l.sweep) {
		for caller, m := range l.used {
			if !now.Before(m.ends) {
				delete(l.used, caller)
			}
		}
		l.sweep = now.Add(time.Minute)
	}
	m := l.used[caller]
	if !now.Before(m.ends) {
		m = minute{ends: now.Add(time.Minute)}
	}
	m.used++
	l.used[caller] = m
	return m
}
