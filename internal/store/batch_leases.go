package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// newHolder returns a new name for a process that takes something.
func newHolder() string { return rand.Text() }

// TakeBatches takes up to n unfinished batches of all accounts that nobody works
// on, those left longest first, and leases them until the given time.
func (db *DB) TakeBatches(ctx context.Context, now, until time.Time, n int) ([]BatchLease, error) {
	ctx = withLongWork(ctx)
	type left struct {
		account, id string
		lease       int64
	}
	found, err := selectAll(ctx, db.reader, func(row scanner) (l left, err error) {
		err = row.Scan(&l.account, &l.id, &l.lease)
		return l, err
	}, `
		SELECT account, id, lease
		FROM batch
		WHERE pending > 0 AND lease <= $1 AND `+notRemoving+`
		ORDER BY lease, account, id
		LIMIT $2`,
		millis(now), n)
	if err != nil {
		return nil, fmt.Errorf("look for batches that were left: %w", err)
	}
	if len(found) == 0 {
		return nil, nil
	}
	var taken []BatchLease
	err = db.write(ctx, func(tx *sql.Tx) error {
		taken = nil
		for _, b := range found {
			ahead, err := aheadOf(ctx, tx, b.account)
			if err != nil {
				return err
			}
			l := BatchLease{gangway.Scope{Account: b.account, Ahead: ahead}, b.id, newHolder()}
			res, err := tx.ExecContext(ctx, `
				UPDATE batch
				SET lease = $4, holder = $5
				WHERE account = $1 AND id = $2 AND pending > 0 AND lease = $3`,
				b.account, b.id, b.lease, millis(until), l.holder)
			if err != nil {
				return fmt.Errorf("take batch %s: %w", b.id, err)
			}
			if n, err := res.RowsAffected(); err == nil && n == 1 {
				taken = append(taken, l)
			}
		}
		return nil
	})
	return taken, err
}

// HoldBatch extends a lease to until. ErrBatchLost: another process has taken the
// batch.
func (s Scoped) HoldBatch(ctx context.Context, l BatchLease, until time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error { return s.leaseBatch(ctx, tx, l, until) })
}

// ReleaseBatch lets anybody take a batch at once.
func (s Scoped) ReleaseBatch(ctx context.Context, l BatchLease) error {
	return s.write(ctx, func(tx *sql.Tx) error { return s.leaseBatch(ctx, tx, l, time.Time{}) }, Batches)
}

func (s Scoped) leaseBatch(ctx context.Context, tx *sql.Tx, l BatchLease, until time.Time) error {
	res, err := tx.ExecContext(ctx, `
		UPDATE batch
		SET lease = $4
		WHERE account = $1 AND id = $2 AND holder = $3`,
		s.account, l.ID, l.holder, millis(until))
	if err != nil {
		return fmt.Errorf("hold batch %s: %w", l.ID, err)
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return ErrBatchLost
	}
	return nil
}

// FreeBatches ends the leases of all batches if this process has the database to
// itself, so that whoever held them is dead. See FreeIntents.
func (db *DB) FreeBatches(ctx context.Context) error {
	if db.dialect == postgres {
		return nil
	}
	ctx = withLongWork(ctx)
	return db.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE batch SET lease = 0 WHERE pending > 0`); err != nil {
			return fmt.Errorf("free batches: %w", err)
		}
		return nil
	})
}
