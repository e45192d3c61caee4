package store

import (
	"context"
	"database/sql"
	"strings"
)

// Whoever has read the report and asks for what has changed since must miss nothing, although
// transactions that began before the reading may end after it. Therefore a row has the number of
// the transaction that wrote it, and a reader remembers the oldest one that was still under way:
// every later change has that number or a higher one. A change may be read twice, never missed.

// thisChange is the expression for the number of the transaction that writes. SQLite has one
// writer at a time, whose transactions end in the order in which they began.
func (d dialect) thisChange() string {
	if d == postgres {
		return `CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)`
	}
	return `coalesce((SELECT max(changed) FROM report_booking WHERE account = $1), 0) + 1`
}

// change returns the number of the transaction that writes.
func (s Scoped) change(ctx context.Context, tx *sql.Tx) (n int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT `+s.db.dialect.thisChange()+` WHERE $1 <> ''`, s.account).Scan(&n)
	return n, wrapf(err, "number what is written")
}

// keepingChange has do remove rows of the report, and sees to it that the numbers of later transactions go on from
// where they were: on SQLite they follow from the rows that are left.
func (s Scoped) keepingChange(ctx context.Context, tx *sql.Tx, do func() error) error {
	next, err := s.change(ctx, tx)
	if err == nil {
		err = do()
	}
	if err != nil || s.db.dialect == postgres {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE report_booking
		SET changed = $2
		WHERE account = $1 AND booking_id = (SELECT max(booking_id) FROM report_booking WHERE account = $1)`,
		s.account, next)
	return err
}

// selectOldestChange asks for the lowest number that a change to be seen later may have; $1 is the
// account.
func (d dialect) selectOldestChange() string {
	return `SELECT ` + d.oldestChangeOf(`$1`) + ` WHERE $1 <> ''`
}

// oldestChangeOf is the expression for that number of an account.
func (d dialect) oldestChangeOf(account string) string {
	if d == postgres {
		return `CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT)`
	}
	return strings.ReplaceAll(d.thisChange(), `$1`, account)
}
