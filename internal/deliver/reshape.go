package deliver

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"gangway"
	"gangway/internal/accept/mapping"
	"gangway/internal/store"
	"gangway/internal/wire"
)

// reshapings are the mappings of outlets that were compiled lately, by what they say.
type reshapings struct {
	mu   sync.Mutex
	kept map[string]*mapping.Reshaping
}

// reshapingsKept is how many are kept; when there are more, all are compiled again.
const reshapingsKept = 100

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

// shaped returns what an outlet's mapping makes of an action, as JSON. mapping.ErrLeftOut: nothing is to be sent.
func (r *reshapings) shaped(ctx context.Context, d store.Delivery) ([]byte, error) {
	program, err := r.of(d.Outlet.Mapping)
	if err != nil {
		return nil, err
	}
	doc, err := wire.Booking(d.Booking, []gangway.Action{d.Action})
	if err != nil {
		return nil, err
	}
	return program.Reshape(ctx, doc)
}

// shape has the bodies of a consignment made, once, before it is tried first, and kept. settled: something of it is
// not to be tried, because the mapping leaves it out, or fails on it: then it is parked with the reason. more reports
// whether the queue stays with this worker and has something due then.
//
// Decided: docs/choices.md, "Outlets".
func (d *Deliverer) shape(ctx context.Context, in store.Scoped, l store.DeliveryQueue,
	next consignment) (settled, more bool, err error) {
	var list []store.Shaping
	for _, delivery := range next.unshaped() {
		s := store.Shaping{}
		delivery.Body, err = d.reshapings.shaped(ctx, *delivery)
		switch s.Delivery = *delivery; {
		case errors.Is(err, mapping.ErrLeftOut):
			s.LeftOut = true
		case ctx.Err() != nil:
			return false, false, ctx.Err()
		case err != nil:
			s.Failure = "The mapping fails on this record: " + err.Error()
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return false, true, nil
	}
	if len(list) == 1 && !list[0].Settles() {
		lost, err := d.bodies.record(store.Made{Queue: l, Delivery: list[0].Delivery})
		return false, true, cmp.Or(err, lost)
	}
	now := d.now()
	n, more, err := in.Shaped(ctx, l, list, now, now.Add(lease))
	return n > 0, more, err
}
