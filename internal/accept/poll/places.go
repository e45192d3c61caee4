package poll

import (
	"context"
	"runtime/debug"

	"gangway/internal/background"
)

// wholeAtOnce is how many documents are read at a time that cannot be read record by record, and longAnswersAtOnce how
// many long answers somebody waits for. Each may take 64 MB of memory and more, and as much again in the worker of its
// mapping. An account has one of these slots. Lists need none, unless one of their records is large.
//
// Decided: docs/choices.md, "Feeds".
const (
	wholeAtOnce       = 1
	longAnswersAtOnce = 2
)

// takeFor waits for the slot of a document that takes much memory. What it took is returned to the system before the
// next takes as much.
func takeFor(ctx context.Context, slots *background.Slots, account string) (leave func(), err error) {
	slot, err := slots.Take(ctx, account, 1)
	if err != nil {
		return nil, err
	}
	return func() {
		debug.FreeOSMemory()
		slot()
	}, nil
}

// placeFor returns how an account's documents take a slot.
func (p *Poller) placeFor(account string) placeOf {
	return func(ctx context.Context) (func(), error) { return takeFor(ctx, p.places, account) }
}
