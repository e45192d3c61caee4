package deliver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/background"
	"gangway/internal/deliver/format"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/wire"
)

// reshapings are the mappings of outlets that were compiled lately, by what they say, and what is known of those
// that are good for nothing.
type reshapings struct {
	mu    sync.Mutex
	kept  map[string]*mapping.Reshaping
	spent map[string]*spentMapping // by outlet

	workers *mapping.Workers
}

// A spentMapping has used up what it may on every record lately.
type spentMapping struct {
	text  string
	times int
	until time.Time // it rests; zero: it does not yet
}

const (
	// reshapingsKept is how many are kept; when there are more, all are compiled again, and forgiven.
	reshapingsKept = 100

	// A mapping that has used up what it may so many times in a row rests.
	mostSpent   = 3
	mappingRest = 5 * time.Minute

	// restKnown is after how long a rest is in every outlet that is read: longer than an outlet is kept once it was
	// read, and than noting that it is held takes.
	restKnown = 2 * time.Second

	// shapeFor is after how long what goes together is sent without what the mapping has still to make.
	shapeFor = 10 * time.Second
)

// newTurns are for documents of several actions: one of each account at a time, and one processor is left for everybody
// else.
func newTurns() *background.Slots {
	return background.NewSlots(max(1, int64(runtime.GOMAXPROCS(0))-1), 1)
}

// of returns a mapping, which several may use at the same time. Invalid: it is no program.
func (r *reshapings) of(text string) (*mapping.Reshaping, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if found := r.kept[text]; found != nil {
		return found, nil
	}
	compiled, err := mapping.CompileReshaping(text)
	if err != nil {
		return nil, err
	}
	if r.kept == nil || len(r.kept) >= reshapingsKept {
		r.kept = map[string]*mapping.Reshaping{}
	}
	r.kept[text] = compiled
	return compiled, nil
}

// shaped returns what an outlet's mapping makes of an action of an account, as JSON. Its errors are those of
// mapping.Reshape.
func (r *reshapings) shaped(ctx context.Context, account string, d store.Delivery) ([]byte, error) {
	program, err := r.of(d.Outlet.Mapping)
	if err != nil {
		return nil, err
	}
	doc, err := wire.Booking(d.Booking, []gangway.Action{d.Action})
	if err != nil {
		return nil, err
	}
	return program.Reshape(ctx, r.workers.Waiting(account), doc)
}

// A restingError says that an outlet's mapping rests.
type restingError struct {
	until time.Time
	known bool // it was resting already
}

// mappingRests is how it begins.
const mappingRests = "The outlet's mapping took too long"

func (e *restingError) Error() string {
	return fmt.Sprintf("%s, or too much memory, %d times in a row, so that nothing is made by it before %s. Once it "+
		"is changed, what waits goes on at once.", mappingRests, mostSpent, gangway.NoticeTime(e.until))
}

// rests returns a *restingError if an outlet's mapping rests.
func (r *reshapings) rests(o gangway.Outlet, now time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.spent[o.ID]; s != nil && s.text == o.Mapping && now.Before(s.until) {
		return &restingError{s.until, true}
	}
	return nil
}

// endRest ends the rest of a mapping whose outlet, as it was just read, is held no more: somebody has resumed it. If
// the mapping uses up what it may once more, it rests again.
func (r *reshapings) endRest(o gangway.Outlet, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.spent[o.ID]
	if s != nil && o.HeldUntil.Before(s.until) && s.until.Sub(now) < mappingRest-restKnown {
		s.until, s.times = time.Time{}, mostSpent-1
	}
}

// note notes how an outlet's mapping ended on a record, and returns a *restingError if it rests from now on.
func (r *reshapings) note(o gangway.Outlet, ended error, now time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !mapping.Spent(ended) {
		delete(r.spent, o.ID)
		return nil
	}
	s := r.spent[o.ID]
	if s == nil || s.text != o.Mapping {
		if r.spent == nil || len(r.spent) >= reshapingsKept {
			r.spent = map[string]*spentMapping{}
		}
		s = &spentMapping{text: o.Mapping}
		r.spent[o.ID] = s
	}
	if s.times++; s.times < mostSpent {
		return nil
	}
	s.until = now.Add(mappingRest).Truncate(time.Millisecond) // as it is noted with the outlet
	return &restingError{until: s.until}
}

