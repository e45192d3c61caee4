package mapping

import (
	"context"
	"runtime/debug"

	"golang.org/x/sync/semaphore"
)

// turns are taken by programs that take much memory, one at a time in the order in which they
// asked: what one may take, two together must not.
var turns = semaphore.NewWeighted(1)

// A turn lasts until its run of a program ends, or whoever wanted it does not any more.
type turn struct{ stop func() bool }

func takeTurn(ctx context.Context) (*turn, error) {
	if err := turns.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	return &turn{context.AfterFunc(ctx, letNext)}, nil
}

// end ends a turn, unless it has ended.
func (t *turn) end() {
	if t.stop() {
		letNext()
	}
}

// letNext gives back what the program has taken, and lets the next have its turn.
func letNext() {
	debug.FreeOSMemory()
	turns.Release(1)
}
