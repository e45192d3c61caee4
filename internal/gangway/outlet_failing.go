package gangway

import (
	"net/http"
	"time"
)

// An OutletTry is how a try to send an action of a booking to an outlet ended.
type OutletTry struct {
	Booking  string
	At       time.Time
	Status   int // as in HTTP; 0: there was no answer
	Accepted bool
	Again    bool // the action was tried before
	Unmade   bool // nothing could be made of the record: it was parked without having been sent
}

// someInARow is of how many bookings, one after another, an outlet refuses or nothing can be made before that is taken
// to be the outlet's fault.
const someInARow = 3

// TriesKnown is after how long everything that was tried before is known: longer than a push may take, with what is
// made for it.
const TriesKnown = 45 * time.Second

// UnmadeSince returns since when nothing leaves an outlet any more because nothing can be made of the records. tries
// are the latest of those there that are known whole (TriesKnown), newest first. Zero: that is not so, or cannot be
// said yet.
//
// Decided: docs/choices.md, "When an outlet is failing".
func UnmadeSince(tries []OutletTry) (since time.Time) {
	bookings := map[string]bool{}
	for _, t := range tries {
		if t.Accepted {
			break
		}
		if t.Unmade && !t.Again {
			bookings[t.Booking], since = true, t.At
		}
	}
	if len(bookings) < someInARow {
		return time.Time{}
	}
	return since
}

// refusesSome reports whether an outlet refuses some bookings and not all, by the latest tries there, newest first. An
// outlet that refuses one booking of several fails between two others for moments; it fails as a whole once it has
// refused three bookings in a row, or accepted nothing for an hour, or answers what does not depend on a booking.
func refusesSome(tries []OutletTry, now time.Time) bool {
	bookings := map[string]bool{}
	for _, t := range tries {
		if t.Accepted {
			return len(bookings) < someInARow && now.Sub(t.At) < failingLong
		}
		if !t.Again {
			bookings[t.Booking] = true
		}
		if t.ofOutlet() {
			return false
		}
	}
	return false
}

// ofOutlet reports whether a try failed for a reason that does not depend on what was sent.
func (t OutletTry) ofOutlet() bool {
	switch t.Status {
	case 0, http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusGone,
		http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return t.Status >= 300 && t.Status <= 399
}
