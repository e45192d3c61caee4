package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway/internal/store/internal/lease"
)

// TakeBatches takes up to n unfinished batches of all accounts that nobody works
// on, those left longest first, and leases them until the given time.
func (db *DB) TakeBatches(ctx context.Context, now, until time.Time, n int) ([]BatchLease, error) {
	ctx = withLongWork(ctx)
	found, err := selectAll(ctx, db.reader, func(row scanner) (l BatchLease, err error) {
		err = row.Scan(&l.Scope.Account, &l.ID, &l.Request)
		return l, err
	}, `
		SELECT account, id, request
		FROM batch
		WHERE pending > 0 AND lease <= $1 AND `+notRemoving+`
		ORDER BY lease, account, id
		LIMIT $2`,
		millis(now), n)
	if err != nil {
		return nil, fmt.Errorf("look for batches that were left: %w", err)
	}
	return takeEach(ctx, db, found, func(tx *sql.Tx, l *BatchLease) (taken bool, err error) {
		if l.Scope.Ahead, err = aheadOf(ctx, tx, l.Scope.Account); err != nil {
			return false, err
		}
		l.holder = lease.NewHolder()
		return batchLeases.Take(ctx, tx, l.Scope.Account, l.ID, l.holder, millis(now), millis(until))
	})
}

// HoldBatch extends a lease to until. ErrBatchLost: another process has taken the
// batch.
func (s Scoped) HoldBatch(ctx context.Context, l BatchLease, until time.Time) error {
	return s.writeUnseen(ctx, func(tx *sql.Tx) error { return s.leaseBatch(ctx, tx, l, until) })
}

// ReleaseBatch lets anybody take a batch at once.
func (s Scoped) ReleaseBatch(ctx context.Context, l BatchLease) error {
	return s.writeUnseen(ctx, func(tx *sql.Tx) error { return s.leaseBatch(ctx, tx, l, time.Time{}) }, Batches)
}

func (s Scoped) leaseBatch(ctx context.Context, tx *sql.Tx, l BatchLease, until time.Time) error {
	held, err := batchLeases.Renew(ctx, tx, s.account, l.ID, l.holder, millis(until))
	if err == nil && !held {
		return ErrBatchLost
	}
	return err
}
