package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// A StoredFeed is a feed as it is stored, and how it is doing.
type StoredFeed struct {
	gangway.Feed
	Version int64
	Due     time.Time // when it is fetched next by itself; zero: never
	Size    int       // how many records its last successful run brought
	GoodAt  time.Time // when that was; zero: never yet
	Failing time.Time // since when every run has failed; zero: the last one succeeded
	Held    time.Time // until when a process works on it, unless it lets go of it before
	Holder  string    // that process, or the last one: "crew-1, process 4711"

	// Unopened says why the secrets are not there: they were sealed with a key that is not given.
	Unopened error
}

// Busy reports whether a process works on the feed.
func (f StoredFeed) Busy(now time.Time) bool { return f.Held.After(now) }

// feedColumns are the columns that scanFeed reads; secrets are not among them.
const feedColumns = `name, doc, version, due, size, good_at, failing, lease, holder`

// A FeedChange changes a feed: it gets the present one as FeedToChange returns it, or the zero
// one, and returns the new one. It runs in the transaction that stores that.
type FeedChange func(old StoredFeed) (gangway.Feed, error)

// SetFeed applies change to the account's feed of a name, and reports whether it was
// created. A changed feed is a new version, is asked for everything it has, and is due at
// next; zero: never.
func (s Scoped) SetFeed(ctx context.Context, by gangway.Actor, name string, change FeedChange,
	next, at time.Time) (created bool, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		if err := s.lockAccount(ctx, tx); err != nil { // others who set it wait
			return err
		}
		old, err := s.feed(ctx, tx, name)
		created = gangway.KindOf(err) == gangway.NotFound
		if err != nil && !created {
			return err
		}
		f, err := change(old)
		if err != nil {
			return err
		}
		if err := s.writeFeed(ctx, tx, f, old.Version+1, next, at); err != nil {
			return err
		}
		if err := s.keepFeedVersion(ctx, tx, f, old.Version+1, by, at); err != nil {
			return err
		}
		entry := gangway.AuditEntry{At: at, By: by, What: gangway.FeedSet, After: feedDetails(f)}
		if !created {
			entry.Before = feedDetails(old.Feed)
			if changed := f.ChangedFrom(old.Feed); changed != "" {
				entry.After["changed"] = changed
			}
		}
		return s.record(ctx, tx, entry)
	}, Feeds)
	return created, err
}

