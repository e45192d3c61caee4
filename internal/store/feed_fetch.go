package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gangway"
)

// FetchFeed makes a feed due at once. Conflict: it is being fetched. NotFound: there is none.
func (s Scoped) FetchFeed(ctx context.Context, by gangway.Actor, name string, at time.Time) error {
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
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.FeedFetched,
			After: map[string]any{"feed": name}})
	}, Feeds)
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
