package deliver

import (
	"context"
	"errors"
	"time"

	"gangway/internal/background"
	"gangway/internal/store"
)

const (
	// togetherAtMost is how many outcomes are recorded in one transaction, and gatherFor is for how long others are
	// awaited: a row costs half as much among a hundred as among ten, and nobody waits for it but the booking's
	// next action.
	togetherAtMost = 512
	gatherFor      = 5 * time.Millisecond

	// unrecordedAtMost is how many pushes were accepted and wait to be recorded: those that one transaction writes,
	// and as many that gather meanwhile.
	unrecordedAtMost = 2 * togetherAtMost
)

// An outcome is a push that was accepted. What became of recording it goes to done.
type outcome struct {
	store.Outcome
	done chan store.Recorded
}

// recordOutcomes records what workers hand it until it is stopped: what has come while one transaction was being
// written goes into the next.
func (d *Deliverer) recordOutcomes(ctx context.Context) (stop func()) {
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for first := range d.outcomes {
			d.recordTogether(ctx, d.withOthers(first))
		}
	}()
	return func() {
		close(d.outcomes)
		<-stopped
	}
}

// withOthers returns an outcome with those that come soon.
func (d *Deliverer) withOthers(first outcome) []outcome {
	group := []outcome{first}
	enough := time.NewTimer(gatherFor)
	defer enough.Stop()
	for len(group) < togetherAtMost {
		select {
		case o, ok := <-d.outcomes:
			if !ok {
				return group
			}
			group = append(group, o)
		case <-enough.C:
			return group
		}
	}
	return group
}

func (d *Deliverer) recordTogether(ctx context.Context, group []outcome) {
	list := make([]store.Outcome, len(group))
	for i, o := range group {
		list[i] = o.Outcome
	}
	var recorded []store.Recorded
	err := background.Guard(d.log, "record deliveries", func() error {
		recorded = d.db.RecordDelivered(ctx, list)
		return nil
	})
	for i, o := range group {
		if err != nil {
			o.done <- store.Recorded{Err: err}
			continue
		}
		o.done <- recorded[i]
	}
}

// delivered records a push that was accepted. more reports whether the queue stays with this worker and has
// something due.
func (d *Deliverer) delivered(o store.Outcome) (more bool, err error) {
	handed := outcome{o, make(chan store.Recorded, 1)}
	d.outcomes <- handed
	done := <-handed.done
	return done.More, done.Err
}

// record calls settle until the database is there to record the outcome of a push, but not for ever.
func (d *Deliverer) record(pushing context.Context, settle func() (more bool, err error)) (more bool, err error) {
	for began := time.Now(); ; {
		more, err = settle()
		if !errors.Is(err, store.ErrAway) || time.Since(began) > recordFor {
			return more, err
		}
		select {
		case <-pushing.Done():
			return more, err
		case <-time.After(recordAgain):
		}
	}
}
