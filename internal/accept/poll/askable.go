package poll

import (
	"context"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
)

// An askable is a feed that can be asked while somebody waits.
type askable struct {
	name    string
	version int64
	kind    transport.Kind
	good    time.Time // when it last answered anything, as it was stored
}

// Asks reports whether the account has a feed of a flow that can be asked while
// somebody waits.
func (p *Poller) Asks(ctx context.Context, in store.Scoped, flow gangway.Flow) (bool, error) {
	feeds, err := p.askable(ctx, in, flow)
	return len(feeds) > 0, err
}

// askable lists the account's feeds of a flow that can be asked while somebody waits.
func (p *Poller) askable(ctx context.Context, in store.Scoped, flow gangway.Flow) (list []askable, err error) {
	feeds, err := in.Feeds(ctx)
	for _, f := range feeds {
		kind, err := p.Kind(f.Transport.Kind)
		if err == nil && f.Flow == flow && !f.Off && f.Asked(kind.Live) {
			list = append(list, askable{f.Name, f.Version, kind, f.GoodAt})
		}
	}
	return list, err
}
