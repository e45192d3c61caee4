package sandbox

import (
	"context"
	"time"

	"gangway/internal/gangway"
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

// Advance moves the account's clock forward by d, from where the advance before ends, and records that before it does.
// It stops at each moment at which something is due, so that it happens at its time: deadlines pass one after the
// other, and airlines tell of changes while there is time to answer. What is broken off on its way goes on with the
// next advance. Invalid: d is not a duration to go forward by.
func (s *Sandbox) Advance(ctx context.Context, in store.Scoped, by gangway.Actor, d time.Duration) (Advanced, error) {
	to, err := in.AdvanceClock(ctx, by, d, s.now())
	if err != nil {
		return Advanced{}, err
	}
	return s.goTo(ctx, in, to)
}

// goTo moves the account's clock so far ahead of real time, by way of what is due until then.
func (s *Sandbox) goTo(ctx context.Context, in store.Scoped, to time.Duration) (Advanced, error) {
	a := Advanced{Bookings: []Played{}}
	in, err := s.open(ctx, in)
	if err != nil {
		return a, err
	}
	if err := s.attend(ctx, &in, to, &a); err != nil {
		return a, err
	}
	if in, err = in.MoveClock(ctx, to); err != nil {
		return a, err
	}
	if err := s.attend(ctx, &in, to, &a); err != nil { // what is left if there were too many moments
		return a, err
	}
	a.Clock = in.Now(s.now()).UTC().Truncate(time.Second)
	return a, nil
}

// attend attends to what is due until the clock is so far ahead, one moment after the other, as far as mostMoments go.
// While an airline has not answered, some of these moments are when it is asked again.
func (s *Sandbox) attend(ctx context.Context, in *store.Scoped, to time.Duration, a *Advanced) error {
	silent, err := s.ask(ctx, *in, a)
	if err != nil {
		return err
	}
	asks, again := 1, in.Now(s.now()).Add(askAgain)
	for range mostMoments {
		until := to
		if silent && asks < mostAsks {
			until = min(to, max(again.Sub(s.now()), in.Scope().Ahead))
		}
		next, err := s.next(ctx, in, until, a)
		switch {
		case err != nil:
			return err
		case next:
			continue
		case until == to:
			return nil
		}
		if *in, err = in.MoveClock(ctx, until); err != nil {
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

// next moves the clock to when the next booking is due, if that is until it is so far ahead, and attends to it.
func (s *Sandbox) next(ctx context.Context, in *store.Scoped, until time.Duration, a *Advanced) (bool, error) {
	now := s.now()
	id, at, err := in.TakeNext(ctx, now.Add(until), taken)
	if gangway.KindOf(err) == gangway.NotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if *in, err = in.MoveClock(ctx, min(at.Sub(now)+time.Millisecond-1, until)); err != nil {
		return false, err
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
