package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"time"

	"gangway/internal/gangway"
)

// A FeedGiven is what is stored of a document that somebody gave to a feed by hand, with its run.
type FeedGiven struct {
	By         string `json:"by"`
	Name       string `json:"name,omitzero"` // of whoever gave it
	Shrunk     bool   `json:"shrunk,omitzero"`
	Generation int64  `json:"generation,omitzero"` // of what the run changes: from when all of it was there
	Tries      int    `json:"tries,omitzero"`      // how often the run was begun
}

// A FeedProgress says how far a run has come.
type FeedProgress struct {
	Read    int64 `json:"read,omitzero"` // bytes of the document
	Size    int64 `json:"size,omitzero"`
	Records int   `json:"records,omitzero"` // that were read
	Storing bool  `json:"storing,omitzero"` // all of it was read
	Stored  int   `json:"stored,omitzero"`  // records
}

// givenRun is the condition on a run that it is one of a document which somebody gave, waiting
// or under way.
const givenRun = `ended = 0 AND doc LIKE '{"given":%'`

// waitingRun is the condition on a run that it is one of these, or that somebody has asked for it and accepts a
// shorter list.
const waitingRun = `ended = 0 AND (doc LIKE '{"given":%' OR doc LIKE '{"shrunk":%')`

// arriving is in the place of a run's end while its document comes in. Whoever takes the feed
// passes such a run over; what is left of one that was interrupted is deleted with the old runs.
const arriving = -1

// A GivenDocument is a document that somebody gives to a feed by hand.
type GivenDocument struct {
	By          gangway.Actor
	Name        string // of the file
	ContentType string
	Shrunk      bool // a list that is much shorter than the last one is believed
}

// GiveFeedDocument stores a document that somebody gives to a feed, and has the feed run with it
// at once: once it returns, neither a crash nor a restart loses the document. The error of doc is
// returned, and nothing stays stored then. Conflict: another one waits. NotFound: there is no such feed.
func (s Scoped) GiveFeedDocument(ctx context.Context, feed string, d GivenDocument, doc io.Reader,
	now func() time.Time) (run int64, err error) {
	given := FeedGiven{By: d.By.ID, Name: d.By.Name, Shrunk: d.Shrunk}
	run = s.db.Generation()
	if err := s.beginArriving(ctx, feed, run, given, now()); err != nil {
		return 0, err
	}
	counted := &countingReader{from: doc}
	err = s.KeepFeedDocument(ctx, FeedLease{Feed: feed, Run: run},
		FeedDocument{Name: d.Name, ContentType: d.ContentType}, counted)
	if err == nil {
		given.Generation = s.db.Generation()
		err = s.endArriving(ctx, feed, run, given, d.By, counted.bytes, now())
	}
	if err != nil {
		s.dropArriving(context.WithoutCancel(ctx), feed, run) // what cannot be deleted now goes with the old runs
		return 0, err
	}
	return run, nil
}

func (s Scoped) beginArriving(ctx context.Context, feed string, run int64, given FeedGiven, at time.Time) error {
	doc, err := json.Marshal(feedRunDoc{Given: &given})
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		if _, err := s.feed(ctx, tx, feed); err != nil {
			return err
		}
		if err := s.noneGiven(ctx, tx, feed); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `
			INSERT INTO feed_run (account, feed, id, began, ended, doc)
			VALUES ($1, $2, $3, $4, $5, $6)`,
			s.account, feed, run, millis(at), arriving, string(doc))
		return wrapf(err, "begin to give feed %s a document", feed)
	})
}

// noneGiven returns Conflict if a document that was given to the feed was not read yet.
func (s Scoped) noneGiven(ctx context.Context, tx *sql.Tx, feed string) error {
	n, err := column[int](tx.QueryRowContext(ctx, `
		SELECT count(*)
		FROM feed_run
		WHERE account = $1 AND feed = $2 AND `+givenRun,
		s.account, feed))
	if err == nil && n > 0 {
		err = gangway.Errorf(gangway.Conflict,
			"feed %s still reads a document that it was given: give it this one once that is done", feed)
	}
	return err
}

// endArriving has the feed run with the document that has come in. It is due at once.
func (s Scoped) endArriving(ctx context.Context, feed string, run int64, given FeedGiven, by gangway.Actor,
	bytes int64, at time.Time) error {
	doc, err := json.Marshal(feedRunDoc{Given: &given, Progress: FeedProgress{Size: bytes}})
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		// Others who give it a document wait for this row.
		err := tx.QueryRowContext(ctx, `
			UPDATE feed
			SET due = $3
			WHERE account = $1 AND name = $2
			RETURNING name`,
			s.account, feed, millis(at)).Scan(&feed)
		if err != nil {
			return notFoundOr(err, "there is no feed %q", feed)
		}
		if err := s.noneGiven(ctx, tx, feed); err != nil {
			return err
		}
		err = tx.QueryRowContext(ctx, `
			UPDATE feed_run
			SET ended = 0, began = $4, doc = $5
			WHERE account = $1 AND feed = $2 AND id = $3
			RETURNING id`,
			s.account, feed, run, millis(at), string(doc)).Scan(&run)
		if err != nil {
			return notFoundOr(err, "the document for feed %q was deleted while it came in", feed)
		}
		after := map[string]any{"feed": feed, "bytes": bytes}
		if given.Shrunk {
			after["accept_shrink"] = true
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.FeedGiven, After: after})
	}, Feeds)
}

func (s Scoped) dropArriving(ctx context.Context, feed string, run int64) error {
	return s.exec(ctx, `
		DELETE FROM feed_run
		WHERE account = $1 AND feed = $2 AND id = $3`,
		s.account, feed, run)
}

// NoteFeedProgress stores how far a run has come, for those who look at it. ErrFeedLost: another process has the feed.
func (s Scoped) NoteFeedProgress(ctx context.Context, l FeedLease, p FeedProgress) error {
	doc, err := json.Marshal(feedRunDoc{Given: l.Given, Shrunk: l.Shrunk, Progress: p})
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := column[int64](tx.QueryRowContext(ctx, `
			UPDATE feed_run
			SET doc = $4
			WHERE account = $1 AND feed = $2 AND id = $3 AND ended = 0 AND `+heldBy(5)+`
			RETURNING id`,
			s.account, l.Feed, l.Run, string(doc), l.holder))
		return noRowIs(ErrFeedLost, err)
	}, FeedTopic(l.Feed))
}

// A FeedUnderWay is a run of a document that was given, before its end.
type FeedUnderWay struct {
	Given    FeedGiven
	At       time.Time // when all of the document was there
	Progress FeedProgress
}

// FeedUnderWay returns how far the run of a document that was given has come. NotFound: it has
// ended, or there is none.
func (s Scoped) FeedUnderWay(ctx context.Context, feed string, run int64) (now FeedUnderWay, err error) {
	var began int64
	var text string
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT began, doc
		FROM feed_run
		WHERE account = $1 AND feed = $2 AND id = $3 AND `+givenRun,
		s.account, feed, run).Scan(&began, &text)
	if err != nil {
		return now, notFoundOr(err, "no such run of feed %s is under way", feed)
	}
	doc, err := readFeedRunDoc(feed, text)
	if err != nil || doc.Given == nil {
		return now, err
	}
	return FeedUnderWay{*doc.Given, instant(began), doc.Progress}, nil
}

// A countingReader counts what it reads.
type countingReader struct {
	from  io.Reader
	bytes int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.bytes += int64(n)
	return n, err
}
