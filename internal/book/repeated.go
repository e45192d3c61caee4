package book

import (
	"context"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// When a form is sent twice, both usually come at the same time, because somebody
// double-clicked. The browser shows the answer to the second, so that answer has
// to be what became of the first.

// lookAgain is how often a repeated request checks whether the first has ended.
const lookAgain = 50 * time.Millisecond

// repeated answers a request that could not begin. If it began before, under the
// same identifier, the answer is the outcome of that, and otherwise refusal. It
// fails with Unavailable if the airline has not answered the first request yet.
func (d *Desk) repeated(ctx context.Context, in store.Scoped, id string, refusal error) (gangway.Booking, error) {
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	for {
		intent, err := in.Intent(ctx, id)
		switch {
		case gangway.KindOf(err) == gangway.NotFound:
			return gangway.Booking{}, refusal
		case err != nil:
			return gangway.Booking{}, err
		case !intent.Open && intent.Outcome == store.Done:
			return in.Booking(ctx, intent.Booking)
		case !intent.Open:
			return gangway.Booking{}, gangway.Errorf(gangway.Conflict, "%s", intent.Outcome)
		case !workedOn(intent, d.clock()): // it is left to follow-up
			return gangway.Booking{}, errNoAnswer
		}
		select {
		case <-ctx.Done():
			return gangway.Booking{}, errNoAnswer
		case <-tick.C:
		}
	}
}

// workedOn reports whether a process works on an intent now. An intent whose next
// follow-up is further away than a lease, clock differences included, is waiting
// for follow-up.
func workedOn(i store.Intent, now time.Time) bool {
	return now.Before(i.Lease) && !i.Lease.After(now.Add(2*lease))
}
