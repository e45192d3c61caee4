package deliver

import (
	"context"
	"errors"
	"time"

	"gangway/internal/background"
	"gangway/internal/store"
)

// A recording is an outcome to be recorded; done is closed once it is, or was refused.
type recording struct {
	*store.Outcome
	done chan struct{}
}

// recordAll records the outcomes that workers give it, until ctx ends: those that come while one transaction is written
// go into the next one.
func (d *Deliverer) recordAll(ctx context.Context) {
	for {
		var group []recording
		select {
		case <-ctx.Done():
			return
		case first := <-d.made:
			group = append(group, first)
		}
		for more := true; more && len(group) < recordedTogether; {
			select {
			case other := <-d.made:
				group = append(group, other)
			default:
				more = false
			}
		}
		list := make([]*store.Outcome, len(group))
		for i, r := range group {
			list[i], r.Err = r.Outcome, errUnrecorded
		}
		_ = background.Guard(d.log, "record deliveries", func() error { d.db.Settle(ctx, list...); return nil })
		for _, r := range group {
			close(r.done)
		}
	}
}

// errUnrecorded is what became of an outcome if there was a panic.
var errUnrecorded = errors.New("the outcome was not recorded")

// record records an outcome, as soon as the database is there, but does not wait for ever.
func (d *Deliverer) record(pushing context.Context, o *store.Outcome) error {
	for began := time.Now(); ; {
		r := recording{o, make(chan struct{})}
		d.made <- r
		<-r.done
		if !errors.Is(o.Err, store.ErrAway) || time.Since(began) > recordFor {
			return o.Err
		}
		select {
		case <-pushing.Done():
			return o.Err
		case <-time.After(recordAgain):
		}
	}
}

// A streak is how many deliveries an outlet has accepted in a row.
type streak struct {
	n     int
	again time.Time // when all that rested there was last tried again because of one
}

const (
	// retryAfterAccepted is after how many accepted deliveries in a row an outlet's resting ones are tried again, and
	// retryAtMost how often: a record that is always refused is not sent with each ten others.
	retryAfterAccepted = 10
	retryAtMost        = time.Minute
)

// recorded does what follows from an outcome: an outlet that accepts deliveries again gets those that wait for a retry.
func (d *Deliverer) recorded(ctx context.Context, o *store.Outcome) error {
	if o.Off {
		d.log.Warn("an outlet answered 410 and is switched off", d.db.Whose(ctx, o.Queue.Scope), "outlet",
			o.Queue.Outlet)
	}
	if len(o.Results) == 0 || o.Results[0].Attempt == nil || o.Results[0].Attempt.NeverLeft() {
		return nil
	}
	accepted, since := o.Results[0].Attempt.Accepted(), o.Results[0].Outlet.FailingSince
	again := d.retryResting(o.Queue.Outlet, accepted)
	if !accepted || since.IsZero() && !again {
		return nil
	}
	again = again || o.At.Sub(since) >= outage
	return d.db.In(o.Queue.Scope).OutletAnswers(ctx, o.Queue.Outlet, d.now(), again)
}

// retryResting counts a try at an outlet, and reports whether all that rests there is tried again.
func (d *Deliverer) retryResting(outlet string, accepted bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, now := d.accepted[outlet], d.now()
	s.n++
	if !accepted {
		s.n = 0
	}
	again := s.n >= retryAfterAccepted && (s.again.IsZero() || now.Sub(s.again).Abs() >= retryAtMost)
	if again {
		s = streak{again: now}
	}
	d.accepted[outlet] = s
	return again
}
