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

// A FeedRunEnd is what is stored when a run ends, besides the run itself.
type FeedRunEnd struct {
	Next     time.Time // when the feed is fetched next; zero: only when somebody asks
	Have     string    // how the customer's system identifies the answer that we now have; empty: unchanged
	Whole    bool      // the run brought everything there is
	Arrivals []FeedArrival

	DropDocuments bool // they are too long to be kept for those who look into the run later
}

// A FeedArrival is a file or a mail whose run has ended and that was not put away yet.
type FeedArrival struct {
	Key    string
	Failed bool   // nothing of it was stored
	Report string // what was refused of it, and left out; empty: nothing
	Answer string // what its sender is answered; empty: nothing
}

// feedRunDoc is the part of a run that is stored as JSON.
//
// While a run is under way, it has its progress at most, and what was given or asked for.
type feedRunDoc struct {
	Given       *FeedGiven   `json:"given,omitempty"` // first: see givenRun
	Shrunk      bool         `json:"shrunk,omitzero"` // a shorter list will be accepted; next: see waitingRun
	Progress    FeedProgress `json:"progress,omitzero"`
	Ask         gangway.Ask  `json:"ask,omitzero"`
	Took        int64        `json:"took_ms"`
	Received    int          `json:"received"`
	Refused     int          `json:"refused"`
	Warned      int          `json:"warned"`
	Members     int          `json:"refused_members,omitzero"`
	Passed      int          `json:"passed_over,omitzero"`
	NotModified bool         `json:"not_modified,omitzero"`
	Error       string       `json:"error,omitzero"`
	Documents   int          `json:"documents,omitzero"`
	Sum         string       `json:"sum,omitzero"`
	DocumentsOf int64        `json:"documents_of,omitzero"`

	Shorter         gangway.ShorterList `json:"shorter,omitzero"`
	Notice          gangway.FeedNotice  `json:"notice,omitzero"`
	FailedDocuments int                 `json:"failed_documents,omitzero"`
}

// feedRemarks are a run's remarks on records and documents. They name people.
type feedRemarks struct {
	Refused  []gangway.FeedRemark      `json:"refused,omitempty"`
	Warnings []gangway.FeedRemark      `json:"warnings,omitempty"`
	Failures []gangway.DocumentFailure `json:"failures,omitempty"`
}

// EndFeedRun ends the run of a lease and releases the feed, in one transaction. It returns
// the run with what it created, updated and removed, also before an interruption.
// ErrFeedLost: another process has the feed.
func (s Scoped) EndFeedRun(ctx context.Context, l FeedLease, run gangway.FeedRun, end FeedRunEnd,
	at time.Time) (gangway.FeedRun, error) {
	run.ID, run.Feed = l.Run, l.Feed
	err := s.write(ctx, func(tx *sql.Tx) error {
		if err := s.leaseFeed(ctx, tx, l, time.Time{}); err != nil {
			return err
		}
		if err := s.writeFeedRun(ctx, tx, &run, at); err != nil {
			return err
		}
		if err := s.noteFeedRun(ctx, tx, l, run, end, at); err != nil {
			return err
		}
		for _, a := range end.Arrivals {
			_, err := tx.ExecContext(ctx, `
				INSERT INTO feed_arrival (account, feed, key, run, failed, report, answer)
				VALUES ($1, $2, $3, $4, $5, $6, $7)
				ON CONFLICT (account, feed, key) DO UPDATE
				SET run = excluded.run, failed = excluded.failed, report = excluded.report, answer = excluded.answer`,
				s.account, l.Feed, a.Key, l.Run, truthValue(a.Failed), a.Report, a.Answer)
			if err != nil {
				return fmt.Errorf("store what feed %s has read: %w", l.Feed, err)
			}
		}
		if end.DropDocuments {
			if err := s.dropFeedDocuments(ctx, tx, l.Feed, l.Run); err != nil {
				return err
			}
		}
		return s.dropOldDocuments(ctx, tx, l.Feed)
	}, FeedTopic(l.Feed))
	return run, err
}

// nextDue is when a feed is due after a run: at $5 if another one waits, else at $4 unless the feed is no longer
// of the version $3.
const nextDue = `CASE
	WHEN EXISTS (SELECT 1 FROM feed_run WHERE account = $1 AND feed = $2 AND ` + waitingRun + `)
		THEN CAST($5 AS BIGINT)
	WHEN version = $3 THEN $4
	ELSE due END`

// FeedTopic is the topic for whoever watches a feed's runs.
func FeedTopic(feed string) Topic { return Topic("feed " + feed) }

