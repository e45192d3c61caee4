package poll

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
)

// FetchSoon makes a feed due at once, for a person: whoever fetches feeds takes it
// within moments; shrunk: and believes a list that is much shorter than the last one. Conflict: it is being fetched,
// or not to be fetched at all.
func (p *Poller) FetchSoon(ctx context.Context, in store.Scoped, by gangway.Actor, name string, shrunk bool) error {
	f, kind, err := p.feed(ctx, in, name)
	switch {
	case err != nil:
		return err
	case f.Off:
		return gangway.Errorf(gangway.Conflict, "feed %s is switched off", name)
	case f.ByHand():
		return gangway.Errorf(gangway.Conflict, "nothing is fetched for feed %s: give it a document", name)
	case !f.Scheduled(kind.Live):
		return gangway.Errorf(gangway.Conflict, "feed %s is asked when somebody needs it: nothing is fetched before",
			name)
	}
	return in.FetchFeed(ctx, by, name, shrunk, p.now())
}

// Switch switches a feed off, so that it is neither fetched nor asked, or on again, and
// leaves everything else as it is. A feed that is fetched by itself is due at once when
// it is switched on.
func (p *Poller) Switch(ctx context.Context, in store.Scoped, by gangway.Actor, name string, off bool) error {
	f, kind, err := p.feed(ctx, in, name)
	if err != nil || f.Off == off {
		return err
	}
	_, err = in.SetFeed(ctx, by, name, func(old store.StoredFeed) (gangway.Feed, error) {
		if err := cmp.Or(old.Unopened, sameTiming(f.Feed, old.Feed)); err != nil {
			return old.Feed, err
		}
		old.Off = off
		return old.Feed, nil
	}, p.nextOf(f.Feed, off, kind), p.now())
	return err
}

// GoBack makes a version of a feed the present one, as a new version: everything in it
// but secrets, which stay as they are, and whether the feed is off. Invalid: it cannot be
// so any more. Conflict: somebody changes the feed at the same time.
func (p *Poller) GoBack(ctx context.Context, in store.Scoped, by gangway.Actor, name string, version int64) error {
	v, err := in.FeedVersion(ctx, name, version)
	if err != nil {
		return err
	}
	present, err := in.Feed(ctx, name)
	if err != nil {
		return err
	}
	kind, err := p.check(v.Feed)
	if err != nil {
		return err
	}
	_, err = in.SetFeed(ctx, by, name, func(old store.StoredFeed) (gangway.Feed, error) {
		if err := cmp.Or(old.Unopened, sameTiming(present.Feed, old.Feed)); err != nil {
			return old.Feed, err
		}
		f := v.Feed
		f.Off = old.Off
		return p.wholeOf(kind, old, f, kind.GoBack)
	}, p.nextOf(v.Feed, present.Off, kind), p.now())
	if err == nil && !sameRecords(present.Flow, v.Feed.Flow) {
		_, err = p.drop(ctx, in, name, present.Flow)
	}
	return err
}

// nextOf is when a feed that was just changed is fetched by itself; zero: never.
func (p *Poller) nextOf(f gangway.Feed, off bool, kind transport.Kind) time.Time {
	if off || !f.Scheduled(kind.Live) {
		return time.Time{}
	}
	return p.now()
}

// sameTiming fails with Conflict if what says when a feed is fetched has changed since
// it was read, or if there was none.
func sameTiming(read, now gangway.Feed) error {
	if read.Off != now.Off || read.Flow != now.Flow || read.Transport.Kind != now.Transport.Kind {
		return gangway.Errorf(gangway.Conflict, "feed %s was changed by someone else", read.Name)
	}
	return nil
}

// Local reports whether a feed names files of the machine that the program runs on, so
// that only its operator may set it.
func (p *Poller) Local(f gangway.Feed) bool {
	kind, err := p.Kind(f.Transport.Kind)
	return err == nil && kind.Local != nil && kind.Local(f.Transport.Settings)
}

// Lacks returns the error of a feed that only another build of the program can fetch.
func (p *Poller) Lacks(f gangway.Feed) error {
	kind, err := p.Kind(f.Transport.Kind)
	if err != nil || kind.Lacks == nil {
		return nil
	}
	return kind.Lacks(f.Transport.Settings)
}

// sayLacks logs each feed that only another build of the program can fetch.
func (p *Poller) sayLacks(ctx context.Context) error {
	customers, err := p.db.Customers(ctx)
	if err != nil {
		return err
	}
	for _, c := range customers {
		production, development, err := p.db.Accounts(ctx, c.ID)
		if gangway.KindOf(err) == gangway.NotFound {
			continue // removed meanwhile
		}
		if err != nil {
			return err
		}
		for _, account := range []gangway.Account{production, development} {
			in := p.db.In(gangway.Scope{Account: account.ID})
			feeds, err := in.Feeds(ctx)
			if err != nil {
				return err
			}
			for _, f := range feeds {
				if lacks := p.Lacks(f.Feed); lacks != nil {
					p.log.Warn("a feed cannot be fetched", p.db.Whose(ctx, in.Scope()), "feed", f.Name,
						"because", lacks)
				}
			}
		}
	}
	return nil
}

// A change makes whole settings of those that are kept and those that somebody gives.
type change func(kept, given json.RawMessage) (json.RawMessage, error)
