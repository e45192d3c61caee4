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
