package store

import (
	"context"
	"database/sql"
	"fmt"
)

// inPortions runs a statement, so many rows at a time in a transaction each,
// until it finds fewer, and returns how many there were. It has %[1]s for what
// names a row of its table, and %[2]d for how many it takes.
func (db *DB) inPortions(ctx context.Context, atOnce int64, statement string, args ...any) (all int, err error) {
	statement = fmt.Sprintf(statement, db.dialect.rowName(), atOnce)
	for n := atOnce; n == atOnce; all += int(n) {
		err := db.write(ctx, func(tx *sql.Tx) error {
			res, err := tx.ExecContext(ctx, statement, args...)
			if err != nil {
				return err
			}
			n, err = res.RowsAffected()
			return err
		})
		if err != nil {
			return all, err
		}
	}
	return all, nil
}
