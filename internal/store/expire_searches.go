package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"
)

// oldSearches reads the next searches after a place, by the index on when they
// were made. A search stays as long as a booking that came of it and whose
// passenger is known.
var oldSearches = fmt.Sprintf(`
		SELECT s.created_at, s.account, s.id, coalesce((`+bookedFrom+` LIMIT 1), 0)
		FROM search s
		WHERE s.created_at < $1 AND (s.created_at, s.account, s.id) > ($2, $3, $4)
		ORDER BY s.created_at, s.account, s.id
		LIMIT %d`, oldAtOnce)

// bookedFrom finds a booking that came of the search s and whose passenger is known.
const bookedFrom = `SELECT 1 FROM booking b WHERE b.account = s.account AND b.search = s.id AND b.erased_at = 0`

const deleteSearch = `
		DELETE FROM search AS s
		WHERE s.account = $1 AND s.id = $2 AND NOT EXISTS (` + bookedFrom + `)`

// searchMargin is how far before its last end the next look at old searches
// begins: more than replicas' clocks differ, or a transaction takes.
const searchMargin = 24 * time.Hour

// searchesSeen is how far this process has looked at old searches. Those that are
// left before it led to bookings, and are deleted with the last of these
// (eraseSearchOf): looking again at as many of them as there ever were bookings
// would find nothing. A new process looks at all of them once.
type searchesSeen struct {
	mu sync.Mutex // held while somebody looks
	at int64      // all searches made before are dealt with
}

// expireSearches deletes the searches made before a time that led to nothing, and
// returns how many. It looks at each search once: a portion starts where the one
// before it ended, and the next run where this one ended.
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

// deleteSearches deletes searches, except any that led to a booking meanwhile.
func (db *DB) deleteSearches(ctx context.Context, idle [][2]string) (deleted int, err error) {
	if len(idle) == 0 {
		return 0, nil
	}
	err = db.write(ctx, func(tx *sql.Tx) error {
		deleted = 0
		for _, key := range idle {
			one, err := changed(tx.ExecContext(ctx, deleteSearch, key[0], key[1]))
			if err != nil {
				return err
			}
			deleted += one
		}
		return nil
	})
	return deleted, err
}

// eraseSearchOf deletes the search that an erased booking came of, if it is old
// and no other booking keeps it. If two such bookings are erased at the same
// time, the second waits here for the first, and so sees that it is the last.
func (s Scoped) eraseSearchOf(ctx context.Context, tx *sql.Tx, search string, now time.Time) error {
	if search == "" {
		return nil
	}
	n, err := changed(tx.ExecContext(ctx, `
		UPDATE search
		SET traced = traced
		WHERE account = $1 AND id = $2 AND created_at < $3`,
		s.account, search, millis(now.Add(-searchLife))))
	if err != nil || n == 0 {
		return wrapf(err, "erase search %s", search)
	}
	_, err = tx.ExecContext(ctx, deleteSearch, s.account, search)
	return wrapf(err, "erase search %s", search)
}
