package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// An UnsettledIntent is an open intent that no process is working on.
type UnsettledIntent struct {
	Scope gangway.Scope
	Intent
}

// TakeUnsettledIntents takes open intents of all accounts whose lease ended before
// now, up to the capacity and in the order in which their leases ended, and leases
// them until the given time.
func (db *DB) TakeUnsettledIntents(ctx context.Context, now, until time.Time,
	capacity WorkCapacity) ([]UnsettledIntent, error) {
	ctx = withLongWork(ctx)
	where, args := capacity.full([]any{millis(now), capacity.Each, capacity.All})
	var found []UnsettledIntent
	counted := map[SupplierQueue]int{}
	err := eachRow(ctx, db.reader, `
		SELECT `+intentColumns+`
		FROM (
			SELECT `+intentColumns+`,
				row_number() OVER (PARTITION BY account, supplier ORDER BY lease, id) AS place
			FROM intent
			WHERE open = 1 AND lease <= $1 AND `+notRemoving+` AND `+where+`
		) loose
		WHERE place <= $2
		ORDER BY lease, account, id
		LIMIT $3`, args, func(row scanner) error {
		i, account, err := scanIntent(row)
		if err == nil && capacity.take(SupplierQueue{account, i.Supplier}, counted) {
			found = append(found, UnsettledIntent{gangway.Scope{Account: account}, i})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for unsettled intents: %w", err)
	}
	if len(found) == 0 {
		return nil, nil
	}
	var taken []UnsettledIntent
	err = db.write(ctx, func(tx *sql.Tx) error {
		taken = nil
		for _, i := range found {
			ahead, err := aheadOf(ctx, tx, i.Scope.Account)
			if err != nil {
				return err
			}
			i.Scope.Ahead = ahead
			res, err := tx.ExecContext(ctx, `
				UPDATE intent
				SET lease = $4
				WHERE account = $1 AND id = $2 AND open = 1 AND lease = $3`,
				i.Scope.Account, i.ID, millis(i.Lease), millis(until))
			if err != nil {
				return fmt.Errorf("take intent %s: %w", i.ID, err)
			}
			if n, err := res.RowsAffected(); err == nil && n == 1 {
				taken = append(taken, i)
			}
		}
		return nil
	})
	return taken, err
}

// FreeIntents ends the leases of all open intents. It is for the start of a
// process that has the database to itself, so that whoever held them is dead. On
// PostgreSQL there may be other replicas: it does nothing, and the leases run out
// by themselves.
func (db *DB) FreeIntents(ctx context.Context) error {
	if db.dialect == postgres {
		return nil
	}
	ctx = withLongWork(ctx)
	return db.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE intent SET lease = 0 WHERE open = 1`); err != nil {
			return fmt.Errorf("free intents: %w", err)
		}
		return nil
	})
}
