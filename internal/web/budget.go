package web

import (
	"context"
	"runtime/debug"
	"time"

	"gangway/internal/background"

	"golang.org/x/sync/semaphore"
)

// A Budget bounds the memory that the bodies of all requests in progress, and what is made of them,
// may take together.
//
// A body takes none of it while it arrives (see Receive). Once it is whole, it waits for its memory.
// All memory is therefore held by requests that the server works on, and a client that sends slowly,
// or stops, holds up nobody.
//
// Decided: docs/choices.md, "What anybody may fill".
type Budget struct {
	arriving *background.Slots // bodies that go to files, by client
	small    bodyMemory
	large    bodyMemory
	pages    *background.Slots // bytes of pages on their way to readers
	reports  *background.Slots // bytes of answers of the report on theirs
	patience time.Duration     // how long a body waits
	tidier   background.Tidier
}

// bodyMemory is memory for bodies of one size. What is made from them has its own: a body keeps its
// memory while it waits for more.
type bodyMemory struct {
	all    int64
	bodies *background.Slots // bytes, by client
	work   *semaphore.Weighted
}

func newBodyMemory(bytes int64) bodyMemory {
	return bodyMemory{bytes, newBytes(bytes), semaphore.NewWeighted(bytes)}
}

// newBytes returns a slot for each byte, of which one client may have half.
func newBytes(bytes int64) *background.Slots { return background.NewSlots(bytes, bytes/2) }

const (
	// largeFrom is the size from which a body, or work on one, is large.
	largeFrom = 1 << 20

	// hugeFrom is the size from which what a body leaves behind is returned to the system before the next
	// takes as much.
	hugeFrom = 16 << 20

	// Patience is how long a body waits for room before it is turned away.
	Patience = time.Minute

	arrivingAtOnce = 512
	arrivingOfOne  = 64
)

// NewBudget returns a budget of so many bytes: a quarter is for small bodies and work on them, and the
// rest for large ones. Pages have a quarter as much in addition, and so has the report: neither waits
// for bodies, nor for the other.
func NewBudget(bytes int64, patience time.Duration) *Budget {
	return &Budget{
		arriving: background.NewSlots(arrivingAtOnce, arrivingOfOne),
		small:    newBodyMemory(bytes / 8), large: newBodyMemory(3 * bytes / 8),
		pages: newBytes(bytes / 4), reports: newBytes(bytes / 4), patience: patience,
	}
}

// Full says that the memory for requests is in use, and when to try again.
func Full() error {
	return Overloaded(5*time.Second, "as much is being received as fits into memory; nothing was stored, so send "+
		"it again in a moment")
}

func (b *Budget) memoryFor(bytes int64) *bodyMemory {
	if bytes >= largeFrom {
		return &b.large
	}
	return &b.small
}

// Hold waits until that many bytes are free for a body of client that has arrived. A body within its
// beginning waits for nothing.
func (b *Budget) Hold(ctx context.Context, client string, bytes int64) (release func(), err error) {
	if bytes <= beginning {
		return func() {}, nil
	}
	memory := b.memoryFor(bytes)
	leave, err := b.take(ctx, memory.bodies, client, min(bytes, memory.all))
	if err != nil {
		return nil, err
	}
	if bytes >= hugeFrom {
		return func() { debug.FreeOSMemory(); leave() }, nil
	}
	return func() { leave(); b.tidier.Leave(bytes) }, nil
}

// take waits for n of slots as long as a body waits.
func (b *Budget) take(ctx context.Context, slots *background.Slots, client string, n int64) (func(), error) {
	waiting, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	leave, err := slots.Take(waiting, client, n)
	if err != nil && ctx.Err() == nil {
		err = Full()
	}
	return leave, err
}

// Work waits until that many bytes are free for what is made of a body, and returns the function
// that gives them back. Work that needs more than the whole part runs alone.
func (b *Budget) Work(ctx context.Context, bytes int64) (done func(), err error) {
	memory := b.memoryFor(bytes)
	n := min(bytes, memory.all)
	if err := memory.work.Acquire(ctx, n); err != nil {
		return nil, err
	}
	return func() { memory.work.Release(n); b.tidier.Leave(n) }, nil
}