func (s Scoped) writeFeedRun(ctx context.Context, tx *sql.Tx, run *gangway.FeedRun, at time.Time) error {
	written := feedRunDoc{Ask: run.Ask, Took: run.Took.Milliseconds(), Received: run.Received, Refused: run.Refused,
		Warned: run.Warned, Members: run.RefusedMembers, Passed: run.Passed, NotModified: run.NotModified,
		Error: run.Error, Documents: run.Documents, Shorter: run.Shorter, FailedDocuments: run.FailedDocuments,
		Sum: run.Sum, DocumentsOf: run.DocumentsOf, Notice: run.Notice}
	if run.ByHand() {
		written.Given = &FeedGiven{By: run.GivenBy.ID, Name: run.GivenBy.Name}
	}
	doc, err := json.Marshal(written)
	if err != nil {
		return fmt.Errorf("write a run of feed %s: %w", run.Feed, err)
	}
	remarks := ""
	if len(run.Refusals)+len(run.Warnings)+len(run.Failures) > 0 {
		text, err := json.Marshal(feedRemarks{run.Refusals, run.Warnings, run.Failures})
		if err != nil {
			return fmt.Errorf("write a run of feed %s: %w", run.Feed, err)
		}
		remarks = string(text)
	}
	err = tx.QueryRowContext(ctx, `
		UPDATE feed_run
		SET ended = $4, failed = $5, doc = $6, remarks = $7
		WHERE account = $1 AND feed = $2 AND id = $3
		RETURNING began, created, updated, removed`,
		s.account, run.Feed, run.ID, millis(at), truthValue(run.Failed()), string(doc), remarks).
		Scan(when(&run.At), &run.Created, &run.Updated, &run.Removed)
	if err != nil {
		return notFoundOr(err, "the run of feed %s is gone", run.Feed)
	}
	run.Unchanged = max(0, run.Received-run.Created-run.Updated-run.Refused)
	return nil
}

// noteFeedRun stores with the feed how its run went. A feed that was changed meanwhile
// keeps when its change made it due, and what it has already is not what the change asks for.
// A document that somebody gave says nothing of how the customer's system is doing; and what that
// answered last, we no longer have.
func (s Scoped) noteFeedRun(ctx context.Context, tx *sql.Tx, l FeedLease, run gangway.FeedRun, end FeedRunEnd,
	at time.Time) error {
	set := `due = ` + nextDue
	args := []any{s.account, run.Feed, l.version, millis(end.Next), millis(at)}
	add := func(column string, value any) {
		args = append(args, value)
		set += fmt.Sprintf(`, %s = $%d`, column, len(args))
	}
	switch {
	case run.ByHand() && run.Failed():
	case run.ByHand():
		add("good_at", millis(at))
		add("have", "")
	case run.Failed():
		set += `, failing = CASE WHEN failing = 0 THEN $5 ELSE failing END`
	default:
		add("failing", int64(0))
		add("good_at", millis(at))
	}
	if end.Have != "" {
		args = append(args, end.Have)
		set += fmt.Sprintf(`, have = CASE WHEN version = $3 THEN $%d ELSE have END`, len(args))
	}
	if end.Whole && !run.Failed() && !run.NotModified {
		add("size", int64(run.Received-run.Refused))
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE feed
		SET `+set+`
		WHERE account = $1 AND name = $2`, args...)
	return wrapf(err, "note a run of feed %s", run.Feed)
}

// DropFeedRun ends a lease whose run had nothing to fetch, and deletes the run. A run that
// wrote records before it was interrupted stays; a later one that brings something ends it.
func (s Scoped) DropFeedRun(ctx context.Context, l FeedLease, next, at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := s.dropFeedRun(ctx, tx, l); err != nil {
			return err
		}
		return s.noteFeedRun(ctx, tx, l, gangway.FeedRun{Feed: l.Feed}, FeedRunEnd{Next: next}, at)
	}, FeedTopic(l.Feed))
}

// RestFeed ends a lease of a feed that is not fetched by itself any more: it was due for a document
// that somebody gave. Nothing is said of how it is doing.
func (s Scoped) RestFeed(ctx context.Context, l FeedLease, at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := s.dropFeedRun(ctx, tx, l); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `
			UPDATE feed
			SET due = `+nextDue+`
			WHERE account = $1 AND name = $2`,
			s.account, l.Feed, l.version, millis(time.Time{}), millis(at))
		return err
	}, FeedTopic(l.Feed))
}

// dropFeedRun releases a feed and deletes its run, unless that has written something.
func (s Scoped) dropFeedRun(ctx context.Context, tx *sql.Tx, l FeedLease) error {
	if err := s.leaseFeed(ctx, tx, l, time.Time{}); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `
		DELETE FROM feed_run
		WHERE account = $1 AND feed = $2 AND id = $3 AND ended = 0 AND created = 0 AND updated = 0 AND removed = 0`,
		s.account, l.Feed, l.Run)
	return wrapf(err, "drop a run of feed %s", l.Feed)
}

// FeedHave returns how the customer's system identifies the answer of a feed that we have.
func (s Scoped) FeedHave(ctx context.Context, name string) (have string, err error) {
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT have
		FROM feed
		WHERE account = $1 AND name = $2`,
		s.account, name).Scan(&have)
	return have, notFoundOr(err, "there is no feed %q", name)
}