// shape has the bodies of a consignment made, once, before it is tried first, and kept. settled: something of it is
// not to be tried, because the mapping leaves it out, or fails on it: then it is parked with the reason; or it goes
// later. more reports whether the queue stays with this worker and has something due then. mapping.Spent and
// *restingError: nothing could be made, and it is tried again.
//
// Decided: docs/choices.md, "Outlets".
func (d *Deliverer) shape(ctx context.Context, in store.Scoped, l store.DeliveryQueue,
	next consignment) (settled, more bool, err error) {
	var list []store.Shaping
	size, began, later := 0, time.Now(), false
	for _, delivery := range next.deliveries() {
		if delivery.Outlet.Mapping == "" || delivery.Body != nil {
			continue
		}
		s := store.Shaping{}
		if !later {
			if s, err = d.shapeOne(ctx, l, delivery); err != nil && len(list) == 0 {
				return false, false, err
			}
			later = err != nil
		}
		s.Delivery, s.Later = *delivery, later
		list = append(list, s)
		size += len(delivery.Body)
		later = later || size > store.MostBytesTogether || time.Since(began) > shapeFor
	}
	if len(list) == 0 {
		return false, true, nil
	}
	if len(list) == 1 && !list[0].Settles() {
		lost, err := d.bodies.record(store.Made{Queue: l, Delivery: list[0].Delivery})
		return false, true, cmp.Or(err, lost)
	}
	return d.shaped(ctx, in, l, list)
}

// shapeOne has the body of a delivery made.
func (d *Deliverer) shapeOne(ctx context.Context, l store.DeliveryQueue,
	delivery *store.Delivery) (s store.Shaping, err error) {
	o := delivery.Outlet
	d.reshapings.endRest(o, d.now())
	if err := d.reshapings.rests(o, d.now()); err != nil {
		return s, err
	}
	delivery.Body, err = d.reshapings.shaped(ctx, l.Scope.Account, *delivery)
	if ctx.Err() != nil {
		return s, ctx.Err()
	}
	if rests := d.reshapings.note(o, err, d.now()); rests != nil {
		return s, rests
	}
	if mapping.Spent(err) {
		return s, err
	}
	if s.LeftOut = errors.Is(err, mapping.ErrLeftOut); err != nil && !s.LeftOut {
		s.Failure = store.MappingFails + err.Error()
	}
	if err == nil && l.Together() { // what is too much by itself is parked alone, and the others go
		if _, err := format.One(ctx, o.Format, delivery.Body); gangway.KindOf(err) == gangway.Invalid {
			s.Failure, delivery.Body = store.CannotBeSent+err.Error(), nil
		}
	}
	return s, nil
}

// shaped records what the mapping made, see shape.
func (d *Deliverer) shaped(ctx context.Context, in store.Scoped, l store.DeliveryQueue,
	list []store.Shaping) (settled, more bool, err error) {
	now := d.now()
	n, more, err := in.Shaped(ctx, l, list, now, now.Add(lease))
	return n > 0, more, err
}

// unshaped records that nothing could be made of a consignment now, as a try that failed.
func (d *Deliverer) unshaped(ctx context.Context, in store.Scoped, l store.DeliveryQueue, next consignment,
	why error) error {
	attempt := store.Attempt{At: d.now(), Answer: why.Error()}
	back := d.failureOf(ctx, l, attempt, transport.Answer{})
	var rests *restingError
	if errors.As(why, &rests) {
		back.Next, back.Probe, back.Quiet = rests.until, rests.until, rests.until
	} else {
		attempt.Answer = fmt.Sprintf("The outlet's mapping was stopped on this record: %v. It is tried again.", why)
	}
	return d.failed(ctx, in, l, next, attempt, back)
}
