package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"
)

// oldSearches reads the next searches after a place, by the index on when they
// were made. Those that a booking with a known passenger came of stay for as
// long as it does.
var oldSearches = fmt.Sprintf(`
		SELECT s.created_at, s.account, s.id, coalesce((`+bookedFrom+` LIMIT 1), 0)
		FROM search s
		WHERE s.created_at < $1 AND (s.created_at, s.account, s.id) > ($2, $3, $4)
		ORDER BY s.created_at, s.account, s.id
		LIMIT %d`, oldAtOnce)

// bookedFrom finds a booking with a known passenger that came of the search s.
const bookedFrom = `SELECT 1 FROM booking b WHERE b.account = s.account AND b.search = s.id AND b.erased_at = 0`

const deleteSearch = `
		DELETE FROM search AS s
		WHERE s.account = $1 AND s.id = $2 AND NOT EXISTS (` + bookedFrom + `)`

// searchMargin is how far behind its end the next look at old searches begins:
// more than the clocks of replicas differ, or a transaction takes.
const searchMargin = 24 * time.Hour

// searchesSeen is how far this process has looked at old searches. Those before
// it led to bookings, and go with the last of these (eraseSearchOf): to look at
// them again, as many as there ever were bookings, would find nothing. A new
// process looks at all of them once.
type searchesSeen struct {
	mu sync.Mutex // held while somebody looks
	at int64      // all made before are done with
}

// expireSearches deletes the searches made before an instant that nothing came
// of, and returns how many. Each is looked at once: a portion goes on behind the
// one before it, and the next time behind what was seen then.
func (db *DB) expireSearches(ctx context.Context, before int64) (all int, err error) {
	db.searches.mu.Lock()
	defer db.searches.mu.Unlock()
	at, account, id := db.searches.at, "", ""
	for n := oldAtOnce; n == oldAtOnce; {
		n = 0
		var idle [][2]string
		err := eachRow(ctx, db.reader, oldSearches, []any{before, at, account, id}, func(row scanner) error {
			n++
			var booked int
			err := row.Scan(&at, &account, &id, &booked)
			if booked == 0 {
				idle = append(idle, [2]string{account, id})
			}
			return err
		})
		if err != nil {
			return all, err
		}
		deleted, err := db.deleteSearches(ctx, idle)
		if all += deleted; err != nil {
			return all, err
		}
		db.searches.at = max(db.searches.at, min(at, before-searchMargin.Milliseconds()))
	}
	db.searches.at = max(db.searches.at, before-searchMargin.Milliseconds())
	return all, nil
}

// deleteSearches deletes those that nothing has come of meanwhile either.
func (db *DB) deleteSearches(ctx context.Context, idle [][2]string) (deleted int, err error) {
	if len(idle) == 0 {
		return 0, nil
	}
	err = db.write(ctx, func(tx *sql.Tx) error {
		deleted = 0
		for _, key := range idle {
			res, err := tx.ExecContext(ctx, deleteSearch, key[0], key[1])
			if err != nil {
				return err
			}
			one, err := res.RowsAffected()
			if err != nil {
				return err
			}
			deleted += int(one)
		}
		return nil
	})
	return deleted, err
}

// eraseSearchOf deletes the search that an erased booking came of, if it is old
// and nobody else's booking keeps it. Of two that are erased at one time the
// second one waits here for the first, and so sees that it is the last.
func (s Scoped) eraseSearchOf(ctx context.Context, tx *sql.Tx, search string, now time.Time) error {
	if search == "" {
		return nil
	}
	res, err := tx.ExecContext(ctx, `
		UPDATE search
		SET traced = traced
		WHERE account = $1 AND id = $2 AND created_at < $3`,
		s.account, search, millis(now.Add(-searchLife)))
	if err != nil {
		return fmt.Errorf("erase search %s: %w", search, err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, deleteSearch, s.account, search); err != nil {
		return fmt.Errorf("erase search %s: %w", search, err)
	}
	return nil
}