// feedRunColumns are the columns that scanFeedRun reads.
const feedRunColumns = `feed, id, began, created, updated, removed, doc`

// FeedRuns lists up to n ended runs of a feed before the run with the given identifier (0:
// all), the newest first, without their remarks.
func (s Scoped) FeedRuns(ctx context.Context, name string, before int64, n int) ([]gangway.FeedRun, error) {
	query, args := `
		SELECT `+feedRunColumns+`
		FROM feed_run
		WHERE account = $1 AND feed = $2 AND ended > 0`, []any{s.account, name, n}
	if before > 0 {
		query, args = query+` AND id < $4`, append(args, before)
	}
	list, err := selectAll(ctx, s.db.reader, scanFeedRun, query+`
		ORDER BY id DESC
		LIMIT $3`, args...)
	return list, wrapf(err, "list runs of feed %s", name)
}

// FeedRun returns one ended run, with its remarks if they are still stored. NotFound: there is none.
func (s Scoped) FeedRun(ctx context.Context, name string, id int64) (gangway.FeedRun, error) {
	run, err := scanWithRemarks(s.db.reader.QueryRowContext(ctx, `
		SELECT remarks, `+feedRunColumns+`
		FROM feed_run
		WHERE account = $1 AND feed = $2 AND id = $3 AND ended > 0`,
		s.account, name, id))
	return run, notFoundOr(err, "there is no such run of feed %s", name)
}

func scanWithRemarks(row scanner) (run gangway.FeedRun, err error) {
	var text string
	if run, err = scanFeedRun(prefixedRow{row, []any{&text}}); err != nil || text == "" {
		return run, err
	}
	var remarks feedRemarks
	if err := json.Unmarshal([]byte(text), &remarks); err != nil {
		return run, fmt.Errorf("read a run of feed %s: %w", run.Feed, err)
	}
	run.Refusals, run.Warnings, run.Failures = remarks.Refused, remarks.Warnings, remarks.Failures
	return run, nil
}

func scanFeedRun(row scanner) (run gangway.FeedRun, err error) {
	var text string
	if err := row.Scan(&run.Feed, &run.ID, when(&run.At), &run.Created, &run.Updated, &run.Removed, &text); err != nil {
		return run, err
	}
	doc, err := readFeedRunDoc(run.Feed, text)
	if err != nil {
		return run, err
	}
	if doc.Given != nil {
		run.GivenBy = gangway.Actor{ID: doc.Given.By, Name: doc.Given.Name}
	}
	run.Took = time.Duration(doc.Took) * time.Millisecond
	run.Ask, run.Received, run.Refused, run.Warned = doc.Ask, doc.Received, doc.Refused, doc.Warned
	run.RefusedMembers, run.Passed = doc.Members, doc.Passed
	run.NotModified, run.Error, run.Documents = doc.NotModified, doc.Error, doc.Documents
	run.Shorter, run.FailedDocuments, run.Notice = doc.Shorter, doc.FailedDocuments, doc.Notice
	run.Sum, run.DocumentsOf = doc.Sum, doc.DocumentsOf
	run.Unchanged = max(0, run.Received-run.Created-run.Updated-run.Refused)
	return run, nil
}

func readFeedRunDoc(feed, text string) (doc feedRunDoc, err error) {
	err = json.Unmarshal([]byte(text), &doc)
	return doc, wrapf(err, "read a run of feed %s", feed)
}

// FeedArrivals lists up to n documents of a feed that were not put away yet, by key.
func (s Scoped) FeedArrivals(ctx context.Context, name string, n int) ([]FeedArrival, error) {
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (a FeedArrival, err error) {
		err = row.Scan(&a.Key, &a.Failed, &a.Report, &a.Answer)
		return a, err
	}, `
		SELECT key, failed, report, answer
		FROM feed_arrival
		WHERE account = $1 AND feed = $2
		ORDER BY key
		LIMIT $3`,
		s.account, name, n)
	return list, wrapf(err, "list what of feed %s is to be put away", name)
}

// FeedArrivalRead reports whether the document with a key was read and was not put away
// yet.
func (s Scoped) FeedArrivalRead(ctx context.Context, name, key string) (bool, error) {
	err := s.db.reader.QueryRowContext(ctx, `
		SELECT key
		FROM feed_arrival
		WHERE account = $1 AND feed = $2 AND key = $3`,
		s.account, name, key).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// FeedAnswered notes that the sender of a mail was answered.
func (s Scoped) FeedAnswered(ctx context.Context, name, key string) error {
	return s.exec(ctx, `
		UPDATE feed_arrival
		SET answer = ''
		WHERE account = $1 AND feed = $2 AND key = $3`,
		s.account, name, key)
}

// FeedPutAway notes that a document was put away: it is then no longer known.
func (s Scoped) FeedPutAway(ctx context.Context, name, key string) error {
	return s.exec(ctx, `
		DELETE FROM feed_arrival
		WHERE account = $1 AND feed = $2 AND key = $3`,
		s.account, name, key)
}
