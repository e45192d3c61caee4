package book

import (
	"context"
	"time"

	"gangway"
	"gangway/internal/store"
)

// A form that is sent twice comes twice at the same time as a rule: somebody
// has clicked twice. The browser shows what the second is answered with, so
// that has to be what became of the first.

// lookAgain is how often a repeat looks whether the first try has ended.
const lookAgain = 50 * time.Millisecond

// repeated answers an ask that could not begin. When it was begun before, under
// the same identifier, the answer is what comes of that, and otherwise refusal.
// Unavailable: the airline has not answered the first yet.
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
			return in.Booking(ctx, id)
		case !intent.Open:
			return gangway.Booking{}, gangway.Errorf(gangway.Conflict, "%s", intent.Outcome)
		case !workedOn(intent, d.now()): // it is being followed up
			return gangway.Booking{}, errNoAnswer
		}
		select {
		case <-ctx.Done():
			return gangway.Booking{}, errNoAnswer
		case <-tick.C:
		}
	}
}

// workedOn reports whether somebody works on an intent now. What is put off for
// longer than whoever works on it holds it, and clocks are apart, waits to be
// followed up.
func workedOn(i store.Intent, now time.Time) bool {
	return now.Before(i.Lease) && !i.Lease.After(now.Add(2*lease))
}
