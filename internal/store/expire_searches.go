package store

import (
	"context"
	"database/sql"
	"fmt"
)

// oldSearches reads the next searches after a place, by the index on when they
// were made. Those that a booking with a known passenger came of stay for as
// long as it does, and so are passed over again each time.
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

// expireSearches deletes the searches made before an instant that nothing came
// of, and returns how many. Each is looked at once: a portion goes on behind the
// one before it.
func (db *DB) expireSearches(ctx context.Context, before int64) (all int, err error) {
	at, account, id := int64(-1<<62), "", ""
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
		if len(idle) == 0 {
			continue
		}
		deleted := 0
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
		if all += deleted; err != nil {
			return all, err
		}
	}
	return all, nil
}
