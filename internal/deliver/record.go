package deliver

import (
	"cmp"
	"context"
	"errors"
	"time"

	"gangway/internal/background"
	"gangway/internal/store"
)

const (
	// togetherAtMost is how much is recorded in one transaction. outcomesGather is for how long other outcomes are
	// awaited: a row costs half as much among a hundred as among ten, and nobody waits for it but the booking's next
	// action. For a body a push waits, and bodiesGather is as long as its transaction takes anyway.
	togetherAtMost = 512
	togetherBusy   = 32 // while somebody is at work, see Deliverer.busy
	outcomesGather = 5 * time.Millisecond
	bodiesGather   = time.Millisecond

	// unrecordedAtMost is how many pushes were accepted and wait to be recorded: those that one transaction writes,
	// and as many that gather meanwhile.
	unrecordedAtMost = 2 * togetherAtMost
)

// A recorder writes together what workers give it: what comes soon after the first, and while one transaction is being
// written goes into the next.
type recorder[T, R any] struct {
	given  chan recording[T, R]
	gather time.Duration
	write  func(context.Context, []T) []R // what became of each
}

// A recording is to be written.
type recording[T, R any] struct {
	what T
	done chan<- recorded[R]
}

type recorded[R any] struct {
	result R
	err    error // there is none, because of a panic
}

func newRecorder[T, R any](gather time.Duration, write func(context.Context, []T) []R) *recorder[T, R] {
	return &recorder[T, R]{make(chan recording[T, R]), gather, write}
}

// record gives what is to be written, and returns what became of it.
func (r *recorder[T, R]) record(what T) (R, error) {
	done := make(chan recorded[R], 1)
	r.given <- recording[T, R]{what, done}
	of := <-done
	return of.result, of.err
}

// run writes what it is given until it is stopped, when nothing more is given.
func (r *recorder[T, R]) run(ctx context.Context, d *Deliverer) (stop func()) {
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for first := range r.given {
			most := togetherAtMost
			if d.busy() {
				most = togetherBusy
			}
			r.writeTogether(ctx, d, r.withOthers(first, most))
		}
	}()
	return func() {
		close(r.given)
		<-stopped
	}
}

// withOthers returns what was given first with what comes soon, most at most.
func (r *recorder[T, R]) withOthers(first recording[T, R], most int) []recording[T, R] {
	group := []recording[T, R]{first}
	enough := time.NewTimer(r.gather)
	defer enough.Stop()
	for len(group) < most {
		select {
		case other, ok := <-r.given:
			if !ok {
				return group
			}
			group = append(group, other)
		case <-enough.C:
			return group
		}
	}
	return group
}

func (r *recorder[T, R]) writeTogether(ctx context.Context, d *Deliverer, group []recording[T, R]) {
	list := make([]T, len(group))
	for i, g := range group {
		list[i] = g.what
	}
	var results []R
	err := background.Guard(d.log, "record deliveries", func() error {
		defer d.step(false)()
		results = r.write(ctx, list)
		return nil
	})
	for i, g := range group {
		if err != nil {
			g.done <- recorded[R]{err: err}
			continue
		}
		g.done <- recorded[R]{result: results[i]}
	}
}

// delivered records a push that was accepted. more reports whether the queue stays with this worker and has
// something due.
func (d *Deliverer) delivered(o store.Outcome) (more bool, err error) {
	done, err := d.outcomes.record(o)
	return done.More, cmp.Or(err, done.Err)
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
