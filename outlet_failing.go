package gangway

import "time"

// An OutletTry is how a try to send an action of a booking to an outlet ended.
type OutletTry struct {
	Booking  string
	At       time.Time
	Accepted bool
	Unmade   bool // nothing could be made of the record, for the first time: it was parked without having been sent
}

const (
	// unmadeInARow is of how many bookings, one after another, nothing could be made at an outlet that fails.
	unmadeInARow = 3

	// triesKnown is after how long everything that was tried before is known: longer than a try may take.
	triesKnown = time.Minute
)

// UnmadeSince returns since when nothing leaves an outlet any more because nothing can be made of the records. tries
// are the latest there, newest first. Zero: that is not so, or cannot be said yet.
//
// Decided: docs/choices.md, "When an outlet is failing".
func UnmadeSince(tries []OutletTry, now time.Time) (since time.Time) {
	bookings := map[string]bool{}
	for _, t := range tries {
		if t.Accepted {
			break
		}
		if t.Unmade && now.Sub(t.At) >= triesKnown {
			bookings[t.Booking], since = true, t.At
		}
	}
	if len(bookings) < unmadeInARow {
		return time.Time{}
	}
	return since
}
