package poll

import (
	"context"
	"runtime/debug"

	"gangway/internal/background"
)

// places are what documents take that cannot be read record by record, and may therefore take 64 MB
// of memory and more: so many are read at a time, and one of each account. Lists wait for none, unless one
// of their records is large. What is read while somebody waits has places of its own.
//
// Decided: docs/choices.md, "Feeds".
type places struct{ *background.Slots }

// placesAtOnce is how many such documents are read at a time. One that is large, or has a large record, takes all:
// while its values are read, mapped and checked, each of these steps has them once.
const (
	placesAtOnce  = 2
	largeDocument = 16 << 20
)

func newPlaces(all, each int64) places { return places{background.NewSlots(all, each)} }

// takeFor waits for n places for a document that takes much memory. What it took is returned to the system before the
// next takes as much.
func (p places) takeFor(ctx context.Context, account string, n int64) (leave func(), err error) {
	place, err := p.Take(ctx, account, n)
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
		return p.places.takeFor(ctx, account, n)
	}
}
