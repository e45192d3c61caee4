package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// LatestFeedRuns are how a feed's history ends.
type LatestFeedRuns struct {
	Last gangway.FeedRun // the zero run: there was none
	Good gangway.FeedRun // the last one that did not fail
}

// LatestFeedRuns returns how the history of each of the account's feeds ends, by the feeds'
// names, without remarks.
func (s Scoped) LatestFeedRuns(ctx context.Context) (map[string]LatestFeedRuns, error) {
	list, err := selectAll(ctx, s.db.reader, scanFeedRun, `
		SELECT `+feedRunColumns+`
		FROM feed_run
		WHERE account = $1 AND (feed, id) IN (
			SELECT feed.name, (
				SELECT last.id
				FROM feed_run AS last
				WHERE last.account = feed.account AND last.feed = feed.name AND last.ended > 0
				ORDER BY last.id DESC
				LIMIT 1)
			FROM feed
			WHERE feed.account = $1
			UNION ALL
			SELECT feed.name, (
				SELECT good.id
				FROM feed_run AS good
				WHERE good.account = feed.account AND good.feed = feed.name AND good.ended > 0 AND good.failed = 0
				ORDER BY good.id DESC
				LIMIT 1)
			FROM feed
			WHERE feed.account = $1)
		ORDER BY feed, id`,
		s.account)
	if err != nil {
		return nil, fmt.Errorf("list the latest runs of feeds: %w", err)
	}
	latest := map[string]LatestFeedRuns{}
	for _, run := range list {
		of := latest[run.Feed]
		if of.Last = run; !run.Failed() {
			of.Good = run
		}
		latest[run.Feed] = of
	}
	return latest, nil
}

// A FeedRunNow is a run that has not ended, with what it has changed so far.
type FeedRunNow struct {
	gangway.FeedRun
	Progress FeedProgress
}

// FeedRunUnderWay returns the run of a feed that has not ended and is made now, or next: of a feed that
// nobody works on, that is a run which waits or was interrupted. The zero run: there is none.
func (s Scoped) FeedRunUnderWay(ctx context.Context, name string) (now FeedRunNow, err error) {
	var text string
	now.FeedRun, err = scanFeedRun(prefixedRow{s.db.reader.QueryRowContext(ctx, `
		SELECT doc, `+feedRunColumns+`
		FROM feed_run
		WHERE account = $1 AND feed = $2 AND ended = 0
		ORDER BY id
		LIMIT 1`,
		s.account, name), []any{&text}})
	if errors.Is(err, sql.ErrNoRows) {
		return FeedRunNow{}, nil
	}
	if err != nil {
		return now, fmt.Errorf("look how far feed %s is: %w", name, err)
	}
	doc, err := readFeedRunDoc(name, text)
	now.Progress = doc.Progress
	return now, err
}

// A FeedTrouble says since when a feed had been failing, and when it last did, before it failed once more.
type FeedTrouble struct{ Since, Last time.Time } // zero: it was well

// saidAgain is how often it is said again that a feed fails, in its history and in the log.
const saidAgain = time.Hour

// ToSay reports whether it is to be said that the feed fails now: at first, and then in each hour once, whichever
// replica sees it.
func (t FeedTrouble) ToSay(now time.Time) bool {
	return t.Since.IsZero() || t.Last.IsZero() || now.Sub(t.Since)/saidAgain > t.Last.Sub(t.Since)/saidAgain
}

// FeedTrouble returns how a feed had been failing before a run of it that was just made.
func (s Scoped) FeedTrouble(ctx context.Context, f StoredFeed) (FeedTrouble, error) {
	if f.Failing.IsZero() {
		return FeedTrouble{}, nil
	}
	const among = 20 // one of them was fetched, or else it is said once more
	runs, err := s.FeedRuns(ctx, f.Name, 0, among)
	for _, run := range runs {
		if run.Failed() && !run.ByHand() {
			return FeedTrouble{f.Failing, run.At.Add(run.Took)}, err
		}
	}
	return FeedTrouble{Since: f.Failing}, err
}

// NoteFeedAnswer notes that a feed has answered somebody who waited, so that every replica
// knows when it last did, and that it is well. It returns since when the feed was failing; zero: it
// was not, or another replica has noted first that it works again.
func (s Scoped) NoteFeedAnswer(ctx context.Context, name string, at time.Time) (failing time.Time, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		since, err := column[int64](tx.QueryRowContext(ctx, `
			UPDATE feed
			SET good_at = CASE WHEN good_at < $3 THEN $3 ELSE good_at END
			WHERE account = $1 AND name = $2
			RETURNING failing`,
			s.account, name, millis(at)))
		if errors.Is(err, sql.ErrNoRows) || err == nil && since == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		failing = instant(since)
		_, err = tx.ExecContext(ctx, `
			UPDATE feed
			SET failing = 0
			WHERE account = $1 AND name = $2`,
			s.account, name)
		return err
	}, FeedTopic(name))
	return failing, wrapf(err, "note an answer of feed %s", name)
}

// lastFeedRun returns the run with which a feed's history ends; the zero run if there is none.
func (s Scoped) lastFeedRun(ctx context.Context, tx *sql.Tx, feed string) (gangway.FeedRun, error) {
	last, err := scanWithRemarks(tx.QueryRowContext(ctx, `
		SELECT remarks, `+feedRunColumns+`
		FROM feed_run
		WHERE account = $1 AND feed = $2 AND ended > 0
		ORDER BY id DESC
		LIMIT 1`,
		s.account, feed))
	return last, orNone(err)
}

// NoteFeedSilence notes that a feed has failed somebody who waited, or what there is to say of its answer: as a run of
// its history. It returns how the feed had been failing before. NotFound: there is no such feed.
func (s Scoped) NoteFeedSilence(ctx context.Context, run gangway.FeedRun,
	at time.Time) (before FeedTrouble, err error) {
	run.ID = s.db.Generation()
	err = s.write(ctx, func(tx *sql.Tx) error {
		since, err := column[int64](tx.QueryRowContext(ctx, `
			UPDATE feed
			SET failing = CASE WHEN failing = 0 THEN $3 ELSE failing END
			WHERE account = $1 AND name = $2
			RETURNING failing`,
			s.account, run.Feed, millis(at)*int64(truthValue(run.Failed()))))
		if err != nil {
			return notFoundOr(err, "there is no feed %q", run.Feed)
		}
		last, err := s.lastFeedRun(ctx, tx, run.Feed)
		if err != nil {
			return err
		}
		if before = (FeedTrouble{}); since < millis(at) {
			before = FeedTrouble{instant(since), last.At.Add(last.Took)}
		}
		if last.Error == run.Error && last.Notice.Text == run.Notice.Text &&
			(run.Failed() && !before.ToSay(at) || !run.Failed() && last.Says(run)) {
			return nil
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO feed_run (account, feed, id, began)
			VALUES ($1, $2, $3, $4)`,
			s.account, run.Feed, run.ID, millis(run.At))
		if err != nil {
			return fmt.Errorf("note that feed %s failed: %w", run.Feed, err)
		}
		return s.writeFeedRun(ctx, tx, &run, at)
	}, FeedTopic(run.Feed))
	return before, err
}
