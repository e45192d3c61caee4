package api

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"gangway/internal/web"
)

// A rate counts requests by key in windows of one minute, which all keys share.
//
// Source: draft-ietf-httpapi-ratelimit-headers-10.
type rate struct {
	limit int
	now   func() time.Time
	mu    sync.Mutex
	ends  time.Time
	used  map[string]int
}

func newRate(limit int, now func() time.Time) *rate {
	return &rate{limit: limit, now: now, used: map[string]int{}}
}

// admit counts a request of key, says in header what is left to it, and
// refuses what is too much.
func (l *rate) admit(header http.Header, key string) error {
	l.mu.Lock()
	now := l.now()
	if !now.Before(l.ends) {
		l.ends = now.Truncate(time.Minute).Add(time.Minute)
		clear(l.used)
	}
	l.used[key]++
	left, wait := l.limit-l.used[key], l.ends.Sub(now)
	l.mu.Unlock()

	header.Set("RateLimit-Policy", fmt.Sprintf(`"default";q=%d;w=60`, l.limit))
	header.Set("RateLimit", fmt.Sprintf(`"default";r=%d;t=%d`, max(0, left), int((wait+time.Second-1)/time.Second)))
	if left < 0 {
		return web.TooManyRequests(wait, fmt.Sprintf("more than %d requests in a minute", l.limit))
	}
	return nil
}
