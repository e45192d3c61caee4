package transport

import (
	"net/http"
	"strconv"
	"time"
)

// A LaterError says that a system asks not to be called again before some time has
// passed.
type LaterError struct {
	After time.Duration
	Err   error // the sentence
}

func (e *LaterError) Error() string { return e.Err.Error() }

func (e *LaterError) Unwrap() error { return e.Err }

// The least and the most that a system may ask for: garbage must not end a feed for ever.
const (
	soonest = time.Second
	latest  = 24 * time.Hour
)

// RetryAfter reads how long a system asks us to wait: seconds, or a date; 0 where it
// does not say it, or says what cannot be read.
//
// Source: RFC 9110, section 10.2.3.
func RetryAfter(header http.Header, now time.Time) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		return min(max(time.Duration(seconds)*time.Second, soonest), latest)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(at.Sub(now), soonest), latest)
	}
	return 0
}
