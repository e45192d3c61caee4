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

	// Airlines that have not answered are asked again so often on the way, and no further than that: it is how long
	// a desk takes at most to ask again, and as long as any airline takes that answers at all.
	askAgain = 5 * time.Minute
	mostAsks = 24

	// mostAsked is of how much the airlines are asked.
	mostAsked = 100

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
	return a, nil
}

// attend attends to what is due within d, one moment after the other, as far as mostMoments go. While an airline has
// not answered, some of these moments are when it is asked again.
func (s *Sandbox) attend(ctx context.Context, in *store.Scoped, d *time.Duration, a *Advanced) error {
	silent, err := s.ask(ctx, *in, a)
	if err != nil {
		return err
	}
	asks, again := 1, in.Now(s.now()).Add(askAgain)
	for range mostMoments {
		until := *d
		if silent && asks < mostAsks {
			until = min(*d, max(again.Sub(in.Now(s.now())), 0))
		}
		next, err := s.next(ctx, in, d, until, a)
		switch {
		case err != nil:
			return err
		case next:
			continue
		case until == *d:
			return nil
		}
		if err := s.forward(ctx, in, d, until); err != nil {
			return err
		}
		if silent, err = s.ask(ctx, *in, a); err != nil {
			return err
		}
		asks, again = asks+1, in.Now(s.now()).Add(askAgain)
	}
	return nil
}

// ask asks airlines what became of what they have not answered, and reports whether there was such a thing.
func (s *Sandbox) ask(ctx context.Context, in store.Scoped, a *Advanced) (silent bool, err error) {
	open, err := s.desk.Unanswered(ctx, in, mostAsked)
	if err != nil {
		return false, err
	}
	for _, i := range open {
		before, err := in.Booking(ctx, i.Booking)
		if err != nil && gangway.KindOf(err) != gangway.NotFound {
			return false, err
		}
		s.desk.FollowUp(ctx, in, i)
		b, err := in.Booking(ctx, i.Booking)
		if gangway.KindOf(err) == gangway.NotFound {
			continue
		}
		if err == nil {
			err = s.tell(ctx, in, b, before.Version, a)
		}
		if err != nil {
			return false, err
		}
	}
	return len(open) > 0, nil
}

// tell notes what was done to a booking after its first n actions.
func (s *Sandbox) tell(ctx context.Context, in store.Scoped, b gangway.Booking, n int, a *Advanced) error {
	done, err := since(ctx, in, b, n)
	if err == nil && len(done.Actions) > 0 {
		a.Bookings = append(a.Bookings, done)
	}
	return err
}

// forward moves the clock by some of d.
func (s *Sandbox) forward(ctx context.Context, in *store.Scoped, d *time.Duration, by time.Duration) (err error) {
	*in, err = in.MoveClock(ctx, by)
	*d -= by
	return err
}

// next moves the clock to when the next booking is due, if that is by then, and attends to it.
func (s *Sandbox) next(ctx context.Context, in *store.Scoped, d *time.Duration, until time.Duration,
	a *Advanced) (bool, error) {
	now := in.Now(s.now())
	id, at, err := in.TakeNext(ctx, now.Add(until), taken)
	if gangway.KindOf(err) == gangway.NotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if wait := min((at.Sub(now) + time.Millisecond - 1).Truncate(time.Millisecond), until); wait > 0 {
		if err := s.forward(ctx, in, d, wait); err != nil {
			return false, err
		}
	}
	before, err := in.Booking(ctx, id)
	if err != nil {
		return false, err
	}
	if err := s.desk.Attend(ctx, *in, id); err != nil {
		s.log.Warn("a booking could not be attended to; it is tried again", "booking", id, "error", err)
		return true, ctx.Err()
	}
	return true, s.tell(ctx, *in, before, before.Version, a)
}
