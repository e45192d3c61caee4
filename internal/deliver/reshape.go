package deliver

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/deliver/format"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/wire"
)

// reshapings are the mappings of outlets that were compiled lately, by their text, and those that broke a limit.
type reshapings struct {
	mu    sync.Mutex
	kept  map[string]*mapping.Reshaping
	spent map[string]spentMapping // by outlet

	workers *mapping.Workers
}

// A spentMapping has used up what it may on every record lately.
type spentMapping struct {
	text  string
	times int
	rests time.Time // when it last began to rest; zero: it does not
}

const (
	// reshapingsKept is how many are kept; when there are more, all are compiled again, and forgiven.
	reshapingsKept = 100

	// A mapping that has used up what it may so many times in a row rests.
	mostSpent   = 3
	mappingRest = 5 * time.Minute

	// restKnown is after how long a rest is noted with the outlet, whose queues are not taken then.
	restKnown = 2 * time.Second

	// shapeFor is after how long a batch is sent without what the mapping has still to make.
	shapeFor = 10 * time.Second
)

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

// mappingRests is how it begins what is said of a mapping that rests.
const mappingRests = "The outlet's mapping took too long"

// resting reports whether an outlet's mapping has just begun to rest. Later the outlet itself is held, until somebody
// resumes it.
func (r *reshapings) resting(o gangway.Outlet, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.spent[o.ID]
	return s.text == o.Mapping && now.Sub(s.rests).Abs() < restKnown
}

// note notes how an outlet's mapping ended on a record, and returns until when it rests from now on; zero: it does not.
// If it uses up what it may again after its rest, it rests again.
func (r *reshapings) note(o gangway.Outlet, ended error, now time.Time) (until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !mapping.Spent(ended) {
		delete(r.spent, o.ID)
		return time.Time{}
	}
	s := r.spent[o.ID]
	if s.text != o.Mapping {
		if r.spent == nil || len(r.spent) >= reshapingsKept {
			r.spent = map[string]spentMapping{}
		}
		s = spentMapping{text: o.Mapping}
	}
	if s.times++; s.times >= mostSpent {
		s.rests, until = now, now.Add(mappingRest)
	}
	r.spent[o.ID] = s
	return until
}

// shape has the outlet's mapping make the bodies of a consignment before its first try, and keeps them, so that each
// try has the same bytes. A record that the mapping drops is marked done; one that it fails on is parked with the
// reason. NoteUnmade decides whether the outlet is failing. shape returns what is sent now; with an outcome, nothing
// is.
//
// Decided: docs/choices.md, "Outlets".
func (d *Deliverer) shape(ctx context.Context, l store.DeliveryQueue, c consignment) (consignment, *store.Outcome,
	error) {
	var results []store.Result
	var ready consignment
	size, began, later := 0, time.Now(), false
	for _, delivery := range c {
		if delivery.Body != nil {
			ready = append(ready, delivery)
			continue
		}
		r := store.Result{Delivery: delivery, State: "due", Later: later}
		if !later {
			made, o, err := d.shapeOne(ctx, l, delivery)
			rests := o != nil && o.Failure != nil && !o.Failure.Quiet.IsZero()
			if rests {
				o.Results = append(results, o.Results...)
			}
			if rests || (o != nil || err != nil) && len(results) == 0 {
				return nil, o, err
			}
			if later = o != nil || err != nil; later {
				r.Later = true
			} else {
				r = made
			}
		}
		if r.Made != nil {
			r.Delivery.Body = r.Made
			ready = append(ready, r.Delivery)
		}
		results = append(results, r)
		size += len(r.Made)
		later = later || size > store.MostBytesTogether || time.Since(began) > shapeFor
	}
	if len(results) == 0 {
		return ready, nil, nil
	}
	o := &store.Outcome{Queue: l, At: d.now(), Results: results, Keep: len(ready) > 0}
	if !o.Keep {
		return nil, o, nil
	}
	return ready, nil, d.record(ctx, o)
}

// shapeOne has the mapping make the body of a delivery. With an outcome it could not: it is tried again.
func (d *Deliverer) shapeOne(ctx context.Context, l store.DeliveryQueue, delivery store.Delivery) (store.Result,
	*store.Outcome, error) {
	r := store.Result{Delivery: delivery, State: "due"}
	o := delivery.Outlet
	leave, err := d.shaping.Take(ctx, l.Scope.Account, 1)
	if err != nil {
		return r, nil, err
	}
	defer leave()
	if d.reshapings.resting(o, d.now()) { // it began to while this one waited
		return r, d.giveBack(l), nil
	}
	made, err := d.reshapings.shaped(ctx, l.Scope.Account, delivery)
	if ctx.Err() != nil {
		return r, nil, ctx.Err()
	}
	now := d.now()
	until := d.reshapings.note(o, err, now)
	if mapping.Spent(err) {
		return r, d.unshaped(ctx, l, consignment{delivery}, err, until), nil
	}
	if err == nil && l.Together() { // what is too much by itself is parked alone, and the others go
		if _, tooMuch := format.One(ctx, o.Format, made); gangway.KindOf(tooMuch) == gangway.Invalid {
			r.State, r.Attempt = "parked", &store.Attempt{At: now, Answer: store.CannotBeSent + tooMuch.Error()}
			return r, nil, nil
		}
	}
	switch {
	case errors.Is(err, mapping.ErrLeftOut):
		r.State = "done"
	case err != nil:
		r.State, r.Attempt = "parked", &store.Attempt{At: now, Answer: store.MappingFails + err.Error()}
	default:
		r.Made = made
	}
	return r, nil, nil
}

// unshaped returns the outcome of a try for which the mapping made nothing; until is how long it rests.
func (d *Deliverer) unshaped(ctx context.Context, l store.DeliveryQueue, c consignment, why error,
	until time.Time) *store.Outcome {
	attempt := &store.Attempt{At: d.now(), Answer: fmt.Sprintf(
		"The outlet's mapping was stopped on this record: %v. It is tried again.", why)}
	back := d.failureOf(l, *attempt, transport.Answer{})
	if !until.IsZero() {
		attempt.Answer = fmt.Sprintf("%s, or too much memory, %d times in a row, so that nothing is made by it before "+
			"%s. Once it is changed, what waits goes on at once.", mappingRests, mostSpent, gangway.NoticeTime(until))
		back.Next, back.Probe, back.Quiet = until, until, until
	}
	return d.failed(ctx, &store.Outcome{Queue: l, At: attempt.At}, c, attempt, back)
}
