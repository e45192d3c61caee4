package store

import (
	"context"
	"database/sql"
	"fmt"
)

// inPortions runs a statement in one transaction after another, each for up to
// atOnce rows, until one finds fewer, and returns how many rows there were. The
// statement has %[1]s for the column that identifies a row, and %[2]d for atOnce.
func (db *DB) inPortions(ctx context.Context, atOnce int, statement string, args ...any) (all int, err error) {
	statement = fmt.Sprintf(statement, db.dialect.rowName(), atOnce)
	for n := atOnce; n == atOnce; all += n {
		err := db.write(ctx, func(tx *sql.Tx) (err error) {
			n, err = changed(tx.ExecContext(ctx, statement, args...))
			return err
		})
		if err != nil {
			return all, err
		}
	}
	return all, nil
}
