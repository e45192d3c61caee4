package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// A FeedLease is a feed that one process works on, and its run.
type FeedLease struct {
	Scope gangway.Scope
	Feed  string
	Run   int64      // the interrupted run's if there was one
	Given *FeedGiven // its document; nil: it is to be fetched

	Interrupted bool // another process began the run

	Shrunk bool // somebody has asked for the run and accepts a list that is much shorter than the last one

	version int64 // of the feed when it was taken
	holder  string
}

// Generation is that of what the run changes.
func (l FeedLease) Generation() int64 {
	if l.Given != nil {
		return l.Given.Generation
	}
	return l.Run
}

// ErrFeedLost says that a process was silent for too long and another has its feed.
var ErrFeedLost = gangway.Errorf(gangway.Conflict, "another process has taken the feed")

// TakeFeeds takes up to n due feeds of all accounts that nobody works on, those due
// longest first, and leases them until the given time. No account has more than each
// of its feeds leased at once.
func (db *DB) TakeFeeds(ctx context.Context, now, until time.Time, n, each int) ([]FeedLease, error) {
	ctx = withLongWork(ctx)
	type dueFeed struct{ account, name string }
	found, err := selectAll(ctx, db.reader, func(row scanner) (d dueFeed, err error) {
		err = row.Scan(&d.account, &d.name)
		return d, err
	}, `
		SELECT account, name
		FROM feed
		WHERE due > 0 AND due <= $1 AND lease <= $1 AND `+notRemoving+` AND (
			SELECT count(*)
			FROM feed AS held
			WHERE held.account = feed.account AND held.lease > $1) < $3
		ORDER BY due, account, name
		LIMIT $2`,
		millis(now), n, each)
	if err != nil {
		return nil, fmt.Errorf("look for feeds that are due: %w", err)
	}
	var taken []FeedLease
	of := map[string]int{}
	for _, d := range found {
		if of[d.account] == each {
			continue
		}
		l, err := db.In(gangway.Scope{Account: d.account}).TakeFeed(ctx, d.name, now, until)
		switch {
		case err == nil:
			taken = append(taken, l)
			of[d.account]++
		case gangway.KindOf(err) != gangway.Conflict && gangway.KindOf(err) != gangway.NotFound:
			return taken, err
		}
	}
	return taken, nil
}

// TakeFeed takes a feed, due or not, and begins a run of it or continues the one that
// was interrupted. Conflict: somebody works on it. NotFound: there is none.
func (s Scoped) TakeFeed(ctx context.Context, name string, now, until time.Time) (FeedLease, error) {
	l := FeedLease{Scope: s.Scope(), Feed: name, holder: newNamedHolder()}
	err := s.write(ctx, func(tx *sql.Tx) error {
		taken, err := feedLeases.Take(ctx, tx, s.account, name, l.holder, millis(now), millis(until))
		if err != nil {
			return err
		}
		if !taken {
			return s.feedIsHeld(ctx, tx, name)
		}
		f, err := s.feed(ctx, tx, name)
		if err != nil {
			return err
		}
		run, doc, err := s.beginFeedRun(ctx, tx, name, now)
		l.Run, l.Given, l.Shrunk = run.id, doc.Given, doc.Shrunk
		l.version, l.Interrupted = f.Version, run.interrupted
		return err
	})
	return l, err
}

// feedIsHeld returns why a feed could not be had: Conflict, since somebody works on it, or NotFound.
func (s Scoped) feedIsHeld(ctx context.Context, tx *sql.Tx, name string) error {
	if _, err := s.feed(ctx, tx, name); err != nil {
		return err
	}
	return gangway.Errorf(gangway.Conflict, "feed %s is being fetched right now", name)
}

// A begunRun is a run that a feed's lease is for.
type begunRun struct {
	id          int64
	interrupted bool // another process has begun it
}

// beginFeedRun returns a feed's interrupted run, or one that waits, or else begins one.
func (s Scoped) beginFeedRun(ctx context.Context, tx *sql.Tx, feed string,
	now time.Time) (run begunRun, doc feedRunDoc, err error) {
	var text string
	err = tx.QueryRowContext(ctx, `
		SELECT id, doc
		FROM feed_run
		WHERE account = $1 AND feed = $2 AND ended = 0
		ORDER BY id
		LIMIT 1`,
		s.account, feed).Scan(&run.id, &text)
	if err == nil {
		run.interrupted = true
		doc, err = readFeedRunDoc(feed, text)
		return run, doc, err
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return run, doc, err
	}
	run.id = s.db.Generation()
	_, err = tx.ExecContext(ctx, `
		INSERT INTO feed_run (account, feed, id, began)
		VALUES ($1, $2, $3, $4)`,
		s.account, feed, run.id, millis(now))
	return run, doc, wrapf(err, "begin a run of feed %s", feed)
}

// During returns the database for the run of a lease: what is written is counted in the
// run's row in the same transaction, and fails with ErrFeedLost once another process has
// the feed.
func (s Scoped) During(l FeedLease) Scoped {
	s.run = &l
	return s
}

// countInRun counts records in the run that writes, if one does.
func (s Scoped) countInRun(tx statements, created, updated, removed int) error {
	if s.run == nil {
		return nil
	}
	held := false
	err := tx.each(`
		UPDATE feed_run
		SET created = created + $4, updated = updated + $5, removed = removed + $6
		WHERE account = $1 AND feed = $2 AND id = $3 AND ended = 0 AND `+heldBy(7)+`
		RETURNING id`,
		[]any{s.account, s.run.Feed, s.run.Run, created, updated, removed, s.run.holder}, func(row scanner) error {
			held = true
			return row.Scan(new(int64))
		})
	if err == nil && !held {
		return ErrFeedLost
	}
	return err
}

// heldBy is the condition on a run that its feed is held by a holder.
func heldBy(placeholder int) string {
	return fmt.Sprintf(`feed IN (SELECT name FROM feed WHERE account = $1 AND name = $2 AND holder = $%d)`, placeholder)
}

// ErrFeedOff says that a feed was switched off while a process works on it.
var ErrFeedOff = gangway.Errorf(gangway.Conflict, "the run was stopped: the feed was switched off")

// HoldFeed extends a lease to until. ErrFeedLost: another process has the feed. ErrFeedOff: its run is to end.
func (s Scoped) HoldFeed(ctx context.Context, l FeedLease, until time.Time) error {
	return s.writeUnseen(ctx, func(tx *sql.Tx) error {
		if err := s.leaseFeed(ctx, tx, l, until); err != nil {
			return err
		}
		f, err := s.feed(ctx, tx, l.Feed)
		if f.Off && f.Version != l.version { // a person may have an off feed run
			return ErrFeedOff
		}
		return err
	})
}

func (s Scoped) leaseFeed(ctx context.Context, tx *sql.Tx, l FeedLease, until time.Time) error {
	held, err := feedLeases.Renew(ctx, tx, s.account, l.Feed, l.holder, millis(until))
	if err == nil && !held {
		return ErrFeedLost
	}
	return err
}
