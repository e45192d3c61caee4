package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// reportedAtOnce is how many bookings get their rows anew in one transaction.
const reportedAtOnce = 200

// RebuildReport has all rows of the account's report written anew while it is read: BuildReport
// and BuildReports do so, some at a time.
func (s Scoped) RebuildReport(ctx context.Context) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO report_build (account, fresh)
			VALUES ($1, 0)
			ON CONFLICT (account) DO UPDATE
			SET reached = ''`, s.account)
		return err
	})
}

// ReportReady reports whether every booking of the account has its row.
func (s Scoped) ReportReady(ctx context.Context) (ready bool, err error) {
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT NOT EXISTS (SELECT 1 FROM report_build WHERE account = $1 AND fresh = 1)`, s.account).Scan(&ready)
	if err != nil {
		return false, fmt.Errorf("look for a report that is being written: %w", err)
	}
	return ready, nil
}

// BuildReports writes the rows of some bookings of an account whose report is to be written anew,
// and reports whether there were any. Replicas take turns.
func (db *DB) BuildReports(ctx context.Context) (some bool, err error) {
	err = db.reader.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM report_build)`).Scan(&some)
	if err != nil || !some {
		return false, err
	}
	return db.buildReport(ctx, `
		SELECT account, reached
		FROM report_build
		ORDER BY account
		LIMIT 1`+db.dialect.skipLocked())
}

// BuildReport writes the rows of some of the account's bookings if its report is to be written
// anew, and reports whether there were any.
func (s Scoped) BuildReport(ctx context.Context) (some bool, err error) {
	return s.db.buildReport(ctx, `
		SELECT account, reached
		FROM report_build
		WHERE account = $1`+s.db.dialect.forChange("report_build"), s.account)
}

// buildReport writes rows of the report that query picks and locks.
func (db *DB) buildReport(ctx context.Context, query string, args ...any) (some bool, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		var account, reached string
		err := tx.QueryRowContext(ctx, query, args...).Scan(&account, &reached)
		if some = !errors.Is(err, sql.ErrNoRows); !some {
			return nil
		}
		if err != nil {
			return err
		}
		return Scoped{db: db, account: account}.buildAfter(ctx, tx, reached)
	})
	if err != nil {
		return false, fmt.Errorf("write rows of the report anew: %w", err)
	}
	return some, nil
}

// buildAfter writes the rows of the next bookings after the one that was reached.
func (s Scoped) buildAfter(ctx context.Context, tx *sql.Tx, reached string) error {
	list, err := selectAll(ctx, tx, scanBooking, `
		SELECT doc, check_at
		FROM booking
		WHERE account = $1 AND id > $2
		ORDER BY id
		LIMIT $3`+s.db.dialect.forChange("booking"), s.account, reached, reportedAtOnce)
	if err != nil {
		return err
	}
	for _, b := range list {
		if err := s.saveReport(ctx, tx, b); err != nil {
			return err
		}
	}
	if len(list) < reportedAtOnce {
		_, err = tx.ExecContext(ctx, `DELETE FROM report_build WHERE account = $1`, s.account)
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE report_build SET reached = $2 WHERE account = $1`, s.account,
		list[len(list)-1].ID)
	return err
}
