package poll

import (
	"context"
	"runtime/debug"

	"gangway/internal/background"
)

// placesAtOnce is how many documents are read at a time that cannot be read record by record, and may therefore take
// 64 MB of memory and more; an account has one of these places. Lists wait for none, unless one of their records is
// large. What is read while somebody waits has places of its own. A document that is large, or has a large record,
// takes all places: while its values are read, mapped and checked, each of these steps has them once.
//
// Decided: docs/choices.md, "Feeds".
const (
	placesAtOnce  = 2
	largeDocument = 16 << 20
)

// takeFor waits for n places for a document that takes much memory. What it took is returned to the system before the
// next takes as much.
func takeFor(ctx context.Context, places *background.Slots, account string, n int64) (leave func(), err error) {
	place, err := places.Take(ctx, account, n)
	if err != nil {
		return nil, err
	}
	return func() {
		debug.FreeOSMemory()
		place()
	}, nil
}

// placeFor returns how an account's documents take a place.
func (p *Poller) placeFor(account string) placeOf {
	return func(ctx context.Context, large bool) (func(), error) {
		n := int64(1)
		if large {
			n = placesAtOnce
		}
		return takeFor(ctx, p.places, account, n)
	}
}
