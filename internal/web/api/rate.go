package api

import (
	"fmt"
	"net/http"
	"time"

	"gangway/internal/web"
)

// A rate bounds the requests of each caller in a minute, and says in every answer how
// many are left. Callers with a valid key and those without are counted apart, so that
// no flood of unknown callers makes it forget a key.
//
// Source: draft-ietf-httpapi-ratelimit-headers-10.
type rate struct {
	limit     int
	keys      *web.Limiter
	strangers *web.Limiter // without a valid key, by network
}

func newRate(limit int, now func() time.Time) *rate {
	return &rate{limit, web.NewLimiter(limit, time.Minute, now), web.NewLimiter(limit, time.Minute, now)}
}

// admit counts a request of caller, says in header how many are left, and refuses one
// beyond the limit; over is how many were refused in this minute, with this one.
func (l *rate) admit(header http.Header, among *web.Limiter, caller string) (over int, err error) {
	left, ends := among.Use(caller)
	header.Set("RateLimit-Policy", fmt.Sprintf(`"default";q=%d;w=60`, l.limit))
	header.Set("RateLimit", fmt.Sprintf(`"default";r=%d;t=%s`, max(0, left), web.Seconds(ends)))
	if left < 0 {
		return -left, l.exceeded(ends)
	}
	return 0, nil
}

// exceeded refuses a request beyond the limit.
func (l *rate) exceeded(ends time.Duration) error {
	return web.TooManyRequests(ends, fmt.Sprintf("more than %d requests in a minute", l.limit))
}
