package sandbox

import (
	"context"
	"time"

	"gangway"
	"gangway/internal/store"
)

// An Advanced says how far a clock is now, and what has happened on the way.
type Advanced struct {
	Clock    time.Time `json:"clock"`    // of the account
	Bookings []Played  `json:"bookings"` // to which something happened, in the order of when it did
}

const (
	// mostMoments is at how many moments the clock stops on its way: beyond them it goes on in one step, and
	// what is due is done at its end.
	mostMoments = 1000

	// taken is how long a booking that is attended to is left alone by others.
	taken = 3 * time.Minute
)

// Advance moves the account's clock forward by d. It stops at each moment at which something is due, so that it
// happens at its time: deadlines pass one after the other, and airlines tell of changes while there is time to
// answer. Invalid: d is not a duration to go forward by.
func (s *Sandbox) Advance(ctx context.Context, in store.Scoped, by gangway.Actor, d time.Duration) (Advanced, error) {
	account, err := in.Account(ctx)
	if err == nil {
		err = account.AdmitsSandbox()
	}
	if err != nil {
		return Advanced{}, err
	}
	if d <= 0 {
		return Advanced{}, gangway.Errorf(gangway.Invalid, "the clock only goes forward: by a duration such as 26h")
	}
	if _, err := account.ForwardBy(d); err != nil {
		return Advanced{}, err
	}
	in = in.At(account.Ahead)
	if err := in.Record(ctx, by, gangway.SandboxAdvanced, map[string]any{"by": d.String(),
		"clock": in.Now(s.now()).Add(d).UTC().Format(time.RFC3339)}, s.now()); err != nil {
		return Advanced{}, err
	}
	a := Advanced{Bookings: []Played{}}
	if err := s.attend(ctx, &in, &d, &a); err != nil {
		return a, err
	}
	if in, err = in.MoveClock(ctx, d); err != nil {
		return a, err
	}
	d = 0
	if err := s.attend(ctx, &in, &d, &a); err != nil { // what is left if there were too many moments
		return a, err
	}
	a.Clock = in.Now(s.now()).UTC().Truncate(time.Second)
	return a, in.WakeIntents(ctx)
}

// attend attends to what is due within d, one moment after the other, as far as mostMoments go.
func (s *Sandbox) attend(ctx context.Context, in *store.Scoped, d *time.Duration, a *Advanced) error {
	for range mostMoments {
		if next, err := s.next(ctx, in, d, a); err != nil || !next {
			return err
		}
	}
	return nil
}

// next moves the clock to when the next booking is due, if that is within d, and attends to it.
func (s *Sandbox) next(ctx context.Context, in *store.Scoped, d *time.Duration, a *Advanced) (bool, error) {
	now := in.Now(s.now())
	id, at, err := in.TakeNext(ctx, now.Add(*d), taken)
	if gangway.KindOf(err) == gangway.NotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if wait := min((at.Sub(now) + time.Millisecond - 1).Truncate(time.Millisecond), *d); wait > 0 {
		if *in, err = in.MoveClock(ctx, wait); err != nil {
			return false, err
		}
		*d -= wait
	}
	before, err := in.Booking(ctx, id)
	if err != nil {
		return false, err
	}
	if err := s.desk.Attend(ctx, *in, id); err != nil {
		s.log.Warn("a booking could not be attended to; it is tried again", "booking", id, "error", err)
		return true, ctx.Err()
	}
	done, err := since(ctx, *in, before, before.Version)
	if err == nil && len(done.Actions) > 0 {
		a.Bookings = append(a.Bookings, done)
	}
	return true, err
}