func (s Scoped) writeFeed(ctx context.Context, tx *sql.Tx, f gangway.Feed, version int64,
	next, at time.Time) error {
	doc, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("write feed %s: %w", f.Name, err)
	}
	sealed := ""
	if len(f.Transport.Secrets) > 0 {
		if s.db.sealer == nil {
			return noKey()
		}
		sealed = s.seal(feedColumn, f.Name, f.Transport.Secrets)
	}
	unfinished := waitingRun
	if f.Off {
		unfinished = `ended = 0` // whoever takes the feed next ends its run
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO feed (account, name, doc, secrets, version, due)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (account, name) DO UPDATE
		SET doc = excluded.doc, secrets = excluded.secrets, version = excluded.version, have = '',
			due = CASE WHEN EXISTS (SELECT 1 FROM feed_run WHERE account = $1 AND feed = $2 AND `+unfinished+`)
				THEN $7 ELSE excluded.due END`,
		s.account, f.Name, string(doc), sealed, version, millis(next), millis(at))
	return wrapf(err, "write feed %s", f.Name)
}

// keptFeedVersions is how many versions of a feed are kept to go back to.
const keptFeedVersions = 50

func (s Scoped) keepFeedVersion(ctx context.Context, tx *sql.Tx, f gangway.Feed, version int64, by gangway.Actor,
	at time.Time) error {
	doc, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("keep version %d of feed %s: %w", version, f.Name, err)
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO feed_version (account, feed, version, doc, made_at, by_whom, by_name)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		s.account, f.Name, version, string(doc), millis(at), by.ID, by.Name)
	if err != nil {
		return fmt.Errorf("keep version %d of feed %s: %w", version, f.Name, err)
	}
	_, err = tx.ExecContext(ctx, `
		DELETE FROM feed_version
		WHERE account = $1 AND feed = $2 AND version <= $3`,
		s.account, f.Name, version-keptFeedVersions)
	return wrapf(err, "delete old versions of feed %s", f.Name)
}

// A FeedVersion is a feed as it was after one of its changes, without secrets.
type FeedVersion struct {
	Feed    gangway.Feed
	Version int64
	MadeAt  time.Time
	By      gangway.Actor // only ID and Name
}

// FeedVersions lists a feed's versions, the newest first: those that are kept.
func (s Scoped) FeedVersions(ctx context.Context, name string) ([]FeedVersion, error) {
	list, err := selectAll(ctx, s.db.reader, scanFeedVersion, `
		SELECT version, doc, made_at, by_whom, by_name
		FROM feed_version
		WHERE account = $1 AND feed = $2
		ORDER BY version DESC`,
		s.account, name)
	return list, wrapf(err, "list versions of feed %s", name)
}

// FeedVersion returns one version of a feed. NotFound: it is not kept.
func (s Scoped) FeedVersion(ctx context.Context, name string, version int64) (FeedVersion, error) {
	v, err := scanFeedVersion(s.db.reader.QueryRowContext(ctx, `
		SELECT version, doc, made_at, by_whom, by_name
		FROM feed_version
		WHERE account = $1 AND feed = $2 AND version = $3`,
		s.account, name, version))
	return v, notFoundOr(err, "version %d of feed %q is not kept", version, name)
}

func scanFeedVersion(row scanner) (v FeedVersion, err error) {
	var doc string
	if err := row.Scan(&v.Version, &doc, when(&v.MadeAt), &v.By.ID, &v.By.Name); err != nil {
		return v, err
	}
	v.Feed, err = readFeed(doc)
	return v, err
}

// Feeds lists the account's feeds by name, without secrets.
func (s Scoped) Feeds(ctx context.Context) ([]StoredFeed, error) {
	list, err := selectAll(ctx, s.db.reader, scanFeed, `
		SELECT `+feedColumns+`
		FROM feed
		WHERE account = $1
		ORDER BY name`,
		s.account)
	return list, wrapf(err, "list feeds")
}

// Feed returns a feed with its secrets. NotFound: there is none of this name.
func (s Scoped) Feed(ctx context.Context, name string) (StoredFeed, error) {
	f, err := s.feed(ctx, s.db.reader, name)
	if err == nil {
		err = f.Unopened
	}
	return f, err
}

// FeedToChange is Feed for whoever can do without secrets that the keys do not open: Unopened
// then says why they are not there. Without it nobody could give new ones.
func (s Scoped) FeedToChange(ctx context.Context, name string) (StoredFeed, error) {
	return s.feed(ctx, s.db.reader, name)
}

func (s Scoped) feed(ctx context.Context, q querier, name string) (StoredFeed, error) {
	var sealed string
	f, err := scanFeed(prefixedRow{q.QueryRowContext(ctx, `
		SELECT secrets, `+feedColumns+`
		FROM feed
		WHERE account = $1 AND name = $2`,
		s.account, name), []any{&sealed}})
	if err != nil {
		return StoredFeed{}, notFoundOr(err, "there is no feed %q", name)
	}
	if sealed != "" {
		f.Transport.Secrets, f.Unopened = s.open(feedColumn, name, sealed)
	}
	return f, nil
}

func scanFeed(row scanner) (f StoredFeed, err error) {
	var name, doc, holder string
	if err := row.Scan(&name, &doc, &f.Version, when(&f.Due), &f.Size, when(&f.GoodAt), when(&f.Failing), when(&f.Held),
		&holder); err != nil {
		return f, err
	}
	f.Holder = holderWords(holder)
	f.Feed, err = readFeed(doc)
	return f, err
}

func readFeed(doc string) (f gangway.Feed, err error) {
	if err := json.Unmarshal([]byte(doc), &f); err != nil {
		return f, fmt.Errorf("read a feed: %w", err)
	}
	f.Transport.Secrets = nil
	return f, nil
}

// DeleteFeed deletes a feed with its history. Its records are dropped before, with
// DropTravellers and the like. NotFound: there is none.
func (s Scoped) DeleteFeed(ctx context.Context, by gangway.Actor, name string, at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		old, err := scanFeed(tx.QueryRowContext(ctx, `
			DELETE FROM feed
			WHERE account = $1 AND name = $2
			RETURNING `+feedColumns,
			s.account, name))
		if err != nil {
			return notFoundOr(err, "there is no feed %q", name)
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.FeedDeleted,
			Before: feedDetails(old.Feed)})
	}, Feeds)
}

// feedDetails is what the audit log records of a feed.
func feedDetails(f gangway.Feed) map[string]any {
	return map[string]any{"feed": f.Name, "flow": string(f.Flow), "transport": f.Transport.Kind, "off": f.Off}
}

// FetchFeed makes a feed due at once; shrunk: and has its next run accept a list that is much shorter than the last
// one. Conflict: it is being fetched. NotFound: there is none.
func (s Scoped) FetchFeed(ctx context.Context, by gangway.Actor, name string, shrunk bool, at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `
			UPDATE feed
			SET due = $3
			WHERE account = $1 AND name = $2 AND lease <= $3
			RETURNING name`,
			s.account, name, millis(at)).Scan(&name)
		if errors.Is(err, sql.ErrNoRows) {
			return s.feedIsHeld(ctx, tx, name)
		}
		if err != nil {
			return fmt.Errorf("fetch feed %s: %w", name, err)
		}
		after := map[string]any{"feed": name}
		if shrunk {
			after["accept_shrink"] = true
			if err := s.acceptShrink(ctx, tx, name, at); err != nil {
				return err
			}
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.FeedFetched, After: after})
	}, Feeds)
}

// acceptShrink has the run of a feed that was interrupted, or else one that begins then, accept a list that is much
// shorter than the last one.
func (s Scoped) acceptShrink(ctx context.Context, tx *sql.Tx, feed string, at time.Time) error {
	doc, err := json.Marshal(feedRunDoc{Shrunk: true})
	if err != nil {
		return err
	}
	found := int64(0)
	err = tx.QueryRowContext(ctx, `
		UPDATE feed_run
		SET doc = $3
		WHERE account = $1 AND feed = $2 AND ended = 0 AND NOT (`+givenRun+`)
		RETURNING id`,
		s.account, feed, string(doc)).Scan(&found)
	if errors.Is(err, sql.ErrNoRows) {
		_, err = tx.ExecContext(ctx, `
			INSERT INTO feed_run (account, feed, id, began, doc)
			VALUES ($1, $2, $3, $4, $5)`,
			s.account, feed, s.db.Generation(), millis(at), string(doc))
	}
	return wrapf(err, "fetch feed %s", feed)
}

// Brought counts the records of each kind that a feed has brought and nobody else.
type Brought struct{ Travellers, TravelRequests, CrewChanges int }

// BroughtOnlyBy counts what would go with a feed, up to most records of a kind.
func (s Scoped) BroughtOnlyBy(ctx context.Context, name string, most int) (b Brought, err error) {
	for table, n := range map[string]*int{travellerRecords.table: &b.Travellers,
		requestRecords.table: &b.TravelRequests, changeRecords.table: &b.CrewChanges} {
		// The second condition is that of the index.
		err := s.db.reader.QueryRowContext(ctx, `
			SELECT count(*)
			FROM (
				SELECT 1
				FROM `+table+`
				WHERE account = $1 AND source = $2 AND source <> 'upload' AND outranked = ''
				LIMIT $3) AS brought`,
			s.account, string(gangway.FeedSource(name)), most).Scan(n)
		if err != nil {
			return b, fmt.Errorf("count what feed %s has brought: %w", name, err)
		}
	}
	return b, nil
}
