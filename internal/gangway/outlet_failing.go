package gangway

import "time"

// An OutletTry is how a try to send an action of a booking to an outlet ended.
type OutletTry struct {
	Booking  string
	At       time.Time
	Accepted bool
	Unmade   bool // nothing could be made of the record, for the first time: it was parked without having been sent
}

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
		if t.Unmade {
			bookings[t.Booking], since = true, t.At
		}
	}
	if len(bookings) < someInARow {
		return time.Time{}
	}
	return since
}
