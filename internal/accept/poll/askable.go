package poll

import (
	"context"
	"sync"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
)

// An askable is a feed that can be asked while somebody waits.
type askable struct {
	name    string
	version int64
	flow    gangway.Flow
	kind    transport.Kind
	good    time.Time // when it last answered anything, as it was stored
}

// askables are those of the accounts that were looked at lately: they are needed for
// each letter that anybody types, and hardly ever change.
type askables struct {
	mu      sync.Mutex
	changed <-chan struct{} // holds a value once any feed has changed
	changes int             // how often one has
	of      map[string]askablesAt
}

type askablesAt struct {
	list []askable
	read time.Time
}

// Feeds that have changed are noticed at once, unless the wake-up was lost with a
// connection: then as late as this.
const askablesLast = 10 * time.Second

func newAskables(db *store.DB) askables {
	return askables{changed: db.Wakes(store.Feeds), of: map[string]askablesAt{}}
}

// Asks reports whether the account has a feed of a flow that can be asked while
// somebody waits.
func (p *Poller) Asks(ctx context.Context, in store.Scoped, flow gangway.Flow) (bool, error) {
	feeds, err := p.askable(ctx, in, flow)
	return len(feeds) > 0, err
}

// askable lists the account's feeds of a flow that can be asked while somebody waits.
func (p *Poller) askable(ctx context.Context, in store.Scoped, flow gangway.Flow) (list []askable, err error) {
	all, err := p.allAskable(ctx, in)
	for _, f := range all {
		if f.flow == flow {
			list = append(list, f)
		}
	}
	return list, err
}

func (p *Poller) allAskable(ctx context.Context, in store.Scoped) ([]askable, error) {
	account, now := in.Scope().Account, p.now()
	kept, changes := p.live.known.find(account)
	if age := now.Sub(kept.read); !kept.read.IsZero() && age >= 0 && age < askablesLast {
		return kept.list, nil
	}
	feeds, err := in.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	kept = askablesAt{read: now}
	for _, f := range feeds {
		kind, err := p.Kind(f.Transport.Kind)
		if err == nil && !f.Off && f.Asked(kind.Live) {
			kept.list = append(kept.list, askable{f.Name, f.Version, f.Flow, kind, f.GoodAt})
		}
	}
	p.live.known.keep(account, kept, changes)
	return kept.list, nil
}

// find returns what is kept of an account, and how often feeds have changed so far.
func (a *askables) find(account string) (askablesAt, int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.look()
	return a.of[account], a.changes
}

// keep keeps what was read of an account, unless feeds have changed since changes were counted.
func (a *askables) keep(account string, read askablesAt, changes int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.look(); a.changes == changes {
		note(a.of, account, read)
	}
}

// look forgets everything if any feed has changed.
func (a *askables) look() {
	select {
	case <-a.changed:
		a.changes++
		clear(a.of)
	default:
	}
}
