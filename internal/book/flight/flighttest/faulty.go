package flighttest

import (
	"context"
	"sync"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// A Fault is what goes wrong with one call.
type Fault int

const (
	None       Fault = iota
	LostBefore       // the request never arrives: nothing is done, and the caller cannot know
	LostAfter        // it is done, but the answer is lost
	Slow             // it is done, the answer is lost, and until Settle the supplier does not know the outcome
)

// Faulty is a real supplier behind an unreliable connection. Whatever it reports as done,
// the supplier has done; its faults are those of networks and airlines.
type Faulty struct {
	flight.Supplier
	// Through, if set, makes each call about an order: to "hold", "issue", "cancel", "change", "accept", read ("order")
	// or "find" the order of an id or reference.
	Through func(name, of string, call func() (flight.Order, error)) (flight.Order, error)

	mu    sync.Mutex
	next  map[string]Fault // by call, for its next use
	calls map[string]int
	slow  bool
}

// NewFaulty puts an unreliable connection before s. It works until Fail is called.
func NewFaulty(s flight.Supplier) *Faulty {
	return &Faulty{Supplier: s, next: map[string]Fault{}, calls: map[string]int{}}
}

// Fail makes the next call of the given name ("hold", "issue", "cancel", "change" or
// "accept") fail.
func (f *Faulty) Fail(call string, fault Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next[call] = fault
}

// Settle ends the effect of a Slow fault: the supplier knows its orders again.
func (f *Faulty) Settle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.slow = false
}

// Calls returns how often calls of the given name were made.
func (f *Faulty) Calls(call string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[call]
}

var errLine = gangway.Errorf(gangway.Unavailable, "the supplier does not answer")

// through makes one call over the connection.
func (f *Faulty) through(name, of string, call func() (flight.Order, error)) (flight.Order, error) {
	f.mu.Lock()
	fault := f.next[name]
	delete(f.next, name)
	if fault != LostBefore {
		f.calls[name]++
	}
	if fault == Slow {
		f.slow = true
	}
	f.mu.Unlock()
	if fault == LostBefore {
		return flight.Order{}, errLine
	}
	order, err := f.hooked(name, of, call)
	if fault != None {
		return flight.Order{}, errLine
	}
	return order, err
}

func (f *Faulty) hooked(name, of string, call func() (flight.Order, error)) (flight.Order, error) {
	if f.Through == nil {
		return call()
	}
	return f.Through(name, of, call)
}

// Hold is flight.Supplier's, over the connection.
func (f *Faulty) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	return f.through("hold", ask.Reference, func() (flight.Order, error) { return f.Supplier.Hold(ctx, ask) })
}

// Issue is flight.Supplier's, over the connection.
func (f *Faulty) Issue(ctx context.Context, order string, pay gangway.Money) (flight.Order, error) {
	return f.through("issue", order, func() (flight.Order, error) { return f.Supplier.Issue(ctx, order, pay) })
}

// Cancel is flight.Supplier's, over the connection.
func (f *Faulty) Cancel(ctx context.Context, order, quote string) (flight.Order, error) {
	return f.through("cancel", order, func() (flight.Order, error) { return f.Supplier.Cancel(ctx, order, quote) })
}

// Change is flight.Supplier's, over the connection.
func (f *Faulty) Change(ctx context.Context, order, offer string) (flight.Order, error) {
	return f.through("change", order, func() (flight.Order, error) { return f.Supplier.Change(ctx, order, offer) })
}

// Accept is flight.Supplier's, over the connection.
func (f *Faulty) Accept(ctx context.Context, order, notice string) (flight.Order, error) {
	return f.through("accept", order, func() (flight.Order, error) { return f.Supplier.Accept(ctx, order, notice) })
}

// Order is flight.Supplier's. After a Slow fault the order is Pending until Settle.
func (f *Faulty) Order(ctx context.Context, order string) (flight.Order, error) {
	o, err := f.hooked("order", order, func() (flight.Order, error) { return f.Supplier.Order(ctx, order) })
	if err == nil && f.unsettled() {
		o.Status = flight.Pending
	}
	return o, err
}

// Find is flight.Supplier's. After a Slow fault it is Unavailable until Settle.
func (f *Faulty) Find(ctx context.Context, reference string) (flight.Order, error) {
	if f.unsettled() {
		return flight.Order{}, errLine
	}
	return f.hooked("find", reference, func() (flight.Order, error) { return f.Supplier.Find(ctx, reference) })
}

func (f *Faulty) unsettled() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.slow
}
