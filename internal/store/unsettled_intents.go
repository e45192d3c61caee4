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
	return takeEach(ctx, db, found, func(tx *sql.Tx, i *UnsettledIntent) (taken bool, err error) {
		if i.Scope.Ahead, err = aheadOf(ctx, tx, i.Scope.Account); err != nil {
			return false, err
		}
		return intentLeases.Take(ctx, tx, i.Scope.Account, i.ID, "", millis(now), millis(until))
	})
}
