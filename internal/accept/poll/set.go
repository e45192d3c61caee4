package poll

import (
	"context"
	"encoding/json"

	"gangway/internal/accept/mapping"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
)

// Set creates a feed or replaces the one of its name, and reports which. The
// settings of f's transport are as whoever sets it gave them: secrets that are
// left out stay as they are, but never for another system. A feed that is fetched
// by itself is due at once. Invalid: it cannot be so.
func (p *Poller) Set(ctx context.Context, in store.Scoped, by gangway.Actor, f gangway.Feed) (created bool, err error) {
	return p.set(ctx, in, by, f, func(store.StoredFeed) error { return nil })
}

// ErrOverwrites says that a feed is no longer of the version that somebody has seen.
var ErrOverwrites = gangway.Errorf(gangway.Conflict, "somebody else has changed the feed meanwhile")

// SetOver is Set for somebody who has seen a version of the feed; 0: that there was none of its name. Of two
// who have seen the same one, only the first changes it, and the other gets ErrOverwrites.
func (p *Poller) SetOver(ctx context.Context, in store.Scoped, by gangway.Actor, f gangway.Feed,
	seen int64) (created bool, err error) {
	return p.set(ctx, in, by, f, func(old store.StoredFeed) error {
		if old.Version != seen {
			return ErrOverwrites
		}
		return nil
	})
}

// set is Set, unless may refuses it, which is asked in the transaction that stores the feed.
func (p *Poller) set(ctx context.Context, in store.Scoped, by gangway.Actor, f gangway.Feed,
	may func(old store.StoredFeed) error) (created bool, err error) {
	kind, err := p.check(f)
	if err != nil {
		return false, err
	}
	served := f.Flow
	created, err = in.SetFeed(ctx, by, f.Name, func(old store.StoredFeed) (gangway.Feed, error) {
		if err := may(old); err != nil {
			return f, err
		}
		served = old.Flow
		return p.completed(kind, old, f)
	}, p.nextOf(f, f.Off, kind), p.now())
	if err == nil && !created && !sameRecords(served, f.Flow) { // nothing would ever update them
		_, err = p.drop(ctx, in, f.Name, served)
	}
	return created, err
}

// sameRecords reports whether two flows bring the same kind of record.
func sameRecords(a, b gangway.Flow) bool {
	travellers := func(f gangway.Flow) bool {
		return f == gangway.TravellersFlow || f == gangway.TravellerLookupFlow
	}
	return a == b || travellers(a) && travellers(b)
}

// Completed returns f, whose settings are as somebody gave them, with the secrets
// that are kept for the feed of its name, as Set would store it.
func (p *Poller) Completed(ctx context.Context, in store.Scoped, f gangway.Feed) (gangway.Feed, error) {
	kind, err := p.check(f)
	if err != nil {
		return f, err
	}
	old, err := in.FeedToChange(ctx, f.Name)
	if err != nil && gangway.KindOf(err) != gangway.NotFound {
		return f, err
	}
	return p.completed(kind, old, f)
}

// check returns the kind of f's transport. Invalid: f cannot be.
func (p *Poller) check(f gangway.Feed) (transport.Kind, error) {
	kind, err := p.Kind(f.Transport.Kind)
	if err != nil {
		return kind, err
	}
	if err := f.Check(kind.Live); err != nil {
		return kind, err
	}
	_, err = mapping.Compile(f.Mapping, f.Flow)
	return kind, err
}

// completed returns f with its settings divided, and with those of old's secrets
// that it leaves out. It connects to nothing.
func (p *Poller) completed(kind transport.Kind, old store.StoredFeed, f gangway.Feed) (gangway.Feed, error) {
	if old.Unopened != nil {
		return p.wholeOf(kind, old, f, kind.ChangeLost)
	}
	return p.wholeOf(kind, old, f, kind.Change)
}

// wholeOf is completed, where change says what becomes of the settings.
func (p *Poller) wholeOf(kind transport.Kind, old store.StoredFeed, f gangway.Feed,
	change change) (gangway.Feed, error) {
	kept := json.RawMessage("{}")
	switch {
	case old.Transport.Kind != kind.Name:
	case old.Unopened != nil:
		kept = old.Transport.Settings
	default:
		var err error
		kept, err = transport.Merge(old.Transport.Settings, json.RawMessage(old.Transport.Secrets))
		if err != nil {
			return f, err
		}
	}
	whole, err := change(kept, f.Transport.Settings)
	if err == nil {
		_, err = kind.Open(whole, p.options)
	}
	if gangway.KindOf(err) == gangway.Invalid {
		return f, gangway.Errorf(gangway.Invalid, "transport: %v", err)
	}
	if err != nil {
		return f, err
	}
	open, secret, err := kind.Split(whole)
	if err != nil {
		return f, err
	}
	f.Transport.Settings, f.Transport.Secrets = open, nil
	if string(secret) != "{}" {
		f.Transport.Secrets = gangway.SecretSettings(secret)
	}
	return f, nil
}

// Delete deletes a feed and drops the records that only it has brought, which
// are no longer suggested or shown; bookings stay. It returns how many they were.
// A run that is under way is stopped. NotFound: there is none.
func (p *Poller) Delete(ctx context.Context, in store.Scoped, by gangway.Actor, name string) (dropped int, err error) {
	now := p.now()
	l, err := in.TakeFeed(ctx, name, now.Add(2*lease), now.Add(lease)) // from whoever holds it
	if err != nil {
		return 0, err
	}
	ctx, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	stop := p.hold(ctx, in, l, lose)
	dropped, err = p.drop(ctx, in, name, gangway.Flows...)
	stop()
	if err != nil {
		return dropped, err
	}
	if err := in.DeleteFeed(ctx, by, name, p.now()); err != nil {
		return dropped, err
	}
	// What an answer to somebody who waits has stored since. Nothing comes after the feed is gone.
	more, err := p.drop(ctx, in, name, gangway.Flows...)
	return dropped + more, err
}

// drop drops all records that a feed has brought, of one flow after another, also
// of those that it served before it was changed.
func (p *Poller) drop(ctx context.Context, in store.Scoped, name string,
	flows ...gangway.Flow) (dropped int, err error) {
	from := gangway.Origin{Source: gangway.FeedSource(name), Generation: p.db.Generation(), SeenAt: p.now()}
	for _, flow := range flows {
		n := 0
		switch flow {
		case gangway.TravellersFlow, gangway.TravellerLookupFlow:
			n, err = in.DropTravellers(ctx, from, func(string) bool { return false })
		case gangway.TravelRequestsFlow:
			n, err = in.DropTravelRequests(ctx, from, store.Days{}, func(_, _ string) bool { return false })
		case gangway.CrewChangesFlow:
			n, err = in.DropCrewChanges(ctx, from, store.Days{}, func(string) bool { return false })
		}
		if dropped += n; err != nil {
			return dropped, err
		}
	}
	return dropped, nil
}
