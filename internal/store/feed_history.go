package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

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
