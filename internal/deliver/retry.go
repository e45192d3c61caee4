package deliver

import (
	"math/rand/v2"
	"net/http"
	"time"

	"gangway/internal/transport"
)

// horizon is how long a delivery is tried before it is parked: three days and the
// working hours of a morning, so that a customer whose endpoint fails on Friday
// noon has everything on Monday without asking.
const horizon = (3*24 + 4) * time.Hour

// waits is how long a delivery waits after each failed try; the last one repeats
// until the horizon. After gangway.TriesForgiven it is a minute.
var waits = []time.Duration{
	2 * time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute,
	30 * time.Minute, time.Hour,
}

// probe is how often at least one delivery to an outlet that is down is tried,
// so that everything arrives within minutes once it is back.
const probe = time.Minute

// outage is how long an outlet must have failed for its next success to make all its
// waiting deliveries due. After a shorter failure what failed in it waits 72 seconds at most.
// This also keeps a system that takes some pushes and refuses others from getting all that it
// refused with each of those, and one record that it never answers from being tried so.
const outage = 30 * time.Second

// pause returns how long a delivery waits after its failed try number tries, counted
// from 0. It varies by a fifth, so that deliveries that failed together spread out.
func pause(tries int) time.Duration {
	wait := waits[min(tries, len(waits)-1)]
	return wait + time.Duration((rand.Float64()-0.5)*0.4*float64(wait))
}

// retryAfter returns how long an overloaded customer asks us to wait, at least a
// second and at most a day. asked is false if it does not ask, or not in a form that
// can be read.
func retryAfter(answer transport.Answer, now time.Time) (time.Duration, bool) {
	if answer.Status != http.StatusTooManyRequests && answer.Status != http.StatusServiceUnavailable {
		return 0, false
	}
	wait := transport.RetryAfter(answer.Header, now)
	return wait, wait > 0
}
